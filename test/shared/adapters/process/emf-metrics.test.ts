import { emfMetrics } from '../../../../shared/adapters/process/emf-metrics';

describe('emfMetrics', () => {
  test('writes the figures of each NodePool in one line', () => {
    const lines: string[] = [];
    emfMetrics(
      'demo',
      () => 7,
      (line) => lines.push(line),
    ).headroom([{ headroom: 'web', desired: 6, ready: 4, late: 2 }]);
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      {
        _aws: {
          Timestamp: 7,
          CloudWatchMetrics: [
            {
              Namespace: 'Headstart',
              Dimensions: [['Cluster', 'Headroom']],
              Metrics: ['DesiredHeadroom', 'ReadyHeadroom', 'LateHeadroom'].map((Name) => ({
                Name,
                Unit: 'Count',
              })),
            },
          ],
        },
        Cluster: 'demo',
        Headroom: 'web',
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
    ).headroom([{ headroom: 'web', desired: 6, ready: 4 }]);
    const [{ _aws, ...rest }] = lines.map((line) => JSON.parse(line));
    expect(_aws.CloudWatchMetrics[0].Metrics).toHaveLength(2);
    expect(rest).toEqual({ Cluster: 'demo', Headroom: 'web', DesiredHeadroom: 6, ReadyHeadroom: 4 });
  });

  test('is late by seconds', () => {
    const lines: string[] = [];
    const metrics = emfMetrics(
      'demo',
      () => 7,
      (line) => lines.push(line),
    );
    metrics.headroom([{ headroom: 'web', desired: 6, ready: 4, lateBySeconds: 0 }]);
    const { _aws, LateBySeconds } = JSON.parse(lines[0] ?? '');
    expect(_aws.CloudWatchMetrics[0].Metrics[2]).toEqual({ Name: 'LateBySeconds', Unit: 'Seconds' });
    expect(LateBySeconds).toBe(0);
  });

  test.each([
    ['rejectedEvents', 'RejectedEvents'],
    ['foreignEvents', 'ForeignEvents'],
    ['errors', 'Errors'],
    ['unreadableRecords', 'UnreadableRecords'],
    ['contestedFields', 'ContestedFields'],
    ['missingNodePools', 'MissingNodePools'],
    ['liveProblems', 'LiveScheduleProblems'],
    ['liveIgnored', 'LiveSchedulesIgnored'],
    ['adminsKept', 'AdminsKept'],
  ] as const)('counts %s for the cluster, as %s, on which alarms and dashboards are built', (name, metric) => {
    const write = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
    emfMetrics('demo', () => 7).count(name, 2);
    const [[line]] = write.mock.calls as [[string]];
    write.mockRestore();
    expect(JSON.parse(line)).toEqual({
      _aws: {
        Timestamp: 7,
        CloudWatchMetrics: [
          { Namespace: 'Headstart', Dimensions: [['Cluster']], Metrics: [{ Name: metric, Unit: 'Count' }] },
        ],
      },
      Cluster: 'demo',
      [metric]: 2,
    });
  });
});
