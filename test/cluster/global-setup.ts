import setUpAws from '../aws/global-setup';
import { build, missingForBuild } from './harness/build/build';
import { startCluster } from './harness/cluster';
import { sweepAbandoned } from './harness/sweep';

/** Starts the cluster that all test files share, or says why there is none. */
export default async function setUp(): Promise<void> {
  const missing = await missingForBuild();
  if (missing !== undefined) {
    if (/^(true|1)$/.test(process.env.CI ?? '')) throw new Error(missing);
    process.env.HEADSTART_CLUSTER_MISSING = missing;
    console.warn(`\nThe cluster suite is skipped: ${missing}`);
    return;
  }
  await sweepAbandoned();
  await build((message) => console.error(message));
  const cluster = await startCluster({ karpenter: true });
  process.env.HEADSTART_CLUSTER_RUN = cluster.folder;
  // One story also needs the emulated AWS; without it that story is skipped.
  await setUpAws();
}
