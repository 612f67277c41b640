import { attachCluster, type Cluster } from './cluster';

const { HEADSTART_CLUSTER_RUN, HEADSTART_CLUSTER_MISSING } = process.env;

/** `describe` for suites that need a cluster: skipped where none can be started, as the start of the run has said. */
export const describeCluster = HEADSTART_CLUSTER_MISSING === undefined ? describe : describe.skip;

/** The one cluster that all test files use, whole again if another file has broken it; with Karpenter, no node delay. */
export async function sharedCluster(): Promise<Cluster> {
  if (HEADSTART_CLUSTER_RUN === undefined) throw new Error('run this by the jest.config.js of test/cluster');
  const cluster = attachCluster(HEADSTART_CLUSTER_RUN);
  await cluster.heal();
  return cluster;
}
