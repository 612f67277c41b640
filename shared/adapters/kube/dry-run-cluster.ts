import type { Cluster } from '../../core/ports/ports';
import { currentHeadroom } from './kube-cluster';

export function dryRunCluster(cluster: Cluster): Cluster {
  const pretend = async (manifest: Parameters<Cluster['createHeadroom']>[0]) => currentHeadroom(manifest);
  return { ...cluster, createHeadroom: pretend, applyHeadroom: pretend, deleteHeadroom: async () => {} };
}
