import { type CloudWatch, startCloudWatch } from '../functions/cloudwatch';
import { alarmChange } from '../functions/events';
import { onceMore } from '../functions/virtual-time';
import type { Cluster } from '../harness/cluster';
import { eventually } from '../harness/process/eventually';
import { describeCluster, sharedCluster } from '../harness/shared-cluster';
import { nodesOf, running } from '../workload/floor-stories';
import { isRunning } from '../workload/pods';
import { createPool, PATIENCE_MS, type Pool, type PoolOptions, settled } from '../workload/pool';
import { FLOOR, FOUR_CPUS } from '../workload/step';
import { testTogether } from '../workload/testing-together';

/** What the kwok provider's nodes of four CPUs and 8 GiB offer to pods. */
const WHOLE_NODE = { cpu: '3900m', memory: '8182Mi' };
/** Several of Karpenter's rounds. */
const QUIET_MS = 40_000;
/** Four more nodes than there are over lunch. */
const LUNCH = (minute: Pool['minute']) => ({
  max: 4,
  leadTime: '0m',
  unit: FLOOR,
  schedules: [onceMore('lunch', minute(0), minute(9), 4)],
});
const NODES = {
  instanceTypes: FOUR_CPUS,
  disruption: { consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: 'Never' },
} as const;

// As long as the patience of the stories.
jest.setTimeout(900_000);

