import type { V1ConfigMap } from '@kubernetes/client-node';
import { LIVE_SCHEDULES } from '../../core/basics/names';
import type { Config } from '../../core/config/config';
import { liveSchedules } from '../../core/live/live-schedules';
import type { LiveConfigMap } from '../../core/live/live-text';
import type { Ports } from '../../core/ports/ports';
import { orMissing } from './kube-error';
import type { KubeTransport } from './kube-transport';

type LivePorts = Pick<Ports, 'live'>;

/** For a function that counts by what is kept. */
export function keptLive(config: Config): LivePorts {
  return config.cluster.liveSchedules ? { live: liveSchedules(config) } : {};
}

/** For the function that reads the ConfigMap. */
export function readLive(config: Config, transport: Pick<KubeTransport, 'get'>): LivePorts {
  const { liveSchedules: isOn, namespace } = config.cluster;
  return isOn ? { live: liveSchedules(config, () => readConfigMap(transport, namespace)) } : {};
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
