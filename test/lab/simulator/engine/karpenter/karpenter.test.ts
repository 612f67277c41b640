import { NODE_CLAIMS, NODE_POOLS, NODES } from '../../../../../lab/simulator/kube/kinds';
import {
  boughtTypes,
  family,
  M6I,
  MINUTE,
  type PoolOptions,
  SECOND,
  type SmallCluster,
  SPOT,
  smallCluster,
} from '../small-cluster';

/** A cluster in which one pod runs on a node that Karpenter has launched for it. */
function withNode(requirements?: PoolOptions['requirements']): SmallCluster {
  const cluster = smallCluster();
  cluster.pool('default', { ...(requirements && { requirements }) });
  cluster.deploy('web', 1);
  cluster.run(2 * MINUTE);
  return cluster;
}

describe('Karpenter', () => {
  test('pods that come together are one batch; a second batch waits for its own', () => {
    const cluster = smallCluster();
    cluster.pool('default', { requirements: M6I });
    for (let pod = 0; pod < 4; pod += 1) {
      cluster.deploy(`web-${pod}`, 1);
      cluster.run(SECOND / 2);
    }
    cluster.run(20 * SECOND);
    expect(boughtTypes(cluster)).toEqual(['m6i.2xlarge']);
  });

  test('until it is launched, a NodeClaim tells no more than its NodePool', () => {
    const cluster = smallCluster();
    cluster.pool('default', { labels: { team: 'shop' } });
    cluster.deploy('web', 1);
    const [claim] = [2, 3].map((seconds) => {
      cluster.run(seconds * SECOND);
      const { metadata, status } = cluster.store.list(NODE_CLAIMS)[0] ?? {};
      return { labels: metadata?.labels, launched: status?.providerID !== undefined };
    });
    expect(claim).toEqual({ labels: { team: 'shop', 'karpenter.sh/nodepool': 'default' }, launched: false });
    expect(cluster.store.list(NODE_CLAIMS)[0]?.metadata.labels).toMatchObject({
      team: 'shop',
      'karpenter.k8s.aws/instance-cpu': '2',
      'node.kubernetes.io/instance-type': 'm6i.large',
    });
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
    const cluster = withNode();
    cluster.api.delete(NODE_POOLS, cluster.api.get(NODE_POOLS, undefined, 'default'));
    cluster.run(2 * MINUTE);
    expect([cluster.karpenterNodes(), cluster.store.list(NODES)]).toEqual([[], []]);
    expect(cluster.of('nodeGone').map(({ why }) => why)).toEqual(['deleted']);
  });

  test.each([
    { name: 'a NodeClaim', kind: NODE_CLAIMS },
    { name: 'a Node', kind: NODES },
  ])('$name deleted by hand is drained and replaced', ({ kind }) => {
    const cluster = withNode();
    const [first] = cluster.store.list(kind);
    if (first) cluster.api.delete(kind, first);
    cluster.run(2 * MINUTE);
    expect(cluster.of('nodeGone').map(({ why }) => why)).toEqual(['deleted']);
    expect(cluster.pods('web').map(({ status }) => status.phase)).toEqual(['Running']);
    expect(cluster.store.list(kind).map(({ metadata }) => metadata.name)).not.toContain(first?.metadata.name);
  });

  describe('when EC2 takes a spot node', () => {
    test('there is a notice of two minutes, the node is drained, and its pods come back elsewhere', () => {
      const cluster = withNode([SPOT, family('m6i')]);
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
      const cluster = withNode([SPOT, family('m6i')]);
      const [node] = cluster.karpenterNodes();
      cluster.takeSpotNode(node?.node ?? '');
      cluster.takeSpotNode(node?.node ?? '');
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
      const cluster = withNode();
      const [node] = cluster.karpenterNodes();
      expect(() => cluster.takeSpotNode(node?.node ?? '')).toThrow(/is not a spot node, it is on-demand/);
      expect(() => cluster.takeSpotNode('nobody')).toThrow('no node "nobody"');
    });
  });
});