describeCluster('several headrooms on one NodePool', () => {
  let cluster: Cluster;
  let cloudwatch: CloudWatch;
  const pools: Pool[] = [];

  beforeAll(async () => {
    [cluster, cloudwatch] = [await sharedCluster(), await startCloudWatch()];
  });

  /** A NodePool with so many nodes full of work, and a floor over lunch. */
  async function create(full: number, more: Partial<PoolOptions> = {}): Promise<Pool> {
    const pool = await createPool(cluster, { ...NODES, headroom: LUNCH, ...more });
    pools.push(pool);
    for (let count = 0; count < full; count += 1) await pool.work(`always-${count}`, WHOLE_NODE);
    await running(pool, full);
    return pool;
  }

  const claimsOf = async (pool: Pool) => (await pool.claims()).length;
  const sizesOf = ({ name, headstart }: Pool) =>
    Promise.all([name, `${name}-burst`].map(async (key) => (await headstart.headroom(key)).spec.replicas));

  testTogether({
    'slices of an alarm land on the free nodes of a floor, and come back on nodes of their own': async () => {
      const alarmName = `queue-deep-${pools.length}-${process.pid}`;
      const pool = await create(3, {
        cloudwatch: cloudwatch.url,
        beside: { burst: { max: 8, unit: { slice: { cpu: '1' } }, alarms: [{ alarmName, add: 4, hold: '10m' }] } },
      });
      const { headstart, minute } = pool;
      cloudwatch.setAlarm(alarmName, 'OK', minute(-9));
      await pool.tick(0);
      await pool.awaitHeadroom(3 + 4);
      expect([await sizesOf(pool), await claimsOf(pool)]).toEqual([[7, 0], 7]);

      cloudwatch.setAlarm(alarmName, 'ALARM', minute(1));
      await headstart.invoke('alarm', alarmChange(alarmName, 'ALARM', 'OK', minute(1)), minute(1));
      const slices = await pool.awaitHeadroom(4, 'burst');
      const floor = await pool.headroomPods();
      const floorNodes = floor.map(({ spec }) => spec.nodeName);
      expect(await sizesOf(pool)).toEqual([7, 4]);
      expect(slices.every(({ spec }) => floorNodes.includes(spec.nodeName))).toBe(true);
      expect(await settled(() => claimsOf(pool), QUIET_MS)).toBe(7);

      // The work of lunch takes the nodes of the floor, and the slices that were on them.
      for (let count = 0; count < 4; count += 1) await pool.work(`lunch-${count}`, { cpu: '3' });
      await running(pool, 3 + 4);
      await pool.awaitHeadroom(4, 'burst');
      expect((await pool.headroomPods()).filter(isRunning)).toHaveLength(7);
      // Three slices of 1 CPU to a node.
      expect([await sizesOf(pool), await settled(() => claimsOf(pool), QUIET_MS)]).toEqual([[7, 4], 7 + 2]);
    },

    'a lunch and an alarm that flaps add to the nodes that work has, and never to what they have added': async () => {
      const alarmName = `orders-high-${pools.length}-${process.pid}`;
      const [full, lunch, ofAlarm, hold, max] = [3, 4, 2, 3, 5];
      const pool = await create(full, {
        cloudwatch: cloudwatch.url,
        headroom: (minute) => ({
          max,
          leadTime: '0m',
          unit: FLOOR,
          schedules: [onceMore('lunch', minute(10), minute(20), lunch)],
          alarms: [{ alarmName, addNodes: ofAlarm, hold: `${hold}m` }],
        }),
      });
      const { headstart, minute } = pool;
      const rings = [
        [2, 4],
        [5, 6],
        [12, 14],
        [15, 16],
        [21, 22],
      ] as const;
      /** Worked out from when the lunch and the alarm are on, and the nodes that are full of work all the time. */
      const expected = (at: number) => {
        const isRinging = rings.some(([from, to]) => at >= from && at < to + hold);
        const added = (at >= 10 && at < 20 ? lunch : 0) + (isRinging ? ofAlarm : 0);
        return added === 0 ? 0 : full + Math.min(added, max);
      };
      cloudwatch.setAlarm(alarmName, 'OK', minute(-9));
      const seen: number[][] = [];
      let most = full;
      for (const at of [0, 2, 3, 4, 5, 6, 8, 9.5, 10, 12, 14, 15, 16, 18.5, 19.5, 20.5, 21, 22, 25.5]) {
        const state = rings.some(([from]) => from === at)
          ? 'ALARM'
          : rings.some(([, to]) => to === at)
            ? 'OK'
            : undefined;
        if (state) {
          cloudwatch.setAlarm(alarmName, state, minute(at));
          const change = alarmChange(alarmName, state, state === 'OK' ? 'ALARM' : 'OK', minute(at));
          await headstart.invoke('alarm', change, minute(at));
        } else await pool.tick(at);
        most = Math.max(most, expected(at));
        await pool.awaitHeadroom(expected(at));
        seen.push([at, (await headstart.headroom(pool.name)).spec.replicas, await claimsOf(pool), expected(at), most]);
      }
      for (const [at, size, claims, ...right] of seen) expect([at, size, claims]).toEqual([at, ...right]);
    },

    'a floor that a deploy moves to another NodePool counts there once': async () => {
      const [from, to] = [await create(3), await create(1)];
      const { headstart, name, minute } = from;
      await from.tick(0);
      await from.awaitHeadroom(3 + 4);
      await headstart.deploy({ [name]: { nodePool: to.name, ...LUNCH(minute) } });
      await from.tick(1);
      const landed = async () => {
        const [pods, nodes] = [await from.headroomPods(), nodesOf(await to.claims())];
        return pods.length === 1 + 4 && pods.every((pod) => isRunning(pod) && nodes.includes(pod.spec.nodeName ?? ''));
      };
      await eventually(landed, { what: 'the floor on the other NodePool', timeoutMs: PATIENCE_MS, intervalMs: 500 });
      await from.tick(2);
      const { counts = {}, nodePool } = await headstart.recordOf(name);
      expect([Object.values(counts).map(({ nodes }) => nodes), nodePool]).toEqual([[1], to.name]);
      expect([(await headstart.headroom(name)).spec.replicas, await claimsOf(to)]).toEqual([5, 5]);
    },
  });

  afterAll(async () => {
    await Promise.all(pools.map(({ remove }) => remove()));
    await cloudwatch?.close();
  });
});
