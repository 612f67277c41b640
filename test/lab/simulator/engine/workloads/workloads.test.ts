import { DEPLOYMENTS, PODS, PRIORITY_CLASSES, REPLICA_SETS } from '../../../../../lab/simulator/kube/kinds';
import type { Pod } from '../../../../../lab/simulator/kube/object-types';
import { currentHeadroom } from '../../../../../shared/adapters/kube/kube-cluster';
import { container, SECOND, type SmallCluster, smallCluster } from '../small-cluster';

function statusOf(cluster: SmallCluster, name: string) {
  const { conditions, ...status } = cluster.api.get(DEPLOYMENTS, 'shop', name).status ?? {};
  return status;
}

describe('a Deployment', () => {
  test('its pods belong to a ReplicaSet that belongs to it', () => {
    const cluster = smallCluster();
    cluster.deploy('web', 1);
    cluster.run(5 * SECOND);
    const [pod] = cluster.pods('web');
    const [replicaSet] = cluster.store.list(REPLICA_SETS);
    expect(pod?.metadata.ownerReferences).toMatchObject([{ kind: 'ReplicaSet', name: replicaSet?.metadata.name }]);
    expect(replicaSet?.metadata.ownerReferences).toMatchObject([{ kind: 'Deployment', name: 'web' }]);
    expect(replicaSet?.spec.replicas).toBe(1);
  });

  test('makes a new pod for one that was deleted', () => {
    const cluster = smallCluster();
    cluster.node('a');
    cluster.deploy('web', 2);
    cluster.run(5 * SECOND);
    const [first] = cluster.pods('web');
    if (first) cluster.api.delete(PODS, first);
    cluster.run(5 * SECOND);
    expect(cluster.pods('web')).toHaveLength(2);
    expect(cluster.pods('web').map(({ metadata }) => metadata.uid)).not.toContain(first?.metadata.uid);
  });

  test('gives up waiting pods first, then the newest', () => {
    const cluster = smallCluster();
    cluster.node('a', { cpu: '3' });
    cluster.deploy('web', 2);
    cluster.run(5 * SECOND);
    const oldest = cluster
      .pods('web')
      .map(({ metadata }) => metadata.name)
      .sort();
    cluster.scale('web', 5);
    cluster.run(5 * SECOND);
    cluster.scale('web', 3);
    cluster.run(5 * SECOND);
    expect(cluster.pods('web').map(({ status }) => status.phase)).toEqual(['Running', 'Running', 'Running']);
    cluster.scale('web', 2);
    cluster.run(5 * SECOND);
    expect(
      cluster
        .pods('web')
        .map(({ metadata }) => metadata.name)
        .sort(),
    ).toEqual(oldest);
  });

  test('takes its pods and ReplicaSets with it when it is deleted', () => {
    const cluster = smallCluster();
    cluster.node('a');
    cluster.deploy('web', 2);
    cluster.run(5 * SECOND);
    cluster.api.delete(DEPLOYMENTS, cluster.api.get(DEPLOYMENTS, 'shop', 'web'));
    cluster.run(5 * SECOND);
    expect([cluster.pods('web'), cluster.store.list(REPLICA_SETS)]).toEqual([[], []]);
  });

  test('waits for its PriorityClass and says so', () => {
    const cluster = smallCluster();
    cluster.node('a');
    cluster.deploy('web', 1, { priorityClassName: 'late' });
    cluster.run(5 * SECOND);
    expect(cluster.pods('web')).toEqual([]);
    const { status } = cluster.api.get(DEPLOYMENTS, 'shop', 'web');
    const failure = status?.conditions?.find(({ type }) => type === 'ReplicaFailure');
    expect(failure?.message).toContain('no PriorityClass with name late was found');
    const body = { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: 'late' }, value: 7 };
    cluster.api.create(PRIORITY_CLASSES, undefined, body);
    cluster.run(5 * SECOND);
    expect(cluster.pods('web').map(({ spec }) => spec.priority)).toEqual([7]);
    const { status: healed } = cluster.api.get(DEPLOYMENTS, 'shop', 'web');
    expect(healed?.conditions?.map(({ type }) => type)).not.toContain('ReplicaFailure');
  });

  describe('with a new template', () => {
    const strategies = [
      { name: 'without surge', strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: '100%' } }, most: 4 },
      { name: 'one by one', strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } }, most: 4 },
      { name: 'with a surge of two', strategy: { rollingUpdate: { maxSurge: 2, maxUnavailable: 0 } }, most: 6 },
      { name: 'all at once', strategy: { type: 'Recreate' }, most: 4 },
    ];

    test.each(strategies)(
      'replaces its pods $name, never has more than it may, and counts only new ones as ready',
      (one) => {
        const { strategy, most } = one;
        const cluster = smallCluster();
        cluster.node('a', { cpu: '16' });
        cluster.deploy('web', 4, {}, { strategy });
        cluster.run(5 * SECOND);
        const ready = () => currentHeadroom(cluster.api.get(DEPLOYMENTS, 'shop', 'web') as never).ready;
        const isNew = ({ spec }: Pod) => spec.containers[0]?.resources?.requests?.cpu === '2';
        const isReady = ({ status }: Pod) =>
          status.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True');
        expect(ready()).toBe(4);
        cluster.deploy('web', 4, { containers: [container('2')] }, { strategy });
        expect(ready()).toBe(0);
        let seen = 0;
        for (let step = 0; step < 200; step += 1) {
          cluster.run(100);
          const active = cluster.pods('web').filter(({ metadata }) => metadata.deletionTimestamp === undefined);
          seen = Math.max(seen, active.length);
          const newAndReady = cluster.pods('web').filter((pod) => isNew(pod) && isReady(pod));
          expect(ready()).toBeLessThanOrEqual(newAndReady.length);
        }
        expect(seen).toBeLessThanOrEqual(most);
        expect(ready()).toBe(4);
        expect(cluster.pods('web').filter(isNew)).toHaveLength(4);
        expect(statusOf(cluster, 'web')).toMatchObject({ replicas: 4, updatedReplicas: 4, readyReplicas: 4 });
      },
    );
  });
});
