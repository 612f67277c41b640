import { randomUUID } from 'node:crypto';
import { HEADROOM_LABEL, KARPENTER_NODEPOOL_LABEL } from '../../../shared/core/basics/names';
import { heartbeat } from '../functions/events';
import { type Installation, install } from '../functions/installation';
import { onceWindow, virtualTime } from '../functions/virtual-time';
import type { KubeObject } from '../harness/api-client';
import type { Cluster } from '../harness/cluster';
import { kwokNodeClass, nodePool } from '../harness/manifests';
import { eventually } from '../harness/process/eventually';
import { describeCluster, sharedCluster } from '../harness/shared-cluster';
import { isRunning, podsOf } from '../workload/pods';
import { PATIENCE_MS } from '../workload/pool';

const CLAIMS = '/apis/karpenter.sh/v1/nodeclaims';
const POOLS = '/apis/karpenter.sh/v1/nodepools';
const NODES = 5;
const MORE = 6;
const OPENS = 60;
const START_MINUTES = 7;

interface NodeClaim extends KubeObject {
  readonly metadata: KubeObject['metadata'] & { readonly creationTimestamp: string };
  readonly status?: { readonly conditions?: readonly { type: string; status: string; lastTransitionTime: string }[] };
}

describeCluster('lead times that are learned', () => {
  const minute = virtualTime();
  const id = randomUUID().slice(0, 8);
  const pools = { quick: `quick-${id}`, slow: `slow-${id}`, idle: `idle-${id}` };
  const delays = { [pools.quick]: '20s', [pools.slow]: '90s', [pools.idle]: '20s' };
  let cluster: Cluster;
  let headstart: Installation;

  beforeAll(async () => {
    cluster = await sharedCluster();
    for (const [name, delay] of Object.entries(delays)) {
      await cluster.admin.apply(kwokNodeClass(name, delay));
      await cluster.admin.apply(
        nodePool({
          name,
          nodeClass: name,
          instanceTypes: ['c-4x-amd64-linux'],
        }),
      );
    }
    const window = onceWindow('peak', minute(OPENS), minute(OPENS + 30), MORE);
    const pool = (base: number) => ({
      base,
      max: 8,
      unit: { node: { cpu: 3 } },
      leadTime: { auto: { min: '1m', max: '10m', start: `${START_MINUTES}m` } },
      schedules: [window],
    });
    const nodePools = { [pools.quick]: pool(NODES), [pools.slow]: pool(NODES), [pools.idle]: pool(0) };
    headstart = await install(cluster, { nodePools });
  });

  afterAll(async () => {
    await headstart?.remove();
    for (const name of Object.keys(delays)) {
      await cluster.admin.remove(`${POOLS}/${name}`);
      await eventually(async () => (await claimsOf(name)).length === 0, {
        what: `the end of ${name}`,
        timeoutMs: PATIENCE_MS,
      });
      await cluster.admin.remove(`/apis/karpenter.kwok.sh/v1alpha1/kwoknodeclasses/${name}`);
    }
  });

  const tick = (at: number) => headstart.invoke('reconcile', heartbeat(minute(at)), minute(at));
  const sizeOf = async (pool: string) => (await headstart.headroom(pool)).spec.replicas;
  const claimsOf = async (pool: string) =>
    (await cluster.admin.list<NodeClaim>(CLAIMS)).filter(
      ({ metadata }) => metadata.labels?.[KARPENTER_NODEPOOL_LABEL] === pool,
    );
  const awaitReady = (pool: string, count: number) =>
    eventually(
      async () => {
        const pods = await podsOf(cluster, headstart.namespace, `${HEADROOM_LABEL}=${pool}`);
        const { readyReplicas } = (await headstart.headroom(pool)).status;
        return pods.filter(isRunning).length === count && readyReplicas === count;
      },
      { what: `${count} nodes of ${pool}`, timeoutMs: PATIENCE_MS, intervalMs: 500 },
    );
  /** How long the nodes of a pool took, by Karpenter's own word. */
  async function secondsOf(pool: string): Promise<readonly number[]> {
    const claims = await claimsOf(pool);
    return claims.map(({ metadata, status }) => {
      const done = status?.conditions?.find(({ type, status: met }) => type === 'Initialized' && met === 'True');
      return (Date.parse(done?.lastTransitionTime ?? '') - Date.parse(metadata.creationTimestamp)) / 1_000;
    });
  }
  const sorted = (values: readonly number[]) => [...values].sort((a, b) => a - b);

  test('each NodePool learns its own within five nodes, and its window opens that much earlier', async () => {
    await tick(0);
    // A pod may run on its node a moment before Karpenter calls the node initialized.
    const initialized = async (pool: string) => (await secondsOf(pool)).filter(Number.isFinite).length === NODES;
    const patience = { what: 'the first nodes', timeoutMs: PATIENCE_MS, intervalMs: 500 };
    for (const pool of [pools.quick, pools.slow]) await eventually(() => initialized(pool), patience);
    // Among ten heartbeats one looks.
    for (let at = 1; at <= 10; at += 1) await tick(at);
    const learned = new Map<string, number>();
    for (const pool of [pools.quick, pools.slow]) {
      const seconds = await secondsOf(pool);
      const { nodeStarts = {} } = await headstart.recordOf(pool);
      expect(sorted(Object.values(nodeStarts))).toEqual(sorted(seconds));
      expect(seconds).toHaveLength(NODES);
      learned.set(pool, Math.ceil(Math.max(...seconds) / 60));
    }
    expect(Math.min(...(await secondsOf(pools.slow)))).toBeGreaterThanOrEqual(90);
    expect(learned.get(pools.slow)).toBeGreaterThan(learned.get(pools.quick) ?? Number.NaN);

    const asked = new Map<string, number>();
    for (let at = OPENS - START_MINUTES - 3; at <= OPENS; at += 1) {
      await tick(at);
      for (const pool of Object.values(pools))
        if (!asked.has(pool) && (await sizeOf(pool)) === MORE) asked.set(pool, OPENS - at);
    }
    expect(Object.fromEntries(asked)).toEqual({
      [pools.quick]: (learned.get(pools.quick) ?? 0) + 1,
      [pools.slow]: (learned.get(pools.slow) ?? 0) + 1,
      // It never had a node before.
      [pools.idle]: START_MINUTES + 1,
    });
  });

  test('an occurrence is ready once its nodes are', async () => {
    await Promise.all([pools.quick, pools.slow].map((pool) => awaitReady(pool, MORE)));
    await tick(OPENS + 1);
    for (const pool of [pools.quick, pools.slow])
      expect(Object.values((await headstart.recordOf(pool)).requests ?? {})).toMatchObject([
        { nodes: NODES, took: expect.any(Number), ready: expect.any(String) },
      ]);
  });
});
