import type { KubernetesObject } from '@kubernetes/client-node';
import { hashText } from '../../core/basics/names';
import type { ClusterEvent, Ports } from '../../core/ports/ports';
import { KubeError } from './kube-error';
import type { KubeTransport } from './kube-transport';

/** The API accepts 1,024 bytes, and a character may take three. */
const MAX_NOTE = 340;
const HOUR = 3_600_000;

/** One Event an hour for the same text: its name is a hash, so that a second one is a conflict that nobody minds. */
export function clusterEvents(
  transport: Pick<KubeTransport, 'create'>,
  namespace: string,
): Required<Pick<Ports, 'emit'>> {
  return {
    emit: async (event, now) => {
      const { regarding, reason, note } = event;
      const identity = [regarding.kind, regarding.name, reason, note, Math.floor(now / HOUR)].join('\u0000');
      const named = newEvent(namespace, { ...event, name: `${regarding.name}.${hashText(identity)}`, at: now });
      const path = `/apis/events.k8s.io/v1/namespaces/${namespace}/events`;
      await transport.create<KubernetesObject>(path, named).catch((error: unknown) => {
        if (!(error instanceof KubeError && error.status === 409)) throw error;
      });
    },
  };
}

export function newEvent(
  namespace: string,
  { name, at, regarding, type, reason, note }: ClusterEvent & { readonly name: string; readonly at: number },
) {
  return {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { name, namespace },
    eventTime: new Date(at).toISOString().replace('Z', '000Z'),
    reportingController: 'headstart.dev/headstart',
    reportingInstance: 'headstart',
    action: 'Reconcile',
    type,
    reason,
    note: note.length > MAX_NOTE ? `${note.slice(0, MAX_NOTE - 3)}...` : note,
    regarding: { ...regarding, namespace },
  };
}
