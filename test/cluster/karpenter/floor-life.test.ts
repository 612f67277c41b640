import type { Cluster } from '../harness/cluster';
import { describeCluster, sharedCluster } from '../harness/shared-cluster';
import { type CreatePool, endOfWindow, floorAndLargeWork, nodesOf, running, uidsOf } from '../workload/floor-stories';
import { createPool, type Pool } from '../workload/pool';
import { testTogether } from '../workload/testing-together';

// As long as the patience of the stories.
jest.setTimeout(900_000);

describeCluster('a floor', () => {
  let cluster: Cluster;
  const pools: Pool[] = [];
  const create: CreatePool = async (options) => {
    const created = await createPool(cluster, options);
    pools.push(created);
    return created;
  };

  beforeAll(async () => {
    cluster = await sharedCluster();
  });

  testTogether({
    'moves to a larger node that came for work, and then nothing oscillates': async () => {
      const { pool, before, after, work } = await floorAndLargeWork(create);
      expect(after).toHaveLength(4);
      expect(after.filter((name) => before.includes(name))).toHaveLength(3);
      expect(nodesOf(await pool.claims())).toContain(work[0]?.spec.nodeName);
      expect(uidsOf(await running(pool, 1))).toEqual(uidsOf(work));
    },

    'leaves the nodes with work alone at the end of its window, and the others go': async () => {
      const { pool, before, after, work } = await endOfWindow(create);
      expect(before).toHaveLength(4);
      expect(after).toEqual(work.map(({ spec }) => spec.nodeName).sort());
      expect(uidsOf(await running(pool, 2))).toEqual(uidsOf(work));
    },
  });

  afterAll(() => Promise.all(pools.map(({ remove }) => remove())));
});
