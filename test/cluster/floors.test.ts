import type { Cluster } from './harness/cluster';
import { describeCluster, sharedCluster } from './harness/shared-cluster';
import { type PodStarts, watchPodStarts } from './workload/pod-starts';
import { isRunning, type Pod } from './workload/pods';
import { type OpenStep, openStep, STEPS } from './workload/step';
import { testTogether } from './workload/testing-together';

/** Several of Karpenter's rounds. */
const QUIET_MS = 40_000;

const uidsOf = (pods: readonly Pod[]) => pods.map(({ metadata }) => metadata.uid).sort();

// As long as the patience of the stories.
jest.setTimeout(900_000);

describeCluster('nodes for a step of work', () => {
  let cluster: Cluster;
  let starts: PodStarts;
  const opened: OpenStep[] = [];

  beforeAll(async () => {
    cluster = await sharedCluster();
    starts = await watchPodStarts(cluster);
  });

  /** The nodes are there, the work comes, and Karpenter has nothing more to do. */
  async function tell(name: keyof typeof STEPS) {
    const step = await openStep(cluster, starts, STEPS[name]);
    opened.push(step);
    const { pool, before } = step;
    const stood = uidsOf(await pool.headroomPods());
    await step.arrive();
    const claims = [before, await step.after(QUIET_MS)];
    const pods = await pool.headroomPods();
    return {
      pool,
      claims,
      displaced: stood.filter((uid) => !uidsOf(pods).includes(uid)),
      ready: pods.filter(isRunning),
    };
  }

  testTogether({
    'with a floor is paid once: six nodes stay six, and nothing is displaced': async () => {
      const { claims, displaced, ready } = await tell('floor of six nodes');
      expect(claims).toEqual([6, 6]);
      expect(displaced).toEqual([]);
      expect(ready).toHaveLength(6);
    },
  });

  afterAll(async () => {
    await Promise.all(opened.map(({ remove }) => remove()));
    starts?.close();
  });
});
