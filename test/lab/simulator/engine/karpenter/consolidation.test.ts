import { allowedDisruptions } from '../../../../../lab/simulator/engine/karpenter/disruption';
import { PRIORITY_CLASSES } from '../../../../../lab/simulator/kube/kinds';
import { container, HOUR, M6I, MINUTE, SECOND, smallCluster } from '../small-cluster';

const UNDERUTILIZED = { consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: '30s' };

describe('consolidation', () => {
  test.each([
    { policy: 'WhenEmpty', after: '30s', gone: 3 },
    { policy: 'WhenEmptyOrUnderutilized', after: '1m30s', gone: 3 },
    { policy: 'WhenEmpty', after: 'Never', gone: 0 },
    { policy: 'WhenEmpty', after: '30s', budgets: [{ nodes: '0' }], gone: 0 },
  ])('$policy after $after, with the budgets $budgets, removes $gone of 3 empty nodes', (given) => {
    const { policy: consolidationPolicy, after: consolidateAfter, budgets = [{ nodes: '100%' }], gone } = given;
    const cluster = smallCluster();
    cluster.pool('default', { disruption: { consolidationPolicy, consolidateAfter, budgets } });
    cluster.headroom('pause', 3);
    cluster.run(2 * MINUTE);
    cluster.scale('pause', 0);
    const since = cluster.now();
    cluster.run(10 * MINUTE);
    expect(cluster.of('nodeGone').map(({ why }) => why)).toEqual(Array.from({ length: gone }, () => 'empty'));
    const wait = consolidateAfter === '30s' ? 30 * SECOND : 90 * SECOND;
    for (const { at } of cluster.of('nodeLeaving')) expect(at - since).toBeGreaterThan(wait);
  });

  test('pods with a priority below -2^25 count as nothing, so that their nodes come and go without end', () => {
    const cluster = smallCluster();
    cluster.pool('default');
    const body = {
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name: 'nothing' },
      value: -1e9,
    };
    cluster.api.create(PRIORITY_CLASSES, undefined, body);
    cluster.deploy('pause', 1, { priorityClassName: 'nothing' });
    cluster.run(HOUR);
    expect(cluster.of('nodeGone').length).toBeGreaterThan(5);
  });

  test('a budget lets nodes go a few at a time', () => {
    const cluster = smallCluster();
    cluster.pool('default', { disruption: { budgets: [{ nodes: '1' }] } });
    cluster.headroom('pause', 3);
    cluster.run(2 * MINUTE);
    cluster.scale('pause', 0);
    cluster.run(10 * MINUTE);
    const times = cluster.of('nodeLeaving').map(({ at }) => at);
    expect(times).toHaveLength(3);
    expect(new Set(times).size).toBe(3);
  });

  test.each([
    { name: 'a tenth, rounded up', budgets: [{ nodes: '10%' }], allowed: 2 },
    { name: 'the strictest of several', budgets: [{ nodes: '50%' }, { nodes: '3' }], allowed: 3 },
    {
      name: 'one for another reason does not count',
      budgets: [{ nodes: '0', reasons: ['Underutilized'] }],
      allowed: 20,
    },
    {
      name: 'one in force by its schedule',
      budgets: [{ nodes: '0', schedule: '0 7 * * *', duration: '1h' }],
      allowed: 0,
    },
    { name: 'one that starts now', budgets: [{ nodes: '0', schedule: '30 7 * * *', duration: '1m' }], allowed: 0 },
    { name: 'one that has just ended', budgets: [{ nodes: '0', schedule: '0 7 * * *', duration: '30m' }], allowed: 20 },
    { name: 'none', budgets: [], allowed: 20 },
  ])('of 20 nodes at 07:30 UTC the budget $name allows $allowed', ({ budgets, allowed }) => {
    expect(allowedDisruptions(budgets, 'Empty', 20, Date.parse('2026-03-02T07:30:00Z'))).toBe(allowed);
  });

  describe('of underutilized nodes', () => {
    test('removes a node whose pods fit on the others, once', () => {
      const cluster = smallCluster();
      cluster.pool('default', { disruption: UNDERUTILIZED });
      cluster.deploy('web', 4, { containers: [container('900m')] });
      cluster.run(2 * MINUTE);
      const nodes = cluster.karpenterNodes().length;
      cluster.scale('web', 2);
      cluster.run(30 * MINUTE);
      expect([nodes, cluster.karpenterNodes().length]).toEqual([2, 1]);
      expect(cluster.pods('web').map(({ status }) => status.phase)).toEqual(['Running', 'Running']);
      expect(cluster.of('nodeOrdered')).toHaveLength(2);
    });

    test('leaves nodes alone whose pods need one each', () => {
      const cluster = smallCluster();
      cluster.pool('default', { requirements: M6I, disruption: UNDERUTILIZED });
      cluster.headroom('pause', 3, '500m');
      cluster.run(HOUR);
      expect([cluster.karpenterNodes().length, cluster.of('nodeLeaving').length]).toEqual([3, 0]);
    });
  });
});
