import { NODE_CLAIMS, NODE_POOLS, NODES } from '../../../sandbox/kube/kinds';
import type { PodSpec } from '../../../sandbox/kube/objects';
import {
  container,
  MINUTE,
  ON_DEMAND,
  type PoolOptions,
  SECOND,
  type SmallCluster,
  SPOT,
  smallCluster,
} from './small-cluster';

function bought(cluster: SmallCluster): string[] {
  return cluster
    .of('nodeOrdered')
    .map(({ node }) => node.instanceType)
    .sort();
}

const family = (...values: string[]) => ({ key: 'karpenter.k8s.aws/instance-family', operator: 'In', values });
const M6I = [ON_DEMAND, family('m6i')];

describe('Karpenter', () => {
  describe('buys', () => {
    interface Purchase {
      readonly name: string;
      readonly pool?: PoolOptions;
      readonly pod?: Partial<PodSpec>;
      readonly replicas?: number;
      readonly types: readonly string[];
    }

    test.each<Purchase>([
      { name: 'the cheapest node that fits', pool: { requirements: M6I }, types: ['m6i.large'] },
      {
        name: 'a larger one for a larger pod',
        pool: { requirements: M6I },
        pod: { containers: [container('3')] },
        types: ['m6i.xlarge'],
      },
      { name: 'one node for many small pods', pool: { requirements: M6I }, replicas: 10, types: ['m6i.4xlarge'] },
      {
        name: 'by memory where that is what counts',
        pool: { requirements: M6I },
        pod: { containers: [container('100m', '12Gi')] },
        types: ['m6i.xlarge'],
      },
      {
        name: 'the architecture that is asked for',
        pool: { requirements: [ON_DEMAND] },
        pod: { nodeSelector: { 'kubernetes.io/arch': 'arm64' } },
        types: ['c6g.large'],
      },
      {
        name: 'what has the extended resource',
        pool: { requirements: [ON_DEMAND] },
        pod: { containers: [container('1', '1Gi', { 'nvidia.com/gpu': '1' })] },
        types: ['g5.xlarge'],
      },
      {
        name: 'within the bounds of the pool',
        pool: { requirements: [...M6I, { key: 'karpenter.k8s.aws/instance-cpu', operator: 'Gt', values: ['4'] }] },
        types: ['m6i.2xlarge'],
      },
      {
        name: 'within the bounds of the pod',
        pool: { requirements: M6I },
        pod: {
          affinity: {
            nodeAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: {
                nodeSelectorTerms: [
                  {
                    matchExpressions: [{ key: 'karpenter.k8s.aws/instance-memory', operator: 'Gt', values: ['16384'] }],
                  },
                ],
              },
            },
          },
        },
        types: ['m6i.2xlarge'],
      },
      {
        name: 'nothing that no instance holds',
        pool: { requirements: M6I },
        pod: { containers: [container('100')] },
        types: [],
      },
      {
        name: 'nothing for a pod that does not tolerate the pool',
        pool: { taints: [{ key: 'own', effect: 'NoSchedule' }] },
        types: [],
      },
      {
        name: 'nothing for a pod that asks for another pool',
        pod: { nodeSelector: { 'karpenter.sh/nodepool': 'other' } },
        types: [],
      },
      { name: 'nothing for a label that the pool does not give', pod: { nodeSelector: { team: 'a' } }, types: [] },
      {
        name: 'for a label that the pool gives',
        pool: { labels: { team: 'a' } },
        pod: { nodeSelector: { team: 'a' } },
        types: ['m6i.large'],
      },
    ])('$name', ({ pool = {}, pod = {}, replicas = 1, types }) => {
      const cluster = smallCluster();
      cluster.pool('default', pool);
      cluster.deploy('web', replicas, pod);
      cluster.run(20 * SECOND);
      expect(bought(cluster)).toEqual(types);
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
      const spread = {
        maxSkew: 1,
        topologyKey: 'topology.kubernetes.io/zone',
        whenUnsatisfiable: 'DoNotSchedule',
        labelSelector: { matchLabels: { app: 'even' } },
      };
      cluster.deploy('even', 3, { topologySpreadConstraints: [spread], containers: [container('1500m')] });
      cluster.run(3 * MINUTE);
      expect(new Set(cluster.karpenterNodes().map(({ zone }) => zone)).size).toBe(3);
      expect(cluster.pods('even').every(({ status }) => status.phase === 'Running')).toBe(true);
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

  test('pods that come together are one batch; a second batch waits for its own', () => {
    const cluster = smallCluster();
    cluster.pool('default', { requirements: M6I });
    for (let pod = 0; pod < 4; pod += 1) {
      cluster.deploy(`web-${pod}`, 1);
      cluster.run(SECOND / 2);
    }
    cluster.run(20 * SECOND);
    expect(bought(cluster)).toEqual(['m6i.2xlarge']);
  });

  test('a node takes its time, and its NodeClaim tells how far it is', () => {
    const cluster = smallCluster();
    cluster.pool('default');
    cluster.deploy('web', 1);
    const seen: string[][] = [];
    for (const seconds of [2, 3, 30, 20]) {
      cluster.run(seconds * SECOND);
      const claim = cluster.store.list(NODE_CLAIMS)[0];
      const met = (claim?.status?.conditions ?? []).filter(({ status }) => status === 'True');
      seen.push(met.map(({ type }) => type));
    }
    expect(seen).toEqual([
      [],
      ['Launched'],
      ['Launched', 'Registered'],
      ['Launched', 'Registered', 'Initialized', 'Ready'],
    ]);
    const [claim] = cluster.store.list(NODE_CLAIMS);
    const [node] = cluster.store.list(NODES);
    expect(claim?.status?.providerID).toMatch(/^aws:\/\/\/ap-northeast-2[abc]\/i-0[0-9a-f]{16}$/);
    expect([claim?.status?.nodeName, claim?.status?.providerID]).toEqual([node?.metadata.name, node?.spec?.providerID]);
    expect(cluster.of('nodeReady').map(({ tookMs }) => tookMs)).toEqual([50 * SECOND]);
    const [running] = cluster.of('podRunning');
    expect(running?.waitedMs).toBeGreaterThan(51 * SECOND);
    expect(running?.waitedMs).toBeLessThan(52 * SECOND);
  });

  test('the limits of a pool are kept, and the pods that wait are told why', () => {
    const cluster = smallCluster();
    cluster.pool('default', { limits: { cpu: '5' } });
    cluster.headroom('pause', 4);
    cluster.run(3 * MINUTE);
    expect(cluster.karpenterNodes()).toHaveLength(2);
    expect(cluster.of('provisioningFailed').map(({ pods, why }) => [pods, why])).toEqual([
      [2, 'all available instance types exceed limits for nodepool: "default"'],
    ]);
    expect(cluster.api.get(NODE_POOLS, undefined, 'default').status).toMatchObject({
      nodes: 2,
      resources: { cpu: '4' },
    });
  });

  test('a limit that is raised lets the rest come', () => {
    const cluster = smallCluster();
    cluster.pool('default', { limits: { nodes: '1' } });
    cluster.headroom('pause', 2);
    cluster.run(3 * MINUTE);
    expect(cluster.karpenterNodes()).toHaveLength(1);
    const pool = cluster.api.get(NODE_POOLS, undefined, 'default');
    cluster.api.patch(NODE_POOLS, pool, { kind: 'merge', body: { spec: { limits: { nodes: '2' } } } });
    cluster.run(3 * MINUTE);
    expect(cluster.karpenterNodes()).toHaveLength(2);
  });

  test('a pod that has made room for itself buys nothing; the one that it displaced does', () => {
    const cluster = smallCluster();
    cluster.pool('default');
    cluster.headroom('pause', 1);
    cluster.run(2 * MINUTE);
    cluster.deploy('web', 1);
    cluster.run(2 * MINUTE);
    expect(cluster.of('nodeOrdered')).toHaveLength(2);
    expect(cluster.pods('pause').map(({ status }) => status.phase)).toEqual(['Running']);
  });

  test('a NodePool that is deleted takes its nodes with it', () => {
    const cluster = smallCluster();
    cluster.pool('default');
    cluster.deploy('web', 1);
    cluster.run(2 * MINUTE);
    cluster.api.delete(NODE_POOLS, cluster.api.get(NODE_POOLS, undefined, 'default'));
    cluster.run(2 * MINUTE);
    expect([cluster.karpenterNodes(), cluster.store.list(NODES)]).toEqual([[], []]);
    expect(cluster.of('nodeGone').map(({ why }) => why)).toEqual(['deleted']);
  });

  test.each([
    { name: 'a NodeClaim', kind: NODE_CLAIMS },
    { name: 'a Node', kind: NODES },
  ])('$name deleted by hand is drained and replaced', ({ kind }) => {
    const cluster = smallCluster();
    cluster.pool('default');
    cluster.deploy('web', 1);
    cluster.run(2 * MINUTE);
    const [first] = cluster.store.list(kind);
    if (first) cluster.api.delete(kind, first);
    cluster.run(2 * MINUTE);
    expect(cluster.of('nodeGone').map(({ why }) => why)).toEqual(['deleted']);
    expect(cluster.pods('web').map(({ status }) => status.phase)).toEqual(['Running']);
    expect(cluster.store.list(kind).map(({ metadata }) => metadata.name)).not.toContain(first?.metadata.name);
  });

  describe('when EC2 takes a spot node', () => {
    function withSpotNode(): SmallCluster {
      const cluster = smallCluster();
      cluster.pool('default', { requirements: [SPOT, family('m6i')] });
      cluster.deploy('web', 1);
      cluster.run(2 * MINUTE);
      return cluster;
    }

    test('there is a notice of two minutes, the node is drained, and its pods come back elsewhere', () => {
      const cluster = withSpotNode();
      const [node] = cluster.karpenterNodes();
      const before = cluster.now();
      const notice = cluster.takeSpotNode(node?.node ?? '');
      expect(notice).toEqual({ node, endsAt: before + 2 * MINUTE });
      cluster.run(3 * MINUTE);
      expect(cluster.of('spotNotice')).toEqual([{ kind: 'spotNotice', at: before, node, endsAt: before + 2 * MINUTE }]);
      expect(cluster.of('podEvicted').map(({ pod, why }) => [pod.deployment, why])).toEqual([['web', 'interrupted']]);
      expect(cluster.of('nodeGone').map(({ why }) => why)).toEqual(['interrupted']);
      expect(cluster.pods('web').map(({ status }) => status.phase)).toEqual(['Running']);
      expect(cluster.karpenterNodes().map(({ instanceId }) => instanceId)).not.toContain(node?.instanceId);
    });

    test('a second notice for the same instance changes nothing', () => {
      const cluster = withSpotNode();
      const [node] = cluster.karpenterNodes();
      cluster.takeSpotNode(node?.instanceId ?? '');
      cluster.takeSpotNode(node?.nodeClaim ?? '');
      cluster.run(3 * MINUTE);
      expect(cluster.of('spotNotice')).toHaveLength(1);
    });

    test('pods that take long to stop are cut off when the time is up', () => {
      const cluster = smallCluster({ timings: { podStop: 10 * MINUTE } });
      cluster.pool('default', { requirements: [SPOT, family('m6i')] });
      cluster.deploy('slow', 1, { terminationGracePeriodSeconds: 600 });
      cluster.run(2 * MINUTE);
      const { node, endsAt } = cluster.takeSpotNode(cluster.karpenterNodes()[0]?.node ?? '');
      cluster.advanceTo(endsAt);
      expect(cluster.of('nodeGone').map((fact) => [fact.node.instanceId, fact.at])).toEqual([
        [node.instanceId, endsAt],
      ]);
    });

    test('only spot nodes can be taken, and only nodes that are there', () => {
      const cluster = smallCluster();
      cluster.pool('default');
      cluster.deploy('web', 1);
      cluster.run(2 * MINUTE);
      const [node] = cluster.karpenterNodes();
      expect(() => cluster.takeSpotNode(node?.node ?? '')).toThrow(/is not a spot node, it is on-demand/);
      expect(() => cluster.takeSpotNode('nobody')).toThrow('no node or instance "nobody"');
    });
  });

  test('nodes cost from their launch until they are gone', () => {
    const cluster = smallCluster();
    cluster.pool('default');
    cluster.deploy('web', 1);
    cluster.run(61 * MINUTE);
    cluster.deploy('web', 0);
    cluster.run(60 * MINUTE);
    const [cost] = cluster.costs();
    const [launched] = cluster.of('nodeLaunched');
    const [gone] = cluster.of('nodeGone');
    const hours = ((gone?.at ?? 0) - (launched?.at ?? 0)) / (60 * MINUTE);
    expect(cost).toMatchObject({ nodePool: 'default', spotNodeHours: 0 });
    expect(cost?.nodeHours).toBeCloseTo(hours, 6);
    expect(cost?.dollars).toBeCloseTo(hours * 0.096, 6);
  });
});
