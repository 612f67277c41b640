import { KARPENTER_NODEPOOL_LABEL } from '../../../shared/core/basics/names';
import { parseQuantity } from '../../../shared/core/config/schema/quantity';
import { ANNOTATIONS } from '../../../shared/core/manifests/annotations';
import type { Cluster } from '../harness/cluster';
import { eventually } from '../harness/process/eventually';
import { describeCluster, sharedCluster } from '../harness/shared-cluster';
import { nodesOf, running } from '../workload/floor-stories';
import { workPod } from '../workload/pods';
import { createPool, PATIENCE_MS, type Pool, settled } from '../workload/pool';
import { testTogether } from '../workload/testing-together';

const APP = { app: 'work' };
const SPREAD = {
  maxSkew: 1,
  topologyKey: 'topology.kubernetes.io/zone',
  whenUnsatisfiable: 'DoNotSchedule',
  labelSelector: { matchLabels: APP },
};
/** The taint of the NodePool, which the workload tolerates. */
const TAINT = { key: 'dedicated', value: 'shop', effect: 'NoSchedule' };
const NEVER = { consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: 'Never' };
const patience = { timeoutMs: PATIENCE_MS, intervalMs: 250 };
/** After a change Karpenter's nodes are awaited for as long, so that one too many would be seen. */
const QUIET_MS = 20_000;

/** A service of so many pods, as an autoscaler writes it. Paused, it makes no pods, so that only headroom needs nodes. */
function checkout(replicas: number, cpu = '500m', paused = true) {
  const { spec } = workPod('checkout', '', { cpu, memory: '256Mi' });
  const { nodeSelector: _none, ...rest } = spec;
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'checkout' },
    spec: {
      paused,
      replicas,
      selector: { matchLabels: APP },
      template: {
        metadata: { labels: APP },
        spec: { ...rest, tolerations: [{ ...TAINT, operator: 'Equal' }], topologySpreadConstraints: [SPREAD] },
      },
    },
  };
}

/** A StatefulSet on one NodePool. */
function ordersSet(replicas: number, image: string, nodePool: string) {
  const { spec, ...rest } = checkout(replicas, '500m', false);
  const { containers, ...podSpec } = spec.template.spec;
  const nodeSelector = { [KARPENTER_NODEPOOL_LABEL]: nodePool };
  const template = {
    ...spec.template,
    spec: { ...podSpec, nodeSelector, containers: containers.map((one) => ({ ...one, image })) },
  };
  return {
    ...rest,
    kind: 'StatefulSet',
    metadata: { name: 'orders' },
    spec: { replicas, serviceName: 'orders', podManagementPolicy: 'Parallel', selector: spec.selector, template },
  };
}

jest.setTimeout(2 * PATIENCE_MS);

