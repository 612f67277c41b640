import type { OverrideResponse } from '../../../shared/core/respond';
import { instanceIdOf, openEc2Lens } from '../functions/ec2-lens';
import { batch, stateChange } from '../functions/events';
import { onceWindow } from '../functions/virtual-time';
import type { Cluster } from '../harness/cluster';
import type { Gateway } from '../harness/gateway';
import { eventually } from '../harness/process/eventually';
import { describeCluster, sharedCluster } from '../harness/shared-cluster';
import { isRunning, type Pod, workDeployment } from '../workload/pods';
import { createPool, type NodeClaim, PATIENCE_MS, type Pool, type PoolOptions, settled } from '../workload/pool';
import { testTogether } from '../workload/testing-together';

const ONE_CPU = { unit: { node: { cpu: '1' } } };
/** What fits beside no headroom pod on a node of two CPUs, but in its place. */
const WORK = { cpu: '1500m' };
const TWO_CPUS = ['c-2x-amd64-linux', 's-2x-amd64-linux', 'm-2x-amd64-linux'];
/** Our own default: Karpenter leaves a node alone that was quiet for less. */
const QUIET = { consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: '5m' };
const AT_ONCE = { consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: '0s' };
const INSTANCE_TYPE = 'node.kubernetes.io/instance-type';
const patience = { timeoutMs: PATIENCE_MS, intervalMs: 250 };

const namesOf = (objects: readonly { metadata: { name: string } }[]) =>
  objects.map(({ metadata }) => metadata.name).sort();
const nodesOf = (pods: readonly Pod[]) => pods.map(({ spec }) => spec.nodeName ?? '').sort();
const uidsOf = (pods: readonly Pod[]) => pods.map(({ metadata }) => metadata.uid);

// As long as the patience of the stories.
jest.setTimeout(900_000);

