import type { StartedSource } from '../../../../lab/console/sources/console-source';
import { startRealCluster } from '../../../../lab/console/sources/start-real-cluster';
import { createSimulatedCluster, type SimulatedCluster } from '../../../../lab/simulator/engine/simulated-cluster';
import { DEPLOYMENTS, NAMESPACES, NODES, PODS } from '../../../../lab/simulator/kube/kinds';
import { type KubeServer, serveKube } from '../../../../lab/simulator/kube/rest/http-server';
import { loopbackConnection } from '../../../../shared/adapters/kube/connection';
import { loadedConfig } from '../../../fakes/loaded-config';
import { eventually } from '../../simulator/run/eventually';

const CONFIG = loadedConfig(`
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

const sendOverride = async (): Promise<never> => {
  throw new Error('nobody pressed a button');
};

async function start(config = CONFIG): Promise<StartedSource['source']> {
  started = await startRealCluster(loopbackConnection(server.url), config, { sendOverride });
  return started.source;
}

function createHeadroom(replicas: number, ready: number): void {
  cluster.api.create(NAMESPACES, undefined, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'headroom' } });
  const labels = { app: 'pause', 'app.kubernetes.io/managed-by': 'headstart' };
  const made = cluster.api.create(DEPLOYMENTS, 'headroom', {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'headroom-default', labels, annotations: { 'headstart.dev/reasons': '["base: 2"]' } },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'c' }] } },
    },
  });
  const { generation } = made.metadata;
  const body = {
    status: { observedGeneration: generation, replicas, updatedReplicas: replicas, readyReplicas: ready },
  };
  cluster.api.patch(DEPLOYMENTS, made, { kind: 'merge', body }, { subresource: 'status' });
}

test('a size that changes on the cluster is shown as a decision with its reasons', async () => {
  const source = await start();
  expect(source.snapshot()).toMatchObject({ mode: 'cluster', clusterName: 'theirs', decisions: [] });
  createHeadroom(2, 0);
  const [decision] = await eventually(
    'a decision',
    () => source.snapshot().decisions.length > 0 && source.snapshot().decisions,
  );
  expect(decision).toMatchObject({ pool: 'default', from: 0, to: 2, reasons: ['base: 2'] });
});

test('the nodes of a floor that run work are in use, seen with the person’s own kubeconfig', async () => {
  const floor = loadedConfig(`
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
    place(`floor-${node}`, node, { 'headstart.dev/headroom': 'default' });
  }
  place('work', 'a', {});
  createHeadroom(2, 2);
  const [pool] = (await start(floor)).snapshot().pools;
  expect(pool).toMatchObject({ kind: 'floor', wanted: 2, ready: 2, used: 1 });
});

test('a cluster that does not respond is shown as an error', async () => {
  const source = await start();
  await server.close();
  await eventually('the error', () => source.snapshot().problems?.some((line) => line.includes('127.0.0.1')));
});
