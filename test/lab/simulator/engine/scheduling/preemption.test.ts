import { PRIORITY_CLASSES } from '../../../../../lab/simulator/kube/kinds';
import { container, nodesOf, SECOND, smallCluster } from '../small-cluster';

function classOf(name: string, value: number) {
  return { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name }, value };
}

describe('preemption', () => {
  test('a pod takes the place of a less important one at once', () => {
    const cluster = smallCluster();
    cluster.node('a', { cpu: '2', labels: { 'karpenter.sh/nodepool': 'default' } });
    cluster.headroom('pause', 1, '1500m');
    cluster.run(5 * SECOND);
    cluster.deploy('web', 1);
    cluster.run(SECOND);
    expect(nodesOf(cluster, 'web')).toEqual(['a']);
    expect(cluster.of('podPreempted').map(({ pod, by }) => [pod.deployment, by.deployment])).toEqual([
      ['pause', 'web'],
    ]);
    expect(cluster.of('podRunning').find(({ pod }) => pod.deployment === 'web')?.waitedMs).toBeLessThan(500);
    expect(nodesOf(cluster, 'pause')).toEqual(['none']);
  });

  test('it takes no more places than it needs, and the least important ones', () => {
    const cluster = smallCluster();
    cluster.node('a', { cpu: '4' });
    cluster.deploy('normal', 2);
    cluster.deploy('pause', 2, { priorityClassName: 'headroom' });
    cluster.run(5 * SECOND);
    cluster.deploy('web', 1);
    cluster.run(5 * SECOND);
    expect(cluster.of('podPreempted')).toHaveLength(1);
    expect(cluster.of('podPreempted')[0]?.pod.deployment).toBe('pause');
    expect(nodesOf(cluster, 'normal')).toEqual(['a', 'a']);
  });

  test('a pod whose class never preempts waits', () => {
    const cluster = smallCluster();
    cluster.node('a', { cpu: '1' });
    cluster.api.create(PRIORITY_CLASSES, undefined, classOf('lowest', -100));
    cluster.deploy('lowest', 1, { priorityClassName: 'lowest' });
    cluster.run(5 * SECOND);
    cluster.deploy('pause', 1, { priorityClassName: 'headroom' });
    cluster.run(5 * SECOND);
    expect(nodesOf(cluster, 'pause')).toEqual(['none']);
    expect(cluster.of('podPreempted')).toEqual([]);
  });

  test('equals do not displace each other', () => {
    const cluster = smallCluster();
    cluster.node('a', { cpu: '1' });
    cluster.deploy('first', 1);
    cluster.run(5 * SECOND);
    cluster.deploy('second', 1);
    cluster.run(5 * SECOND);
    expect([nodesOf(cluster, 'first'), nodesOf(cluster, 'second')]).toEqual([['a'], ['none']]);
  });

  test('nobody is displaced in vain, where even an empty node would be too small', () => {
    const cluster = smallCluster();
    cluster.node('a', { cpu: '2' });
    cluster.deploy('pause', 1, { priorityClassName: 'headroom' });
    cluster.run(5 * SECOND);
    cluster.deploy('huge', 1, { containers: [container('3')] });
    cluster.run(5 * SECOND);
    expect(cluster.of('podPreempted')).toEqual([]);
    expect(nodesOf(cluster, 'pause')).toEqual(['a']);
  });

  test('while its victims stop, the pod keeps its place: it is nominated, and nobody else gets in', () => {
    const cluster = smallCluster();
    cluster.node('a', { cpu: '1' });
    cluster.deploy('pause', 1, { priorityClassName: 'headroom', terminationGracePeriodSeconds: 30 });
    cluster.run(5 * SECOND);
    cluster.deploy('web', 1);
    cluster.run(SECOND / 2);
    expect(cluster.pods('web')[0]?.status.nominatedNodeName).toBe('a');
    cluster.deploy('late', 1);
    cluster.run(10 * SECOND);
    expect([nodesOf(cluster, 'web'), nodesOf(cluster, 'late')]).toEqual([['a'], ['none']]);
    expect(cluster.of('podPreempted')).toHaveLength(1);
  });

  test('a burst takes as many places as it has pods', () => {
    const cluster = smallCluster();
    for (const name of ['a', 'b', 'c', 'd'])
      cluster.node(name, { cpu: '2', labels: { 'karpenter.sh/nodepool': 'default' } });
    cluster.headroom('pause', 4);
    cluster.run(5 * SECOND);
    cluster.deploy('web', 3, { containers: [container('1500m')] });
    cluster.run(SECOND);
    expect(cluster.of('podPreempted')).toHaveLength(3);
    expect(new Set(nodesOf(cluster, 'web')).size).toBe(3);
    expect(nodesOf(cluster, 'pause').filter((node) => node === 'none')).toHaveLength(3);
  });
});
