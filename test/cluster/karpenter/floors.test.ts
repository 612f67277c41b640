import type { Cluster } from '../harness/cluster';
import { eventually } from '../harness/process/eventually';
import { describeCluster, sharedCluster } from '../harness/shared-cluster';
import { type PodStarts, watchPodStarts } from '../workload/pod-starts';
import { isRunning, type Pod } from '../workload/pods';
import { PATIENCE_MS } from '../workload/pool';
import { type OpenStep, openStep, STEPS } from '../workload/step';
import { testTogether } from '../workload/testing-together';

/** Several of Karpenter's rounds. */
const QUIET_MS = 40_000;
const patience = { timeoutMs: PATIENCE_MS, intervalMs: 500 };

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
    const { pool, baseline, before } = step;
    const stood = uidsOf(await pool.headroomPods());
    await step.arrive();
    // All that is asked for is there; only then is it telling that nothing more is bought.
    const ready = await eventually(async () => {
      const pods = await pool.headroomPods();
      return pods.length > 0 && pods.every(isRunning) && pods;
    }, patience);
    const after = await step.after(QUIET_MS);
    const displaced = stood.filter((uid) => !uidsOf(ready).includes(uid));
    return { pool, baseline, before, after, displaced: displaced.length, ready: ready.length };
  }

  testTogether({
    'room is refilled: six nodes become twelve': async () => {
      expect(await tell('room for six pods')).toMatchObject({ before: 6, after: 12, displaced: 6, ready: 6 });
    },

    'six nodes more than three full ones are nine, and stay nine': async () => {
      const { pool, ...told } = await tell('six nodes more than three full ones');
      expect(told).toEqual({ baseline: 3, before: 9, after: 9, displaced: 0, ready: 9 });
      const counts = Object.values((await pool.headstart.recordOf(pool.name)).counts ?? {});
      expect(counts).toEqual([expect.objectContaining({ nodes: 3 })]);
    },

    'work that comes before the nodes buys room twice': async () => {
      expect(await tell('room, work comes before the nodes')).toMatchObject({ after: 12, ready: 6 });
    },

    'work that comes before the nodes lands on those of the floor': async () => {
      expect(await tell('floor, work comes before the nodes')).toMatchObject({ after: 6, ready: 6 });
    },

    'work of whole nodes fits beside a floor': async () => {
      expect(await tell('floor, work of whole nodes')).toMatchObject({ before: 4, after: 4, displaced: 0 });
    },

    'work that leaves one pod slot a node fits beside a floor': async () => {
      const told = await tell('floor, work that leaves one pod slot a node');
      expect(told).toMatchObject({ before: 4, after: 4, displaced: 0 });
    },
  });

  afterAll(async () => {
    await Promise.all(opened.map(({ remove }) => remove()));
    starts?.close();
  });
});
