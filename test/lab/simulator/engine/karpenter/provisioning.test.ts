import { NODES } from '../../../../../lab/simulator/kube/kinds';
import type { PodSpec } from '../../../../../lab/simulator/kube/object-types';
import {
  boughtTypes,
  container,
  family,
  M6I,
  MINUTE,
  ON_DEMAND,
  overZones,
  type PoolOptions,
  requiring,
  SECOND,
  smallCluster,
} from '../small-cluster';

const ZONE = 'topology.kubernetes.io/zone';

describe('Karpenter buys', () => {
  interface Purchase {
    readonly name: string;
    readonly pool?: PoolOptions;
    readonly pod?: Partial<PodSpec>;
    readonly replicas?: number;
    readonly types: readonly string[];
  }

  const m6i = { requirements: M6I };
  const onDemand = { requirements: [ON_DEMAND] };
  const needing = (...of: Parameters<typeof container>) => ({ containers: [container(...of)] });
  const ofTeam = { nodeSelector: { team: 'a' } };
  test.each<Purchase>([
    { name: 'the cheapest node that fits', pool: m6i, types: ['m6i.large'] },
    { name: 'a larger one for a larger pod', pool: m6i, pod: needing('3'), types: ['m6i.xlarge'] },
    { name: 'one node for many small pods', pool: m6i, replicas: 10, types: ['m6i.4xlarge'] },
    { name: 'by memory where it is scarcer', pool: m6i, pod: needing('100m', '12Gi'), types: ['m6i.xlarge'] },
    {
      name: 'the architecture that a pod selects',
      pool: onDemand,
      pod: { nodeSelector: { 'kubernetes.io/arch': 'arm64' } },
      types: ['c6g.large'],
    },
    {
      name: 'what has the extended resource',
      pool: onDemand,
      pod: needing('1', '1Gi', { 'nvidia.com/gpu': '1' }),
      types: ['g5.xlarge'],
    },
    {
      name: 'within the bounds of the NodePool',
      pool: { requirements: [...M6I, { key: 'karpenter.k8s.aws/instance-cpu', operator: 'Gt', values: ['4'] }] },
      types: ['m6i.2xlarge'],
    },
    {
      name: 'within the bounds of the pod',
      pool: m6i,
      pod: requiring('karpenter.k8s.aws/instance-memory', 'Gt', ['16384']),
      types: ['m6i.2xlarge'],
    },
    { name: 'nothing that no instance holds', pool: m6i, pod: needing('100'), types: [] },
    {
      name: 'nothing for a pod that does not tolerate the NodePool',
      pool: { taints: [{ key: 'own', effect: 'NoSchedule' }] },
      types: [],
    },
    {
      name: 'nothing for a pod that selects another NodePool',
      pod: { nodeSelector: { 'karpenter.sh/nodepool': 'other' } },
      types: [],
    },
    { name: 'nothing for a label that the NodePool does not set', pod: ofTeam, types: [] },
    { name: 'for a label that the NodePool sets', pool: { labels: { team: 'a' } }, pod: ofTeam, types: ['m6i.large'] },
  ])('$name', ({ pool = {}, pod = {}, replicas = 1, types }) => {
    const cluster = smallCluster();
    cluster.pool('default', pool);
    cluster.deploy('web', replicas, pod);
    cluster.run(20 * SECOND);
    expect(boughtTypes(cluster)).toEqual(types);
  });

  test('a label of one of several values, so that the pods that ask for it land', () => {
    const cluster = smallCluster();
    cluster.pool('default', { requirements: [ON_DEMAND, { key: 'team', operator: 'In', values: ['a', 'b'] }] });
    cluster.deploy('web', 1, { nodeSelector: { team: 'b' } });
    cluster.run(2 * MINUTE);
    expect(cluster.pods('web').map(({ status }) => status.phase)).toEqual(['Running']);
    expect(cluster.store.list(NODES)[0]?.metadata.labels).toMatchObject({
      team: 'b',
      'karpenter.sh/nodepool': 'default',
    });
  });

  test('spot where the pool allows it', () => {
    const cluster = smallCluster();
    cluster.pool('default', { requirements: [family('m6i')] });
    cluster.deploy('web', 1);
    cluster.run(20 * SECOND);
    expect(cluster.karpenterNodes().map(({ capacityType }) => capacityType)).toEqual(['spot']);
  });

  test('from the pool of the largest weight', () => {
    const cluster = smallCluster();
    cluster.pool('a', { weight: 1 });
    cluster.pool('b', { weight: 50 });
    cluster.deploy('web', 1);
    cluster.run(20 * SECOND);
    expect(cluster.karpenterNodes().map(({ nodePool }) => nodePool)).toEqual(['b']);
  });

  test('one node for each of the pods that repel each other, and none where there is room already', () => {
    const cluster = smallCluster();
    cluster.pool('default');
    cluster.node('roomy', { cpu: '8', labels: { 'karpenter.sh/nodepool': 'default' } });
    cluster.headroom('pause', 3);
    cluster.run(20 * SECOND);
    expect(cluster.of('nodeOrdered')).toHaveLength(2);
  });

  test('in every zone for pods that spread over zones', () => {
    const cluster = smallCluster();
    cluster.pool('default');
    cluster.deploy('even', 3, { ...overZones('even'), containers: [container('1500m')] });
    cluster.run(3 * MINUTE);
    expect(new Set(cluster.karpenterNodes().map(({ zone }) => zone)).size).toBe(3);
    expect(cluster.pods('even').every(({ status }) => status.phase === 'Running')).toBe(true);
  });

  test.each([
    { name: 'fill the zones that their affinity admits', zones: ['a', 'c'], runs: ['a', 'a', 'a', 'c', 'c', 'c'] },
    { name: 'fill the one zone that their affinity admits', zones: ['c'], runs: ['c', 'c', 'c', 'c', 'c', 'c'] },
    // Karpenter counts the zones of every NodePool; that is why headroom names the zones of its own.
    { name: 'without such an affinity wait for the zones of other NodePools', zones: undefined, runs: ['a', 'c'] },
  ])('beside a NodePool in another zone, pods that spread over zones $name', ({ zones, runs }) => {
    const cluster = smallCluster();
    const zone = (...names: string[]) => ({
      key: ZONE,
      operator: 'In',
      values: names.map((name) => `ap-northeast-2${name}`),
    });
    cluster.pool('own', { requirements: [...M6I, zone('a', 'c')] });
    cluster.pool('other', { requirements: [...M6I, zone('b')] });
    cluster.deploy('even', 6, {
      nodeSelector: { 'karpenter.sh/nodepool': 'own' },
      ...(zones && requiring(ZONE, 'In', zone(...zones).values)),
      ...overZones('even'),
      containers: [container('1500m')],
    });
    cluster.run(5 * MINUTE);
    const zoneOf = new Map(cluster.karpenterNodes().map((node) => [node.node, node.zone.slice(-1)]));
    const placed = cluster.pods('even').flatMap(({ spec }) => zoneOf.get(spec.nodeName ?? '') ?? []);
    expect(placed.sort()).toEqual(runs);
  });

  test('no second node for pods that wait for the first', () => {
    const cluster = smallCluster();
    cluster.pool('default', { requirements: M6I });
    cluster.deploy('web', 5);
    cluster.run(40 * SECOND);
    cluster.deploy('more', 1);
    cluster.run(40 * SECOND);
    expect(
      cluster.of('nodeOrdered').reduce((cpu, { node }) => cpu + (node.instanceType === 'm6i.2xlarge' ? 8 : 100), 0),
    ).toBe(8);
  });
});