describeCluster('a headroom for a workload', () => {
  let cluster: Cluster;
  const pools: Pool[] = [];

  const open = async (headroom: object, found: object | undefined, like: object = {}) => {
    const pool = await createPool(cluster, {
      disruption: NEVER,
      taints: [TAINT],
      headroom: (_minute, namespace) => ({
        max: 200,
        unit: { like: { kind: 'Deployment', namespace, name: 'checkout', ...like } },
        ...headroom,
      }),
    });
    pools.push(pool);
    if (found) await pool.apply(found as Parameters<Pool['apply']>[0]);
    return pool;
  };
  const headroomOf = async ({ headstart, name }: Pool) => {
    const { metadata, spec } = await headstart.headroom(name);
    return {
      replicas: spec.replicas,
      version: metadata.resourceVersion,
      generation: metadata.generation,
      metadata,
      spec,
    };
  };
  const sizeOf = async (pool: Pool) => (await headroomOf(pool)).replicas;
  const kept = async (pool: Pool) =>
    JSON.parse((await headroomOf(pool)).metadata.annotations?.[ANNOTATIONS.like] ?? '{}');
  const nodes = async (pool: Pool) => (await pool.claims()).length;

  beforeAll(async () => {
    cluster = await sharedCluster();
  });

  afterAll(() => Promise.all(pools.map((pool) => pool.remove())));

  testTogether({
    'a share follows what an autoscaler writes by its rule, with few writes': async () => {
      const pool = await open({ base: '25%' }, checkout(8, '500m'));
      await pool.tick(0);
      expect([await sizeOf(pool), (await kept(pool)).shape]).toEqual([
        1,
        expect.objectContaining({
          pods: 4,
          requests: { cpu: '500m', memory: '256Mi' },
          spreads: [{ maxSkew: 1, topologyKey: SPREAD.topologyKey }],
        }),
      ]);
      await pool.apply(checkout(40, '500m'));
      await pool.tick(1);
      expect(await sizeOf(pool)).toBe(3);
      await pool.awaitHeadroom(3);
      let writes = 0;
      const beat = async (minute: number, replicas: number) => {
        await pool.apply(checkout(replicas, '500m'));
        const annotations = () => headroomOf(pool).then(({ metadata }) => JSON.stringify(metadata.annotations));
        const before = await annotations();
        await pool.tick(minute);
        if ((await annotations()) !== before) writes += 1;
        return sizeOf(pool);
      };
      const sizes: number[] = [];
      for (let minute = 2; minute < 22; minute += 1) sizes.push(await beat(minute, minute % 2 === 0 ? 8 : 40));
      expect(sizes.every((size) => size === 3)).toBe(true);
      // Two in five minutes of twenty.
      expect(writes).toBeLessThanOrEqual(8);
      for (let minute = 22; minute < 34; minute += 1) sizes.push(await beat(minute, 8));
      expect(sizes.at(-1)).toBe(1);
      const settledAt = writes;
      for (let minute = 34; minute < 44; minute += 1) await beat(minute, 8);
      expect(writes).toBe(settledAt);
    },

    'a burst of its pods runs on the nodes that are kept for them, and without any has to wait for its own':
      async () => {
        const onKeptNodes = async (base: number) => {
          const pool = await open({ base }, checkout(0));
          await pool.tick(0);
          await pool.awaitHeadroom(base / 4);
          const keptNodes = nodesOf(await pool.claims());
          const { spec, ...rest } = checkout(40, '500m', false);
          // The stories share their taint: without a selector it would run on the nodes of the others.
          const podSpec = { ...spec.template.spec, nodeSelector: { [KARPENTER_NODEPOOL_LABEL]: pool.name } };
          await pool.apply({ ...rest, spec: { ...spec, template: { ...spec.template, spec: podSpec } } });
          const pods = await running(pool, 40);
          return pods.filter(({ spec }) => keptNodes.includes(spec.nodeName ?? '')).length;
        };
        // The zones of the nodes may be such that the spread of the last ones needs other nodes.
        expect(await onKeptNodes(40)).toBeGreaterThan(20);
        expect(await onKeptNodes(0)).toBe(0);
      },

    'room for a StatefulSet has the shape of its pods and follows its replicas, whatever image they run': async () => {
      const pool = await open({ base: '50%' }, undefined, { kind: 'StatefulSet', name: 'orders' });
      const orders = (replicas: number, image: string) => pool.apply(ordersSet(replicas, image, pool.name));
      await orders(8, 'work');
      await running(pool, 8);
      await pool.tick(0);
      const [first] = await pool.awaitHeadroom(1);
      expect((await kept(pool)).shape).toMatchObject({ pods: 4, requests: { cpu: '500m', memory: '256Mi' } });
      await orders(8, 'work:2');
      await pool.tick(1);
      expect((await pool.awaitHeadroom(1))[0]?.metadata.uid).toBe(first?.metadata.uid);

      await orders(12, 'work:2');
      await running(pool, 12);
      await pool.tick(2);
      await pool.awaitHeadroom(2);
      expect((await kept(pool)).base.replicas).toBe(12);
    },

    'smaller requests roll the pause pods once, onto the nodes that are there, and larger ones buy what their sum needs':
      async () => {
        const pool = await open({ base: 16 }, checkout(16, '1'));
        await pool.tick(0);
        await pool.awaitHeadroom(8);
        const [before, first] = [await settled(() => nodes(pool), QUIET_MS), await headroomOf(pool)];
        await pool.apply(checkout(16, '900m'));
        await pool.tick(1);
        await pool.awaitHeadroom(8);
        await pool.tick(2);
        expect((await headroomOf(pool)).generation).toBe(first.generation + 1);
        expect(await settled(() => nodes(pool), QUIET_MS)).toBe(before);

        await pool.apply(checkout(16, '1900m'));
        await pool.tick(3);
        await pool.awaitHeadroom(16);
        const cpus = await cluster.admin.list<{
          metadata: { labels?: Record<string, string> };
          status: { allocatable?: { cpu?: string } };
        }>('/api/v1/nodes');
        const ours = cpus.filter(({ metadata }) => metadata.labels?.['karpenter.sh/nodepool'] === pool.name);
        const total = ours.reduce((sum, { status }) => sum + (parseQuantity(status.allocatable?.cpu ?? '') ?? 0), 0);
        expect(total).toBeGreaterThanOrEqual(16 * 1.9);
      },

    'a workload that is deleted and created again keeps its room meanwhile': async () => {
      const pool = await open({ base: '25%' }, checkout(40, '500m'));
      await pool.tick(0);
      await pool.awaitHeadroom(3);
      const template = async () => (await headroomOf(pool)).metadata.annotations?.[ANNOTATIONS.template];
      const before = await template();
      await cluster.admin.remove(`/apis/apps/v1/namespaces/work-${pool.name}/deployments/checkout`);
      await pool.tick(1);
      await pool.tick(2);
      await expect(pool.tick(3)).rejects.toThrow(/does not exist/);
      expect(await sizeOf(pool)).toBe(3);
      await pool.apply(checkout(80, '500m'));
      await pool.tick(4);
      expect([await sizeOf(pool), (await kept(pool)).unread]).toEqual([5, undefined]);
      expect(await template()).toBe(before);
    },

    'another workload under the same key starts anew, and only named ones may be read': async () => {
      const pool = await open({ base: '25%' }, checkout(40, '500m'));
      await pool.tick(0);
      const other = { ...checkout(400, '1'), metadata: { name: 'search' } };
      await pool.apply(other);
      await pool.headstart.deploy({
        [pool.name]: { max: 900, base: '25%', unit: { like: `work-${pool.name}/search` } },
      });
      const isRead = async () => {
        await pool.tick(1);
        return (await kept(pool)).shape !== undefined;
      };
      await eventually(isRead, { ...patience, what: 'the right to read the other workload' });
      expect([await sizeOf(pool), (await kept(pool)).base.replicas]).toEqual([50, 400]);
    },
  });
});
