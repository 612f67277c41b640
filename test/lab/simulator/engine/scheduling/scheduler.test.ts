import { NODES } from '../../../../../lab/simulator/kube/kinds';
import type { PodSpec } from '../../../../../lab/simulator/kube/object-types';
import {
  apartFrom,
  container,
  type NodeOptions,
  nodesOf,
  overZones,
  requiring,
  SECOND,
  type SmallCluster,
  smallCluster,
} from '../small-cluster';

function messageOf(cluster: SmallCluster, name: string): string | undefined {
  const conditions = cluster.pods(name)[0]?.status.conditions ?? [];
  return conditions.find(({ type, status }) => type === 'PodScheduled' && status === 'False')?.message;
}

const GPU = 'nvidia.com/gpu';
interface Rule {
  readonly name: string;
  readonly nodes: Readonly<Record<string, NodeOptions>>;
  readonly pod: Partial<PodSpec>;
  readonly lands: readonly string[];
}

describe('the scheduler', () => {
  const tainted: NodeOptions = { taints: [{ key: 'own', value: 'me', effect: 'NoSchedule' }] };
  const tolerating = (value: string) => ({ tolerations: [{ key: 'own', operator: 'Equal', value }] });
  const needing = (...of: Parameters<typeof container>) => ({ containers: [container(...of)] });
  test.each<Rule>([
    { name: 'takes a node with room', nodes: { small: { cpu: '1' }, large: {} }, pod: needing('2'), lands: ['large'] },
    { name: 'prefers the emptier node', nodes: { a: { cpu: '4' }, b: { cpu: '8' } }, pod: {}, lands: ['b'] },
    { name: 'counts what runs already', nodes: { a: { cpu: '2' } }, pod: {}, lands: ['a', 'a', 'none'] },
    { name: 'counts places for pods', nodes: { a: { pods: '2' } }, pod: needing('1m'), lands: ['a', 'a', 'none'] },
    { name: 'counts memory', nodes: { a: { memory: '1Gi' } }, pod: needing('1m', '600Mi'), lands: ['a', 'none'] },
    {
      name: 'counts extended resources',
      nodes: { plain: { cpu: '64' }, gpu: { extended: { [GPU]: '1' } } },
      pod: needing('1', '1Gi', { [GPU]: '1' }),
      lands: ['gpu', 'none'],
    },
    {
      name: 'keeps room for the largest init container',
      nodes: { a: { cpu: '2' } },
      pod: { initContainers: [container('3')] },
      lands: ['none'],
    },
    {
      name: 'honours a node selector',
      nodes: { a: {}, b: { labels: { disk: 'fast' } } },
      pod: { nodeSelector: { disk: 'fast' } },
      lands: ['b'],
    },
    {
      name: 'honours a node affinity',
      nodes: { a: { labels: { tier: 'x' } }, b: {} },
      pod: requiring('tier', 'NotIn', ['x']),
      lands: ['b'],
    },
    {
      name: 'compares numbers in a node affinity',
      nodes: { a: { labels: { cores: '4' } }, b: { labels: { cores: '16' } } },
      pod: requiring('cores', 'Gt', ['8']),
      lands: ['b'],
    },
    { name: 'avoids a taint', nodes: { a: tainted, b: { cpu: '1' } }, pod: {}, lands: ['b'] },
    { name: 'lets a toleration pass a taint', nodes: { a: tainted }, pod: tolerating('me'), lands: ['a'] },
    { name: 'tells the values of taints apart', nodes: { a: tainted }, pod: tolerating('you'), lands: ['none'] },
    {
      name: 'does not mind a preference',
      nodes: { a: { taints: [{ key: 'own', effect: 'PreferNoSchedule' }] } },
      pod: {},
      lands: ['a'],
    },
    { name: 'leaves a node alone that is not ready', nodes: { a: { ready: false } }, pod: {}, lands: ['none'] },
  ])('$name', ({ nodes, pod, lands }) => {
    const cluster = smallCluster();
    for (const [name, options] of Object.entries(nodes)) cluster.node(name, options);
    cluster.deploy('web', lands.length, pod);
    cluster.run(5 * SECOND);
    expect(nodesOf(cluster, 'web')).toEqual(lands);
  });

  test('pods that repel each other get a node each', () => {
    const cluster = smallCluster();
    for (const name of ['a', 'b']) cluster.node(name);
    cluster.deploy('lonely', 3, apartFrom('lonely'));
    cluster.run(5 * SECOND);
    expect(nodesOf(cluster, 'lonely')).toEqual(['a', 'b', 'none']);
    expect(messageOf(cluster, 'lonely') ?? '').toMatch(/^$|anti-affinity/);
  });

  test('a pod stays away from one that repels it, whoever came first', () => {
    const cluster = smallCluster();
    cluster.node('a');
    cluster.deploy('shy', 1, apartFrom('lonely'));
    cluster.run(SECOND);
    cluster.deploy('lonely', 1);
    cluster.run(5 * SECOND);
    expect(nodesOf(cluster, 'lonely')).toEqual(['none']);
  });

  test('pods spread over zones as evenly as they ask', () => {
    const cluster = smallCluster();
    const zone = (name: string) => ({ cpu: '16', labels: { 'topology.kubernetes.io/zone': name } });
    cluster.node('a', zone('za'));
    cluster.node('b', zone('zb'));
    cluster.node('c', { ...zone('zc'), cpu: '1' });
    cluster.deploy('even', 7, overZones('even'));
    cluster.run(5 * SECOND);
    expect(nodesOf(cluster, 'even')).toEqual(['a', 'a', 'b', 'b', 'c', 'none', 'none']);
  });

  test('a pod without a place says why, node by node', () => {
    const cluster = smallCluster();
    cluster.node('a', { cpu: '1' });
    cluster.node('b', { taints: [{ key: 'own', effect: 'NoSchedule' }] });
    cluster.node('c', { cpu: '2' });
    cluster.deploy('web', 1, { containers: [container('3')] });
    cluster.run(5 * SECOND);
    expect(messageOf(cluster, 'web')).toBe(
      '0/3 nodes are available: 1 node(s) had untolerated taint(s) {own: }, 2 Insufficient cpu.',
    );
  });

  test('a cordoned node takes no new pods until it is uncordoned', () => {
    const cluster = smallCluster();
    cluster.node('a');
    const cordon = (unschedulable: boolean) =>
      cluster.api.patch(NODES, cluster.api.get(NODES, undefined, 'a'), {
        kind: 'merge',
        body: { spec: { unschedulable } },
      });
    cordon(true);
    cluster.deploy('web', 1);
    cluster.run(5 * SECOND);
    expect(nodesOf(cluster, 'web')).toEqual(['none']);
    cordon(false);
    cluster.run(5 * SECOND);
    expect(nodesOf(cluster, 'web')).toEqual(['a']);
  });
});
