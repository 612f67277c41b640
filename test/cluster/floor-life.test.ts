import type { Cluster } from './harness/cluster';
import { describeCluster, sharedCluster } from './harness/shared-cluster';
import {
  type CreatePool,
  endOfWindow,
  floorAndLargeWork,
  idleFloor,
  lostNode,
  NODES,
  nodesOf,
  running,
  uidsOf,
} from './workload/floor-stories';
import { createPool, type Pool } from './workload/pool';
import { FLOOR, FOUR_CPUS } from './workload/step';
import { testTogether } from './workload/testing-together';

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
    'is the same nodes for two minutes, although Karpenter consolidates at once': async () => {
      const { before, after, sets } = await idleFloor(create);
      expect(before).toHaveLength(6);
      expect(after).toEqual(before);
      expect(sets).toBe(1);
    },

    'moves to a larger node that came for work, and then nothing oscillates': async () => {
      const { pool, before, after, work } = await floorAndLargeWork(create);
      expect(after).toHaveLength(4);
      expect(after.filter((name) => before.includes(name))).toHaveLength(3);
      expect(nodesOf(await pool.claims())).toContain(work[0]?.spec.nodeName);
      expect(uidsOf(await running(pool, 1))).toEqual(uidsOf(work));
    },

    'has a node again after one was lost without notice, and Headstart does nothing for it': async () => {
      const { before, others, after } = await lostNode(create, cluster);
      expect(before).toHaveLength(3);
      expect(after).toHaveLength(3);
      expect(after).toEqual(expect.arrayContaining(others));
    },

    'leaves the nodes with work alone at the end of its window, and the others go': async () => {
      const { pool, before, after, work } = await endOfWindow(create);
      expect(before).toHaveLength(4);
      expect(after).toEqual(work.map(({ spec }) => spec.nodeName).sort());
      expect(uidsOf(await running(pool, 2))).toEqual(uidsOf(work));
      // A count outlives its window by a few minutes, for functions whose clock is behind.
      await pool.tick(9);
      expect((await pool.headstart.recordOf(pool.name)).counts).toBeUndefined();
    },

    'asks for its size by the labels of the node class that the NodePool names': async () => {
      const { tick, awaitHeadroom, headstart, name } = await create({
        instanceTypes: FOUR_CPUS,
        headroom: () => ({ base: 1, max: 1, unit: FLOOR }),
      });
      await tick(0);
      const [pod] = await awaitHeadroom(1);
      expect(JSON.stringify(await headstart.headroom(name))).toContain(
        '{"key":"karpenter.kwok.sh/instance-cpu","operator":"Gt","values":["3"]}',
      );
      const { metadata } = await cluster.admin.send('GET', `${NODES}/${pod?.spec.nodeName}`);
      expect(metadata.labels).toMatchObject({
        'karpenter.kwok.sh/instance-cpu': '4',
        // A quantity, where AWS has a number of MiB: no floor of this suite can ask for memory.
        'karpenter.kwok.sh/instance-memory': '8Gi',
      });
    },
  });

  afterAll(() => Promise.all(pools.map(({ remove }) => remove())));
});