describeCluster('headroom and Karpenter', () => {
  let cluster: Cluster;
  let lens: Gateway;
  const pools: Pool[] = [];
  const pool = async (options: PoolOptions) => {
    const created = await createPool(cluster, options);
    pools.push(created);
    return created;
  };

  beforeAll(async () => {
    cluster = await sharedCluster();
    lens = await openEc2Lens(cluster);
  });

  let lunch: Promise<Pool>;
  let shop: Promise<{ pool: Pool; work: readonly Pod[] }>;

  testTogether({
    'on an empty pool the node unit provisions exactly as many nodes as the window wants': async () => {
      lunch = openLunch();
      const { claims, headroomPods } = await lunch;
      expect(await claims()).toHaveLength(3);
      expect(new Set(nodesOf(await headroomPods())).size).toBe(3);
    },

    'each of them is the cheapest that fits the request': async () => {
      const types = (await (await lunch).claims()).map(({ metadata }) => metadata.labels?.[INSTANCE_TYPE]);
      expect(types).toEqual(Array(3).fill('c-2x-amd64-linux'));
    },

    'a node that has room takes a node unit, and only the others are provisioned': async () => {
      const { tick, work, workPods, claims, awaitHeadroom } = await pool({
        instanceTypes: ['c-8x-amd64-linux', 's-8x-amd64-linux'],
        disruption: QUIET,
        headroom: () => ({ base: 3, max: 3, unit: { node: WORK } }),
      });
      await work('first', WORK);
      await eventually(async () => (await workPods()).some(isRunning), patience);
      await tick(0);
      await awaitHeadroom(3);
      expect(await claims()).toHaveLength(3);
    },

    'after the window its nodes go, and their end is not taken for an interruption': async () => {
      const { tick, claims, headstart, name, minute } = await lunch;
      const instances = (await claims()).map(instanceOf);
      await tick(4);
      await eventually(async () => {
        const left = await claims();
        const going = instances.filter((id) => !left.some((claim) => instanceOf(claim) === id && !isGoing(claim)));
        // What EC2 says of every instance that Karpenter ends, while its NodeClaim goes and afterwards.
        const news = going.map((id) => stateChange(id, 'shutting-down', minute(4.5)));
        await headstart.invoke('interruption', batch(...news), minute(4.5));
        return left.length === 0;
      }, patience);
      expect((await headstart.recordOf(name)).surges).toEqual({});
      expect((await headstart.headroom(name)).spec.replicas).toBe(0);
    },

    'work takes the place of headroom on nodes that are there, and displaces nothing else': async () => {
      shop = openShop();
      const { pool, work } = await shop;
      expect((await pool.workPods()).filter(isRunning)).toHaveLength(work.length);
    },

    'displaced headroom is refilled, and growing headroom displaces no work': async () => {
      const { pool, work } = await shop;
      const refilled = await pool.awaitHeadroom(2);
      expect(nodesOf(work).filter((node) => nodesOf(refilled).includes(node))).toEqual([]);
      await pool.headstart.invoke('inflate', { headroom: pool.name, exactly: 4, for: '10m' }, pool.minute(2));
      await pool.awaitHeadroom(4);
      expect(uidsOf((await pool.workPods()).filter(isRunning)).sort()).toEqual(uidsOf(work).sort());
    },

    'under consolidation the headroom returns to what is wanted, and NodeClaims do not oscillate': async () => {
      const { tick, apply, name, claims, headroomPods, awaitHeadroom } = await pool({
        disruption: AT_ONCE,
        headroom: () => ({ base: 4, max: 4, unit: { slice: { cpu: '1', memory: '1Gi' } } }),
      });
      const busy = workDeployment('busy', name, { cpu: '1', memory: '1Gi' }, 10);
      await apply(busy);
      await tick(0);
      await awaitHeadroom(4);
      const crowded = namesOf(await claims());
      await apply({ ...busy, spec: { ...busy.spec, replicas: 1 } });
      const look = async () => ({
        claims: namesOf(await claims()),
        ready: namesOf((await headroomPods()).filter(isRunning)),
      });
      // Karpenter has done something, and then has nothing more to do in several of its rounds.
      await eventually(async () => JSON.stringify(namesOf(await claims())) !== JSON.stringify(crowded), patience);
      const end = await settled(look, 40_000);
      expect(end.ready).toHaveLength(4);
    },

    'with the limits reached the shortfall is reported, and work that fits still runs in the place of headroom':
      async () => {
        const { tick, claims, headroomPods, headstart, name, minute, work, workPods } = await pool({
          instanceTypes: TWO_CPUS,
          limits: { cpu: '4' },
          disruption: QUIET,
          // The kwok provider counts towards the limits what was asked for, not what the node has.
          headroom: () => ({ base: 4, max: 4, unit: { node: WORK } }),
        });
        await tick(0);
        const running = async () => (await headroomPods()).filter(isRunning);
        await eventually(async () => (await running()).length === 2, patience);
        await eventually(async () => (await headstart.headroom(name)).status.readyReplicas === 2, patience);
        await tick(1);
        const figures = { Headroom: name, DesiredHeadroom: 4, ReadyHeadroom: 2 };
        expect(headstart.linesOf('reconcile')).toContainEqual(expect.objectContaining(figures));
        const answer = await headstart.invoke<OverrideResponse>('inflate', { status: true }, minute(1));
        expect(answer).toMatchObject({ status: [{ headroom: name, wanted: 4, ready: 2, shortfall: 2 }] });

        await work('urgent', WORK);
        await eventually(async () => (await workPods()).filter(isRunning).length === 1, patience);
        expect(await claims()).toHaveLength(2);
        expect((await running()).length).toBeLessThanOrEqual(1);
      },

    'a disruption budget of 0 keeps the nodes after the window, and a larger one lets them go': async () => {
      const held = { ...AT_ONCE, budgets: [{ nodes: '0' }] };
      const { tick, claims, name, awaitHeadroom } = await pool({
        disruption: held,
        headroom: (minute) => ({
          max: 2,
          leadTime: '0m',
          ...ONE_CPU,
          schedules: [onceWindow('w', minute(0), minute(2), 2)],
        }),
      });
      await tick(1);
      await awaitHeadroom(2);
      await tick(3);
      await awaitHeadroom(0);
      expect(await settled(async () => namesOf(await claims()), 30_000)).toHaveLength(2);
      const patch = { spec: { disruption: { budgets: [{ nodes: '100%' }] } } };
      await cluster.admin.send(
        'PATCH',
        `/apis/karpenter.sh/v1/nodepools/${name}`,
        patch,
        'application/merge-patch+json',
      );
      await eventually(async () => (await claims()).length === 0, patience);
    },

    'a pod of a priority below -2^25 does not hold its node, one of headroom does': async () => {
      const { name, tick, apply, claims, workPods, awaitHeadroom } = await pool({
        instanceTypes: TWO_CPUS,
        disruption: { consolidationPolicy: 'WhenEmpty', consolidateAfter: '0s' },
        headroom: () => ({ base: 1, max: 1, unit: { node: WORK } }),
      });
      const low = { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name }, value: -1e9 };
      await cluster.admin.apply(low);
      await tick(0);
      const [kept] = await awaitHeadroom(1);
      const work = workDeployment('low', name, WORK);
      await apply({ ...work, spec: withPriority(work.spec, name) });
      const [lost] = await eventually(async () => {
        const running = (await workPods()).filter(isRunning);
        return running.length === 1 && running;
      }, patience);
      const nodes = async () => (await claims()).map(({ status }) => status.nodeName);
      await eventually(async () => !(await nodes()).includes(lost?.spec.nodeName), patience);
      await cluster.admin.remove(await cluster.admin.pathOf(low));
      await apply({ ...work, spec: { ...withPriority(work.spec, name), replicas: 0 } });
      expect(uidsOf(await awaitHeadroom(1))).toEqual([kept?.metadata.uid]);
      expect(await nodes()).toContain(kept?.spec.nodeName);
    },
  });

  afterAll(async () => {
    await Promise.all(pools.map(({ remove }) => remove()));
    await lens?.close();
  });

  /** A window of three nodes has opened, and they are there. */
  async function openLunch(): Promise<Pool> {
    const opened = await pool({
      disruption: { ...AT_ONCE, budgets: [{ nodes: '100%' }] },
      endpoint: lens.url,
      headroom: (minute) => ({
        max: 10,
        leadTime: '0m',
        ...ONE_CPU,
        schedules: [onceWindow('lunch', minute(1), minute(3), 3)],
        interruptions: { on: ['spot', 'stateChange'] },
      }),
    });
    await opened.tick(0);
    expect(await opened.claims()).toEqual([]);
    await opened.tick(1);
    await opened.awaitHeadroom(3);
    return opened;
  }

  /** One pod worked already, two more have come to two nodes of headroom. */
  async function openShop(): Promise<{ pool: Pool; work: readonly Pod[] }> {
    // On larger nodes the first pod and headroom may come to lie side by side, with room left that displaces nobody.
    const opened = await pool({
      instanceTypes: TWO_CPUS,
      disruption: QUIET,
      headroom: () => ({ base: 2, max: 4, ...ONE_CPU }),
    });
    await opened.work('first', WORK);
    await opened.tick(0);
    const displaced = await opened.awaitHeadroom(2);
    const before = namesOf(await cluster.admin.list('/api/v1/nodes'));
    const first = await eventually(async () => (await opened.workPods()).find(isRunning), patience);
    await Promise.all([opened.work('second', WORK), opened.work('third', WORK)]);
    const work = await eventually(async () => {
      const running = (await opened.workPods()).filter(isRunning);
      return running.length === 3 && running;
    }, patience);
    expect(uidsOf(work)).toContain(first.metadata.uid);
    for (const node of nodesOf(work)) expect(before).toContain(node);
    const left = uidsOf(await opened.headroomPods());
    expect(uidsOf(displaced).filter((uid) => left.includes(uid))).toEqual([]);
    return { pool: opened, work };
  }
});

function instanceOf({ status }: NodeClaim): string {
  return instanceIdOf(status.providerID?.replace('kwok://', '') ?? '');
}

function isGoing({ metadata }: NodeClaim): boolean {
  return metadata.deletionTimestamp !== undefined;
}

function withPriority<T extends { template: { spec: object } }>(spec: T, priorityClassName: string): T {
  return { ...spec, template: { ...spec.template, spec: { ...spec.template.spec, priorityClassName } } };
}
