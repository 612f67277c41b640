import type { StartedSource } from '../../../console/sources/console-source';
import { startRealCluster } from '../../../console/sources/start-real-cluster';
import { loopbackConnection } from '../../../shared/adapters/kube/connection';
import { createSimulatedCluster, type SimulatedCluster } from '../../../simulator/engine/simulated-cluster';
import { DEPLOYMENTS, NAMESPACES, NODES, PODS, PRIORITY_CLASSES } from '../../../simulator/kube/kinds';
import { type KubeServer, serveKube } from '../../../simulator/kube/rest/http-server';
import { eventually } from '../../simulator/run/eventually';
import { configOf } from '../../simulator/run/simulations';

jest.setTimeout(120_000);

const CONFIG = configOf(`
cluster: { name: theirs, region: ap-northeast-2 }
nodePools:
  default:
    max: 5
    base: 2
    alarms: [{ alarmName: orders-high, add: 1 }]
`);

let cluster: SimulatedCluster;
let server: KubeServer;
let started: StartedSource | undefined;

beforeEach(async () => {
  cluster = createSimulatedCluster({ seed: 1, startTime: Date.now() });
  server = await serveKube(cluster.api);
});

afterEach(async () => {
  await started?.stop();
  started = undefined;
  await server.close();
});

async function start(act = false): Promise<StartedSource> {
  started = await startRealCluster(loopbackConnection(server.url), CONFIG, { act });
  return started;
}

const headroom = () => cluster.store.get(DEPLOYMENTS, 'headroom', 'headroom-default');

test('nothing is written until act, and decisions show what would be done', async () => {
  const { source, greeting } = await start();
  expect(greeting).toContain('REAL cluster');
  const [decision] = await eventually(
    'a decision',
    () => source.snapshot().decisions.length > 0 && source.snapshot().decisions,
  );
  expect(decision).toMatchObject({ pool: 'default', from: 0, to: 2 });
  expect(source.snapshot()).toMatchObject({ mode: 'cluster', acting: false, clusterName: 'theirs' });
  const order = { kind: 'inflate', pool: 'default', atLeast: 4, for: '30m', reason: 'test' } as const;
  expect(await source.command(order)).toMatchObject({ dryRun: true });
  expect(cluster.store.get(NAMESPACES, undefined, 'headroom')).toBeUndefined();
  expect(headroom()).toBeUndefined();
});

test('another cluster than the config names is shown first, and nothing is ever written to it', async () => {
  const mismatch = 'the kubeconfig is for prod; the config is for theirs';
  started = await startRealCluster(loopbackConnection(server.url), CONFIG, { act: false, mismatch });
  const { source, greeting } = started;
  expect(greeting.split('\n')[0]).toBe(`ANOTHER CLUSTER: ${mismatch}`);
  expect(source.snapshot().problems?.[0]).toBe(`another cluster: ${mismatch}`);
  await expect(source.command({ kind: 'act' })).rejects.toThrow('nothing is written');
  expect(source.snapshot().acting).toBe(false);
  expect(cluster.store.get(NAMESPACES, undefined, 'headroom')).toBeUndefined();
});

test('the nodes of a floor that run work are in use, seen with the person’s own kubeconfig', async () => {
  const floor = configOf(`
cluster: { name: theirs, region: ap-northeast-2 }
nodePools: { default: { max: 5, base: 2, unit: { floor: { cpu: 4 } } } }
`);
  const place = (name: string, nodeName: string, labels: Record<string, string>) =>
    cluster.api.create(PODS, 'default', {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, labels },
      spec: { nodeName, containers: [{ name: 'c', image: 'c' }] },
    });
  for (const node of ['a', 'b']) {
    const labels = { 'karpenter.sh/nodepool': 'default' };
    cluster.api.create(NODES, undefined, { apiVersion: 'v1', kind: 'Node', metadata: { name: node, labels } });
    place(`floor-${node}`, node, { 'headstart.dev/nodepool': 'default' });
  }
  place('work', 'a', {});
  started = await startRealCluster(loopbackConnection(server.url), floor, { act: false });
  const { source } = started;
  await source.command({ kind: 'act' });
  const live = await eventually('the headroom', () => headroom() ?? false);
  const body = { status: { readyReplicas: 2 } };
  cluster.api.patch(DEPLOYMENTS, live, { kind: 'merge', body }, { subresource: 'status' });
  const [pool] = await eventually(
    'the floor',
    () => source.snapshot().pools[0]?.ready === 2 && source.snapshot().pools,
  );
  expect(pool).toMatchObject({ kind: 'floor', wanted: 2, ready: 2, used: 1 });
});

test('act makes what is missing and brings the headroom to its size', async () => {
  const { source } = await start();
  await source.command({ kind: 'act' });
  expect(cluster.store.get(NAMESPACES, undefined, 'headroom')).toBeDefined();
  expect(cluster.store.get(PRIORITY_CLASSES, undefined, 'headstart-headroom')).toBeDefined();
  await eventually('the headroom', () => headroom()?.spec.replicas === 2);
  expect(source.snapshot().acting).toBe(true);
  await source.command({ kind: 'alarm', alarmName: 'orders-high', firing: true });
  await eventually('the boost', () => headroom()?.spec.replicas === 3);
  await eventually('the page', () => source.snapshot().pools[0]?.wanted === 3);
  expect(source.snapshot().pools[0]?.alarms).toMatchObject([{ alarmName: 'orders-high', firing: true }]);
});

test('with --act it acts from the start and leaves a namespace that is there alone', async () => {
  cluster.api.create(NAMESPACES, undefined, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'headroom' } });
  await start(true);
  await eventually('the headroom', () => headroom()?.spec.replicas === 2);
  expect(cluster.store.get(NAMESPACES, undefined, 'headroom')?.metadata.labels).toEqual({
    'kubernetes.io/metadata.name': 'headroom',
  });
});

test('a cluster that does not respond is shown as an error', async () => {
  const { source } = await start();
  await server.close();
  await eventually('the error', () => source.snapshot().problems?.some((line) => line.includes('127.0.0.1')));
});

test.each([{ kind: 'jump' }, { kind: 'speed', speed: 10 }, { kind: 'scenario', id: 'lunch' }] as const)(
  '$kind is refused: a real cluster runs by itself',
  async (command) => {
    const { source } = await start();
    await expect(source.command(command)).rejects.toThrow('works only in a simulation');
  },
);
