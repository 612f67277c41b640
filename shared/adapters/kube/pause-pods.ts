import type { EventsV1Event, V1Deployment, V1Pod, V1ReplicaSet } from '@kubernetes/client-node';
import { HEADROOM_LABEL, headroomName } from '../../core/basics/names';
import type { Config } from '../../core/config/config';
import type { Cluster, CurrentHeadroom, Log, Ports, Preemption } from '../../core/ports/ports';
import { headroomOfPod } from '../../core/wake-up/headroom-of-pod';
import { type HeadroomTime, type PausePods, wakeUps } from '../../core/wake-up/wake-up';
import { KubeError, orMissing } from './kube-error';
import { newEvent } from './kube-events';
import type { KubeTransport } from './kube-transport';
import { listInPages } from './list-in-pages';

const WOKEN = 'Woken';
/** The name of a `Woken` Event: which headroom, and up to which preemption it answers. */
const WOKEN_NAME = /^(.+)\.woken-(\d{13})$/;

interface WakeProps {
  readonly transport: KubeTransport;
  readonly cluster: Cluster;
  readonly owner: string;
  readonly log: Log;
}

/** For the function that gets the heartbeats. */
export function wakePorts(
  config: Pick<Config, 'cluster' | 'headrooms'>,
  { transport, ...props }: WakeProps,
): Pick<Ports, 'preemptions' | 'wakeUp'> {
  const { wakeUp, ...reading } = wakeUps({ pods: pausePods(transport, config), ...props });
  return config.cluster.wakeUp === false ? reading : { ...reading, wakeUp };
}

export function pausePods(
  transport: Pick<KubeTransport, 'get' | 'create' | 'delete'>,
  { cluster: { namespace }, headrooms }: Pick<Config, 'cluster' | 'headrooms'>,
): PausePods {
  const names = headrooms.map(({ name }) => headroomName(name));
  const events = `/apis/events.k8s.io/v1/namespaces/${namespace}/events`;
  const pods = `/api/v1/namespaces/${namespace}/pods`;
  const eventsOf = <T extends HeadroomTime>(reason: string, facts: (event: EventsV1Event) => readonly T[]) =>
    listInPages(transport, events, { fieldSelector: `reason=${reason}`, facts });
  return {
    readPreemptions: () => eventsOf('Preempted', (event) => preemption(event, names)),
    readWakeUps: () => eventsOf(WOKEN, wakeUp),
    running: async (headroom) => {
      if (isRolling(headroom)) return [];
      const labelSelector = `${HEADROOM_LABEL}=${headroom.labels[HEADROOM_LABEL] ?? ''}`;
      const sets = await listInPages(transport, `/apis/apps/v1/namespaces/${namespace}/replicasets`, {
        labelSelector,
        facts: (set: V1ReplicaSet) => (isOwnedBy(set, headroom.uid) && hasPods(set) ? [set.metadata?.uid] : []),
      });
      const [set] = sets;
      if (set === undefined || sets.length > 1) return [];
      return listInPages(transport, pods, {
        labelSelector,
        facts: (pod: V1Pod) => (isOwnedBy(pod, set) && isRunning(pod) ? [identity(pod)] : []),
      });
    },
    claim: async ({ name, uid }, burst, now) => {
      const event = newEvent(namespace, {
        name: `${name}.woken-${burst.at}`,
        at: now,
        regarding: { apiVersion: 'apps/v1', kind: 'Deployment', name, uid },
        type: 'Normal',
        reason: WOKEN,
        note: 'a pause pod is deleted, so that kube-scheduler looks again at pods that a burst may have left behind',
      });
      try {
        await transport.create(events, event);
        return true;
      } catch (error) {
        if (error instanceof KubeError && error.status === 409) return false;
        throw error;
      }
    },
    delete: async ({ name, uid }) => {
      // Tried again, it may find that it took effect before.
      await orMissing(transport.delete(`${pods}/${encodeURIComponent(name)}`, { uid }));
    },
  };
}

function preemption(
  { regarding, related, eventTime }: EventsV1Event,
  headrooms: readonly string[],
): readonly Preemption[] {
  const pod = regarding?.name ?? '';
  const headroom = headroomOfPod(pod, headrooms);
  const at = Date.parse(String(eventTime));
  const by = related?.name && `${related.namespace}/${related.name}`;
  return headroom && !Number.isNaN(at) ? [{ headroom, pod, at, ...(by && { by }) }] : [];
}

function wakeUp({ metadata }: EventsV1Event): readonly HeadroomTime[] {
  const [, headroom, at] = WOKEN_NAME.exec(metadata?.name ?? '') ?? [];
  return headroom ? [{ headroom, at: Number(at) }] : [];
}

/** Whether it has not been seen by its controller yet, or has pods of an older template. */
function isRolling({ object }: CurrentHeadroom): boolean {
  const { metadata, status } = object as V1Deployment;
  return metadata?.generation !== status?.observedGeneration || status?.updatedReplicas !== status?.replicas;
}

function isOwnedBy({ metadata }: V1ReplicaSet | V1Pod, uid: string): boolean {
  return metadata?.ownerReferences?.some((owner) => owner.controller && owner.uid === uid) === true;
}

function hasPods({ spec, status }: V1ReplicaSet): boolean {
  return (spec?.replicas ?? 1) > 0 || (status?.replicas ?? 0) > 0;
}

function isRunning({ metadata, status }: V1Pod): boolean {
  return status?.phase === 'Running' && metadata?.deletionTimestamp === undefined;
}

function identity({ metadata }: V1Pod) {
  return { name: metadata?.name ?? '', uid: metadata?.uid ?? '' };
}
