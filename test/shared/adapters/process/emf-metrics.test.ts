import { emfMetrics } from '../../../../shared/adapters/process/emf-metrics';
import { golden } from '../../../golden/golden';

const said = golden(`${__dirname}/emf-metrics.txt`);

describe('emfMetrics', () => {
  // The lines are in emf-metrics.txt.
  test.each([
    { name: 'a NodePool that nodes are late for', more: { late: 2 } },
    { name: 'a NodePool that nothing is late for', more: {} },
    { name: 'a NodePool whose nodes came just in time', more: { lateBySeconds: 0 } },
  ])('writes the figures of $name in one line', ({ name, more }) => {
    const lines: string[] = [];
    const metrics = emfMetrics(
      'demo',
      () => 7,
      (line) => lines.push(line),
    );
    metrics.headroom([{ headroom: 'web', desired: 6, ready: 4, ...more }]);
    said(name, lines.join('\n'));
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
