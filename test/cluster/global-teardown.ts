import { attachCluster } from './harness/cluster';

/** Ends the cluster that all test files shared. */
export default async function tearDown(): Promise<void> {
  const { HEADSTART_CLUSTER_RUN } = process.env;
  if (HEADSTART_CLUSTER_RUN !== undefined) await attachCluster(HEADSTART_CLUSTER_RUN).stop();
}
