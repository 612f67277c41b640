import type { KubernetesObject, V1ConfigMap } from '@kubernetes/client-node';
import { hashText, LIVE_SCHEDULES } from '../../core/basics/names';
import type { Config } from '../../core/config/config';
import { liveSchedules } from '../../core/live/live-schedules';
import type { LiveConfigMap } from '../../core/live/live-text';
import type { ClusterEvent, Ports } from '../../core/ports/ports';
import { KubeError, orMissing } from './kube-error';
import type { KubeTransport } from './kube-transport';

type LivePorts = Pick<Ports, 'live' | 'emit'>;

/** For a function that counts by what is kept. */
export function keptLive(config: Config): LivePorts {
  return config.cluster.liveSchedules ? { live: liveSchedules(config) } : {};
}

/** For the function that reads the ConfigMap. */
export function readLive(config: Config, transport: Pick<KubeTransport, 'get' | 'create'>): LivePorts {
  const { liveSchedules: isOn, namespace } = config.cluster;
  if (!isOn) return {};
  return {
    live: liveSchedules(config, () => readConfigMap(transport, namespace)),
    emit: (event, now) => createEvent(transport, namespace, event, now),
  };
}

export function liveSchedulesPath(namespace: string): string {
  return `/api/v1/namespaces/${namespace}/configmaps/${LIVE_SCHEDULES}`;
}

export async function readConfigMap(
  transport: Pick<KubeTransport, 'get'>,
  namespace: string,
): Promise<LiveConfigMap | undefined> {
  const found = await orMissing(transport.get<V1ConfigMap>(liveSchedulesPath(namespace)));
  return found && liveConfigMap(found);
}

/** The ConfigMap as the core sees it. */
export function liveConfigMap({ metadata, data, binaryData }: V1ConfigMap): LiveConfigMap {
  const writers = (metadata?.managedFields ?? []).filter(({ fieldsV1 }) => fieldsV1 && 'f:data' in fieldsV1);
  const last = writers.sort((a, b) => Date.parse(`${a.time}`) - Date.parse(`${b.time}`)).at(-1);
  return {
    data: data ?? {},
    binaryKeys: Object.keys(binaryData ?? {}),
    ...(metadata?.uid !== undefined && { uid: metadata.uid }),
    ...(last?.time && { edit: { by: last.manager ?? 'somebody', at: new Date(last.time).toISOString() } }),
  };
}

/** The API accepts 1,024 bytes, and a character may take three. */
const MAX_NOTE = 340;
const HOUR = 3_600_000;

/** One Event an hour for the same text: its name is a hash, so that a second one is a conflict that nobody minds. */
async function createEvent(
  transport: Pick<KubeTransport, 'create'>,
  namespace: string,
  { regarding, type, reason, note }: ClusterEvent,
  now: number,
): Promise<void> {
  const identity = [regarding.kind, regarding.name, reason, note, Math.floor(now / HOUR)].join('\u0000');
  const event = {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { name: `${regarding.name}.${hashText(identity)}`, namespace },
    eventTime: new Date(now).toISOString().replace('Z', '000Z'),
    reportingController: 'headstart.dev/headstart',
    reportingInstance: 'headstart',
    action: 'Reconcile',
    type,
    reason,
    note: note.length > MAX_NOTE ? `${note.slice(0, MAX_NOTE - 3)}...` : note,
    regarding: { ...regarding, namespace },
  };
  const path = `/apis/events.k8s.io/v1/namespaces/${namespace}/events`;
  await transport.create<KubernetesObject>(path, event).catch((error: unknown) => {
    if (!(error instanceof KubeError && error.status === 409)) throw error;
  });
}
