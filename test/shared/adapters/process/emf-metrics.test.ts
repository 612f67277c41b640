import { emfMetrics } from '../../../../shared/adapters/process/emf-metrics';

describe('emfMetrics', () => {
  test('writes the figures of each NodePool in one line', () => {
    const lines: string[] = [];
    emfMetrics(
      'demo',
      () => 7,
      (line) => lines.push(line),
    ).headroom([{ nodePool: 'web', desired: 6, ready: 4, late: 2 }]);
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      {
        _aws: {
          Timestamp: 7,
          CloudWatchMetrics: [
            {
              Namespace: 'Headstart',
              Dimensions: [['Cluster', 'NodePool']],
              Metrics: ['DesiredHeadroom', 'ReadyHeadroom', 'LateHeadroom'].map((Name) => ({
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
        LateHeadroom: 2,
      },
    ]);
  });

  test('has two metrics for a NodePool that nothing is late for', () => {
    const lines: string[] = [];
    emfMetrics(
      'demo',
      () => 7,
      (line) => lines.push(line),
    ).headroom([{ nodePool: 'web', desired: 6, ready: 4 }]);
    const [{ _aws, ...rest }] = lines.map((line) => JSON.parse(line));
    expect(_aws.CloudWatchMetrics[0].Metrics).toHaveLength(2);
    expect(rest).toEqual({ Cluster: 'demo', NodePool: 'web', DesiredHeadroom: 6, ReadyHeadroom: 4 });
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
