import { randomUUID } from 'node:crypto';
import { ANNOTATIONS } from '../../shared/core/manifests/annotations';
import { startCloudWatch } from './functions/cloudwatch';
import { heartbeat } from './functions/events';
import { type Installation, install } from './functions/installation';
import { addInstances, removeInstances } from './functions/instances';
import { onceMore, virtualTime } from './functions/virtual-time';
import type { Cluster } from './harness/cluster';
import { eventually } from './harness/eventually';
import { type Call, type Fate, type Gateway, type GatewayOptions, openGateway } from './harness/gateway';
import { nodePool } from './harness/manifests';
import { describeCluster, sharedCluster } from './harness/shared-cluster';

const RACERS = 4;
const MERGE_PATCH = 'application/merge-patch+json';
const FOUR_CPUS = { 'karpenter.kwok.sh/instance-cpu': '4' };

const isCount = ({ method, url }: Call) => method === 'GET' && url.includes('/nodeclaims');
/** An apply that meets the controllers' status update is refused, and comes again. */
const isStored = ({ method, status = 500 }: Call) => method === 'PATCH' && status < 300;
const isWrite = ({ method, url }: Call) => method !== 'GET' && url.includes('/deployments');

describeCluster('the count of an occurrence that adds six nodes', () => {
  const minute = virtualTime();
  let cluster: Cluster;
  let gateway: Gateway | undefined;
  let headstart: Installation;
  let pool: string;
  let nodes = 0;

  beforeAll(async () => {
    cluster = await sharedCluster();
  });

  beforeEach(async () => {
    pool = `counted-${randomUUID().slice(0, 8)}`;
    await cluster.admin.apply(nodePool({ name: pool, nodeClass: 'none' }));
    await addNodes(10);
  });

  afterEach(async () => {
    await headstart?.remove();
    await gateway?.close();
    await removeInstances(cluster, pool);
    await cluster.admin.remove(`/apis/karpenter.sh/v1/nodepools/${pool}`);
  });

  async function addNodes(count: number): Promise<void> {
    const ids = Array.from({ length: count }, (_, index) => `i-0node${nodes + index}`);
    nodes += count;
    await addInstances(cluster, pool, ids, FOUR_CPUS);
  }
  async function installed(options: GatewayOptions): Promise<void> {
    gateway = await openGateway(cluster, options);
    const window = onceMore('lunch', minute(5), minute(60), 6);
    const floor = { max: 6, leadTime: '0m', unit: { floor: { cpu: 4 } }, schedules: [window] };
    headstart = await install(cluster, { nodePools: { [pool]: floor }, endpoint: gateway.url });
  }
  const reconcile = (at: number) => headstart.invoke('reconcile', heartbeat(minute(at)), minute(at));
  /** The count that is kept, and the size that was decided with it. */
  async function kept(): Promise<{ counts: readonly number[]; size: number }> {
    const { counts: recorded = {} } = await headstart.recordOf(pool);
    const counts = Object.values(recorded).map(({ nodes }) => nodes);
    return { counts, size: (await headstart.headroom(pool)).spec.replicas };
  }

  test.each([
    { headroom: 'does not exist yet', before: [] },
    { headroom: 'exists', before: [1] },
  ])(
    'is one for functions that race, each with a count of its own, where the headroom $headroom',
    async ({ before }) => {
      let [counted, racing] = [0, false];
      await installed({
        // Nobody writes before all have counted, and after each count there is one node more.
        fateOf: async (call): Promise<Fate> => {
          if (racing && isWrite(call)) await eventually(() => counted >= RACERS);
          return 'passes';
        },
        answered: async (call) => {
          if (!isCount(call)) return;
          counted += 1;
          await addNodes(1);
        },
      });
      for (const at of before) await reconcile(at);
      expect(counted).toBe(0);
      racing = true;
      const racers = await Promise.all(Array.from({ length: RACERS }, () => headstart.start('reconcile')));
      await Promise.all(racers.map((racer) => racer.invoke(heartbeat(minute(5)), minute(5))));
      const agreed = await kept();
      expect(agreed).toEqual({ counts: [expect.any(Number)], size: (agreed.counts[0] ?? 0) + 6 });
      await reconcile(6);
      expect(await kept()).toEqual(agreed);
    },
  );

  test.each<{ killed: string; when: (call: Call) => boolean; count: number }>([
    { killed: 'after it has counted', when: isCount, count: 12 },
    { killed: 'after its apply was stored', when: isStored, count: 10 },
  ])('is one when a function is killed $killed', async ({ when, count }) => {
    let kill = async () => {};
    await installed({
      answered: async (call) => {
        if (when(call)) await kill();
      },
    });
    const doomed = await headstart.start('reconcile');
    kill = doomed.stop;
    await expect(doomed.invoke(heartbeat(minute(5)), minute(5))).rejects.toThrow('has ended');
    kill = async () => {};
    await addNodes(2);
    for (const at of [6, 7]) {
      await reconcile(at);
      expect(await kept()).toEqual({ counts: [count], size: count + 6 });
      await addNodes(1);
    }
  });

  test('that is lost again and again while an alarm adds nodes never makes the floor larger', async () => {
    const cloudwatch = await startCloudWatch();
    cloudwatch.setAlarm('p95-high', 'ALARM', minute(4));
    const floor = {
      ...{ max: 20, leadTime: '0m', unit: { floor: { cpu: 4 } } },
      schedules: [onceMore('lunch', minute(5), minute(60), 6)],
      alarms: [{ alarmName: 'p95-high', add: 5, hold: '2m' }],
    };
    headstart = await install(cluster, { nodePools: { [pool]: floor }, cloudwatch: cloudwatch.url });
    const sizes: number[] = [];
    for (const at of [5, 6, 7, 8, 9, 10]) {
      await reconcile(at);
      sizes.push((await kept()).size);
      const { counts: _lost, ...record } = await headstart.recordOf(pool);
      const annotations = { [ANNOTATIONS.record]: JSON.stringify({ ...record, counts: 'lost' }) };
      await cluster.admin.send('PATCH', headstart.pathOf(pool), { metadata: { annotations } }, MERGE_PATCH);
    }
    await cloudwatch.close();
    expect(sizes).toEqual([21, 21, 21, 21, 21, 21]);
  });
});
