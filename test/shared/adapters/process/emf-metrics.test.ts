import { emfMetrics } from '../../../../shared/adapters/process/emf-metrics';

describe('emfMetrics', () => {
  test('writes three figures and the late one for each NodePool in one line', () => {
    const lines: string[] = [];
    emfMetrics(
      'demo',
      () => 7,
      (line) => lines.push(line),
    ).headroom([{ nodePool: 'web', desired: 6, ready: 4, shortfall: 2, late: 0 }]);
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      {
        _aws: {
          Timestamp: 7,
          CloudWatchMetrics: [
            {
              Namespace: 'Headstart',
              Dimensions: [['Cluster', 'NodePool']],
              Metrics: ['DesiredHeadroom', 'ReadyHeadroom', 'HeadroomShortfall', 'LateHeadroom'].map((Name) => ({
                Name,
                Unit: 'Count',
              })),
            },
          ],
        },
        Cluster: 'demo',
        NodePool: 'web',
        DesiredHeadroom: 6,
        ReadyHeadroom: 4,
        HeadroomShortfall: 2,
        LateHeadroom: 0,
      },
    ]);
  });

  test('counts rejected events and errors for the cluster', () => {
    const lines: string[] = [];
    emfMetrics(
      'demo',
      () => 7,
      (line) => lines.push(line),
    ).count('rejectedEvents', 2);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ Cluster: 'demo', RejectedEvents: 2 });
  });
});
