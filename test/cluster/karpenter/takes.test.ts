import { deploy, tickEvent, windowEdge } from '../../../shared/core/events/heartbeat-and-edges';
import { clusterObjects } from '../../../shared/core/manifests/cluster-object-manifests';
import { heartbeat } from '../functions/events';
import type { FunctionProcess } from '../functions/function-process';
import { podDeletions } from '../harness/audit';
import type { Cluster } from '../harness/cluster';
import { eventually } from '../harness/process/eventually';
import { describeCluster, sharedCluster } from '../harness/shared-cluster';
import { drainNode, loseNode } from '../workload/lost-nodes';
import { isRunning, type Pod, workDeployment, workPod } from '../workload/pods';
import { createPool, PATIENCE_MS, type Pool, type PoolOptions, settled } from '../workload/pool';
import { FOUR_CPUS } from '../workload/step';
import { eventsIn, preemptionsIn, takesIn, unitsIn, victimsIn } from '../workload/takes';
import { testTogether } from '../workload/testing-together';

const SLICES = 24;
const HALF_CPU = { cpu: '500m' };
/** Nodes of 16 pod slots. */
const SMALL = ['c-1x-amd64-linux'];
/** Two of them take a node that no other pod fits on. */
const HALF_A_NODE = { cpu: '1900m' };
const A_NODE = { cpu: '3500m' };
/** A preemption counts once it is 10 s old. */
const LATER_MS = 15_000;
const MINUTE = 60_000;
const NEVER = { consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: 'Never' };
const patience = { timeoutMs: PATIENCE_MS, intervalMs: 250 };

const placesOf = (pods: readonly Pod[]) =>
  pods
    .filter(isRunning)
    .map(({ metadata, spec }) => `${metadata.uid} on ${spec.nodeName}`)
    .sort();
/** As they are at some time after a burst: Events carry the machine's time. */
const later = (moreMs = 0) => new Date(Date.now() + LATER_MS + moreMs).toISOString();

jest.setTimeout(2 * PATIENCE_MS);

