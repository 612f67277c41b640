import type { Cluster } from '../../core/ports/ports';
import { liveHeadroom } from './kube-cluster';

export function dryRunCluster(cluster: Cluster): Cluster {
  const pretend = async (manifest: Parameters<Cluster['createHeadroom']>[0]) => liveHeadroom(manifest);
  return { ...cluster, createHeadroom: pretend, applyHeadroom: pretend, deleteHeadroom: async () => {} };
}
