import type { Config, LikeWorkload } from '../../core/config/config';
import { likeWorkloads } from '../../core/like/like-workloads';
import type { WorkloadObject } from '../../core/like/workload';
import { needsIn } from '../../core/observe/node-pool-needs';
import { countShares } from '../../core/occurrences/count-shares';
import type { Ports } from '../../core/ports/ports';
import { orMissing } from './kube-error';
import type { KubeTransport } from './kube-transport';

/** For configs with headrooms that are shaped like a workload. */
export function likePorts(config: Config, transport: Pick<KubeTransport, 'get'>): Pick<Ports, 'like'> {
  if (!config.headrooms.some(({ like }) => like)) return {};
  const read = (workload: LikeWorkload) => orMissing(transport.get<WorkloadObject>(workloadPath(workload)));
  return { like: likeWorkloads(config, read, { countShares, needsOf: needsIn }) };
}

export function workloadPath({ kind, namespace, name }: LikeWorkload): string {
  return `/apis/apps/v1/namespaces/${namespace}/${kind.toLowerCase()}s/${encodeURIComponent(name)}`;
}