describeCluster('what work takes, and wake-ups', () => {
  let cluster: Cluster;
  const pools: Pool[] = [];

  const open = async (
    headroom: { readonly base: number; readonly unit: object },
    options: Partial<PoolOptions> = {},
  ) => {
    const pool = await createPool(cluster, {
      disruption: NEVER,
      ...options,
      headroom: () => ({ ...headroom, max: headroom.base }),
    });
    pools.push(pool);
    await pool.tick(0);
    await pool.awaitHeadroom(headroom.base);
    return pool;
  };
  const openSlices = () => open({ base: SLICES, unit: { slice: HALF_CPU } });
  const burst = ({ name }: Pool, count: number, requests: Readonly<Record<string, string>>) =>
    Promise.all(
      Array.from({ length: count }, (_, index) =>
        cluster.admin.send('POST', `/api/v1/namespaces/work-${name}/pods`, workPod(`pod-${index}`, name, requests)),
      ),
    );
  const events = (pool: Pool, wanted: string) => eventsIn(cluster, pool, wanted);
  const preempted = (pool: Pool, least: number) =>
    eventually(async () => (await events(pool, 'Preempted')).length >= least, patience);
  const deletions = ({ headstart: { namespace } }: Pool) =>
    podDeletions(cluster.logOf, namespace).filter((line) => line.includes(`by headstart-${namespace} `));
  const send = ({ headstart }: Pool, event: { readonly time: string }) =>
    headstart.invoke('reconcile', event, Date.parse(event.time));

  const victims = (pool: Pool) => victimsIn(cluster, pool);
  /** Waits until there is an Event for each pause pod that work took the place of. */
  const told = (pool: Pool) =>
    eventually(async () => (await preemptionsIn(cluster, pool)).length >= victims(pool).length, patience);
  /** Work comes, one pod after the other, until one of them has taken the place of a pause pod: a node may be free. */
  const take = async (pool: Pool) => {
    for (const before = victims(pool).length; victims(pool).length === before; ) {
      const { metadata } = await pool.work(`work-${(await pool.workPods()).length}`, A_NODE);
      const work = async () => (await pool.workPods()).find((pod) => pod.metadata.uid === metadata.uid);
      await eventually(async () => (await work())?.status.phase === 'Running', patience);
    }
    return told(pool);
  };
  const openNodes = (slice: object) => open({ base: 4, unit: { slice } }, { instanceTypes: FOUR_CPUS });
  const units = ({ headstart }: Pool, another?: FunctionProcess) =>
    unitsIn([...headstart.linesOf('reconcile'), ...(another?.lines ?? [])]);
  const beat = (pool: Pool, moreMs = 0) => send(pool, heartbeat(Date.parse(later(moreMs))));

  beforeAll(async () => {
    cluster = await sharedCluster();
  });

  afterAll(() => Promise.all(pools.map((pool) => pool.remove())));

  testTogether({
    'after a burst a heartbeat that comes twice counts each victim once and deletes one pause pod, all pods run and ready is back':
      async () => {
        const pool = await openSlices();
        await burst(pool, SLICES, HALF_CPU);
        await preempted(pool, SLICES / 2);
        await pool.awaitHeadroom(SLICES);
        // On a busy machine kube-scheduler may not be through with the burst when the first refill is there.
        await settled(async () => victims(pool).length, 5_000);
        const moved = async () => {
          const there = placesOf(await pool.workPods());
          return placed.filter((place) => !there.includes(place));
        };
        const placed = placesOf(await pool.workPods());
        await told(pool);

        await send(pool, tickEvent(windowEdge, later()));
        await send(pool, tickEvent(deploy, later()));
        expect(deletions(pool)).toEqual([]);

        const tick = heartbeat(Date.parse(later()));
        const another = await pool.headstart.start('reconcile');
        await Promise.all([send(pool, tick), another.invoke(tick, Date.parse(tick.time))]);
        await send(pool, tick);
        expect(units(pool, another)).toBe(victims(pool).length);
        expect(deletions(pool)).toEqual([expect.stringMatching(/: 200$/)]);
        expect(await events(pool, 'Woken')).toMatchObject([
          { regarding: { kind: 'Deployment', name: `headroom-${pool.name}` } },
        ]);
        await eventually(async () => (await pool.workPods()).filter(isRunning).length === SLICES, patience);
        await pool.awaitHeadroom(SLICES);
        expect(await moved()).toEqual([]);
        // Neither the pod that Headstart deleted nor its replacement was taken.
        await told(pool);
        await beat(pool);
        expect(units(pool, another)).toBe(victims(pool).length);
      },

    'in singles each is counted once, however often heartbeats come and however long they are missing': async () => {
      const pool = await openNodes(A_NODE);
      const another = await pool.headstart.start('reconcile');
      await take(pool);
      const tick = heartbeat(Date.parse(later()));
      await Promise.all([send(pool, tick), another.invoke(tick, Date.parse(tick.time))]);
      await send(pool, tick);
      expect(units(pool, another)).toBe(1);

      // The room is gone when the next heartbeat comes, and what was taken of it counts all the same.
      await pool.awaitHeadroom(4);
      await take(pool);
      const inflate = (order: object) =>
        pool.headstart.invoke('inflate', { headroom: pool.name, ...order }, Date.now() + LATER_MS);
      await inflate({ exactly: 0, for: '30m' });
      await pool.awaitHeadroom(0);
      await beat(pool);
      expect(units(pool, another)).toBe(2);

      await inflate({ release: true });
      await pool.awaitHeadroom(4);
      await take(pool);
      await pool.awaitHeadroom(4);
      await take(pool);
      await beat(pool, 7 * MINUTE);
      await beat(pool, 7 * MINUTE);
      expect([units(pool, another), victims(pool).length]).toEqual([4, 4]);
      expect(takesIn(pool.headstart.linesOf('reconcile')).every(({ pods, units }) => pods === units)).toBe(true);
    },

    'pause pods that leave a drained node or a lost one were not taken, those that work on its way took were':
      async () => {
        const pool = await openNodes(HALF_A_NODE);
        const { namespace } = pool.headstart;
        const nodesOf = (pods: readonly Pod[]) => pods.map(({ spec }) => spec.nodeName ?? '');
        const someNode = async () => nodesOf(await pool.headroomPods())[0] ?? '';
        const left = async (node: string) => {
          await eventually(async () => !nodesOf(await pool.headroomPods()).includes(node), patience);
          await pool.awaitHeadroom(4);
          await beat(pool);
        };
        const drained = await someNode();
        await drainNode(cluster, drained, namespace);
        await left(drained);
        const lost = await someNode();
        await loseNode(cluster, lost);
        await left(lost);
        expect([units(pool), victims(pool)]).toEqual([0, []]);

        // Where Karpenter drains, work takes room elsewhere, or comes to a node of its own.
        await pool.apply(workDeployment('moving', pool.name, HALF_A_NODE));
        const at = async () => nodesOf((await pool.workPods()).filter(isRunning));
        const [from = ''] = await eventually(async () => (await at()).length === 1 && at(), patience);
        const claim = (await pool.claims()).find(({ status }) => status.nodeName === from);
        await cluster.admin.remove(`/apis/karpenter.sh/v1/nodeclaims/${claim?.metadata.name}`);
        await eventually(async () => (await at()).length === 1 && !(await at()).includes(from), patience);
        await pool.awaitHeadroom(4);
        await told(pool);
        await beat(pool);
        expect(victims(pool)).not.toEqual([]);
        expect(units(pool)).toBe(victims(pool).length);
      },

    'pods of a floor are not deleted, whatever was preempted': async () => {
      const pool = await open({ base: 3, unit: { floor: { cpu: 1 } } }, { instanceTypes: SMALL });
      await burst(pool, 3 * 16, { cpu: '1m' });
      await preempted(pool, 2);
      await pool.awaitHeadroom(3);
      await beat(pool);
      expect(deletions(pool)).toEqual([]);
      expect(await events(pool, 'Woken')).toEqual([]);
    },

    'without the rights nothing is deleted, and nothing is said': async () => {
      const pool = await openSlices();
      const { namespace, linesOf } = pool.headstart;
      for (const manifest of clusterObjects(namespace, { wakeUp: false })) await cluster.admin.apply(manifest);
      await burst(pool, SLICES, HALF_CPU);
      await preempted(pool, SLICES / 2);
      await pool.awaitHeadroom(SLICES);
      await beat(pool);
      expect(deletions(pool)).toEqual([]);
      expect(await events(pool, 'Woken')).toEqual([]);
      expect(linesOf('reconcile').filter(({ level }) => level === 'warn' || level === 'error')).toEqual([]);
    },
  });
});
