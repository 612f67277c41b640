import { setTimeout as sleep } from 'node:timers/promises';
import { onceMore } from './functions/virtual-time';
import type { KubeObject } from './harness/api-client';
import type { Cluster } from './harness/cluster';
import { eventually } from './harness/eventually';
import { describeCluster, sharedCluster } from './harness/shared-cluster';
import { isRunning, type Pod } from './workload/pods';
import { createPool, type NodeClaim, PATIENCE_MS, type Pool, type PoolOptions, settled } from './workload/pool';
import { testTogether } from './workload/testing-together';

const FLOOR = { floor: { cpu: 4 } };
const FOUR_CPUS = ['c-4x-amd64-linux', 's-4x-amd64-linux', 'm-4x-amd64-linux'];
const NINE_TYPES = [4, 8, 16].flatMap((size) => ['c', 's', 'm'].map((family) => `${family}-${size}x-amd64-linux`));
const AT_ONCE = {
  consolidationPolicy: 'WhenEmptyOrUnderutilized',
  consolidateAfter: '0s',
  budgets: [{ nodes: '100%' }],
};
const TWO_MINUTES = 120_000;
const NODES = '/api/v1/nodes';
const patience = { timeoutMs: PATIENCE_MS, intervalMs: 500 };

const namesOf = (objects: readonly KubeObject[]) => objects.map(({ metadata }) => metadata.name).sort();
const uidsOf = (pods: readonly Pod[]) => pods.map(({ metadata }) => metadata.uid).sort();
const nodesOf = (claims: readonly NodeClaim[]) => claims.map(({ status }) => status.nodeName);

// As long as the patience of the stories.
jest.setTimeout(900_000);

describeCluster('a floor', () => {
  let cluster: Cluster;
  const pools: Pool[] = [];
  const pool = async (options: PoolOptions) => {
    const created = await createPool(cluster, options);
    pools.push(created);
    return created;
  };
  const floorOf = (nodes: number) => () => ({ base: nodes, max: nodes, unit: FLOOR });
  const running = ({ workPods }: Pool, count: number) =>
    eventually(async () => {
      const pods = (await workPods()).filter(isRunning);
      return pods.length === count && pods;
    }, patience);

  beforeAll(async () => {
    cluster = await sharedCluster();
  });

  testTogether({
    'is the same nodes all the time, although Karpenter consolidates at once': async () => {
      const { tick, awaitHeadroom, claims } = await pool({
        instanceTypes: NINE_TYPES,
        disruption: AT_ONCE,
        headroom: floorOf(6),
      });
      await tick(0);
      await awaitHeadroom(6);
      const first = namesOf(await claims());
      expect(first).toHaveLength(6);
      for (const until = performance.now() + TWO_MINUTES; performance.now() < until; await sleep(1000))
        expect(namesOf(await claims())).toEqual(first);
    },

    'moves to a larger node that came for work, and then nothing oscillates': async () => {
      const floored = await pool({ instanceTypes: NINE_TYPES, disruption: AT_ONCE, headroom: floorOf(4) });
      const { tick, awaitHeadroom, claims, work } = floored;
      await tick(0);
      await awaitHeadroom(4);
      const before = namesOf(await claims());
      await work('large', { cpu: '12' });
      const [large] = await running(floored, 1);
      const left = await settled(async () => namesOf(await claims()), TWO_MINUTES);
      expect(left).toHaveLength(4);
      expect(left.filter((name) => before.includes(name))).toHaveLength(3);
      expect(nodesOf(await claims())).toContain(large?.spec.nodeName);
      expect(uidsOf(await running(floored, 1))).toEqual([large?.metadata.uid]);
      await awaitHeadroom(4);
    },

    'has a node again after one was lost without notice, and Headstart does nothing for it': async () => {
      const { tick, awaitHeadroom, claims } = await pool({ instanceTypes: FOUR_CPUS, headroom: floorOf(3) });
      await tick(0);
      await awaitHeadroom(3);
      const [lost, ...others] = await claims();
      const node = `${NODES}/${lost?.status.nodeName}`;
      // Nothing may hold it: the machine is gone.
      const free = { metadata: { finalizers: null } };
      await cluster.admin.send('PATCH', node, free, 'application/merge-patch+json');
      await cluster.admin.remove(node);
      await eventually(async () => {
        const left = await claims();
        return left.length === 3 && left.every(({ metadata }) => metadata.name !== lost?.metadata.name);
      }, patience);
      expect(namesOf(await claims())).toEqual(expect.arrayContaining(namesOf(others)));
      const alive = namesOf(await cluster.admin.list(NODES));
      for (const { spec } of await awaitHeadroom(3)) expect(alive).toContain(spec.nodeName);
    },

    'leaves the nodes with work alone at the end of its window, and the others go': async () => {
      const floored = await pool({
        instanceTypes: FOUR_CPUS,
        // With WhenEmptyOrUnderutilized Karpenter may move work to a node that has just become empty.
        disruption: { ...AT_ONCE, consolidationPolicy: 'WhenEmpty' },
        headroom: (minute) => ({ max: 3, unit: FLOOR, schedules: [onceMore('peak', minute(1), minute(3), 3)] }),
      });
      const { tick, work, awaitHeadroom, claims, headstart, name } = floored;
      await work('always', { cpu: '3' });
      await running(floored, 1);
      await tick(1);
      await awaitHeadroom(4);
      await work('peak', { cpu: '3' });
      const busy = await running(floored, 2);
      expect(await claims()).toHaveLength(4);
      await tick(3);
      await awaitHeadroom(0);
      await eventually(async () => (await claims()).length === 2, patience);
      expect(await settled(async () => nodesOf(await claims()).sort(), 30_000)).toEqual(
        busy.map(({ spec }) => spec.nodeName).sort(),
      );
      expect(uidsOf(await running(floored, 2))).toEqual(uidsOf(busy));
      expect((await headstart.recordOf(name)).openings).toBeUndefined();
    },

    'asks for its size by the labels of the node class that the NodePool names': async () => {
      const { tick, awaitHeadroom, headstart, name } = await pool({ instanceTypes: FOUR_CPUS, headroom: floorOf(1) });
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
