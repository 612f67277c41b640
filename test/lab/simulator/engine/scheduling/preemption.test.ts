import { PRIORITY_CLASSES } from '../../../../../lab/simulator/kube/kinds';
import { container, nodesOf, SECOND, type SmallCluster, smallCluster } from '../small-cluster';

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

  const paused = { priorityClassName: 'headroom' };
  test.each<{
    name: string;
    cpu: string;
    before: readonly Parameters<SmallCluster['deploy']>[];
    comes: Parameters<SmallCluster['deploy']>;
    preempted: readonly string[];
    lands: readonly string[];
  }>([
    {
      name: 'a pod takes no more places than it needs, and those of the least important',
      ...{
        cpu: '4',
        before: [
          ['normal', 2],
          ['pause', 2, paused],
        ],
        comes: ['web', 1],
      },
      ...{ preempted: ['pause'], lands: ['a'] },
    },
    {
      name: 'a pod whose class never preempts waits',
      ...{ cpu: '1', before: [['lowest', 1, { priorityClassName: 'lowest' }]], comes: ['pause', 1, paused] },
      ...{ preempted: [], lands: ['none'] },
    },
    {
      name: 'equals do not preempt each other',
      ...{ cpu: '1', before: [['first', 1]], comes: ['second', 1], preempted: [], lands: ['none'] },
    },
    {
      name: 'nobody is preempted in vain, where even an empty node would be too small',
      ...{ cpu: '2', before: [['pause', 1, paused]], comes: ['huge', 1, { containers: [container('3')] }] },
      ...{ preempted: [], lands: ['none'] },
    },
  ])('$name', ({ cpu, before, comes, preempted, lands }) => {
    const cluster = smallCluster();
    cluster.node('a', { cpu });
    cluster.api.create(PRIORITY_CLASSES, undefined, classOf('lowest', -100));
    for (const one of before) cluster.deploy(...one);
    cluster.run(5 * SECOND);
    cluster.deploy(...comes);
    cluster.run(5 * SECOND);
    expect(cluster.of('podPreempted').map(({ pod }) => pod.deployment)).toEqual(preempted);
    expect(nodesOf(cluster, comes[0])).toEqual(lands);
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
});
