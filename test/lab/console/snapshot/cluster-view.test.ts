import { clusterView } from '../../../../lab/console/snapshot/cluster-view';
import { NODE_CLAIMS, NODES, PODS } from '../../../../lab/simulator/kube/kinds';
import type { Simulation } from '../../../../lab/simulator/run/simulation';
import { loadedConfig } from '../../../fakes/loaded-config';
import { FULL, MINUTE, simulationOf } from '../../simulator/run/simulations';

function viewOf({ cluster, config, now }: Simulation) {
  const { store } = cluster.engine;
  const [nodes, nodeClaims, pods] = [store.list(NODES), store.list(NODE_CLAIMS), store.list(PODS)];
  return clusterView({ nodes, nodeClaims, pods, now, config });
}

test('nodes are launching, then ready, then terminating, and pods are pending, then running', async () => {
  const simulation = await simulationOf({ config: FULL, scenario: 'flash' });
  const before = viewOf(simulation);
  expect(new Set(before.nodes.map(({ state }) => state))).toEqual(new Set(['ready']));
  await simulation.host.override({ headroom: 'service', atLeast: 6, for: '1h' });
  await simulation.runUntil(simulation.now + 5_000);
  const during = viewOf(simulation);
  expect(during.nodes.filter(({ state }) => state === 'launching')).toHaveLength(4);
  expect(during.pods.filter(({ state, kind }) => state === 'pending' && kind === 'headroom')).toHaveLength(4);
  // What waits comes first.
  expect(during.pods[0]?.state).toBe('pending');
  await simulation.runUntil(simulation.now + 2 * MINUTE);
  const after = viewOf(simulation);
  expect(after.pods.every(({ state, node }) => state === 'running' && node !== undefined)).toBe(true);
  const [node] = simulation.cluster.spotNodes('service');
  if (!node) throw new Error('no spot node');
  simulation.takeNode(node);
  await simulation.runUntil(simulation.now + 2_500);
  expect(viewOf(simulation).nodes.find(({ name }) => name === node.node)).toMatchObject({
    state: 'terminating',
    pool: 'service',
    spot: true,
    instanceType: 't3.medium',
  });
});

test('the nodes of a spot twin are shown with their pool', async () => {
  const config = loadedConfig(`
cluster: { name: c, region: ap-northeast-2 }
karpenter: { manage: true }
nodePools:
  service:
    max: 4
    base: 1
    nodeSelector: { team: one }
    pool: { family: [t3], size: [medium], spotTwin: true, labels: { team: one } }
`);
  const simulation = await simulationOf({ config, scenario: 'lunch' });
  const { nodes, pods } = viewOf(simulation);
  expect(simulation.cluster.engine.karpenterNodes()[0]?.nodePool).toBe('service-spot');
  expect(new Set([...nodes, ...pods].map(({ pool }) => pool))).toEqual(new Set(['service']));
});

test('a very large cluster is cut, and the rest is counted', () => {
  const pod = (index: number) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `p${index}`, namespace: 'shop', uid: `u${index}`, resourceVersion: '1', creationTimestamp: '' },
    spec: { containers: [] },
    status: { phase: 'Pending' as const },
  });
  const pods = Array.from({ length: 1_000 }, (_, index) => pod(index));
  const view = clusterView({ nodes: [], nodeClaims: [], pods, now: 0, config: FULL });
  expect(view.pods).toHaveLength(600);
  expect(view.hidden).toEqual({ nodes: 0, pods: 400 });
});
