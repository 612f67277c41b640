import { METRIC_NAMESPACE, METRICS } from '../../../shared/adapters/process/emf-metrics';
import { demo } from '../demo-config';
import { configOf, synthesized } from '../synthesized';

const made = synthesized(demo);

describe('alarms on Headstart itself', () => {
  const alarms = Object.entries(made.all('AWS::CloudWatch::Alarm')).filter(([id]) => id.startsWith('OwnAlarms'));
  const own = (id: string) => made.one('AWS::CloudWatch::Alarm', `OwnAlarms${id}`).Properties;

  test.each([
    { id: 'RejectedEvents', says: 'rejected' },
    { id: 'UnreadableRecords', says: 'cannot be read' },
    { id: 'ContestedFields', says: 'keeps changing' },
    { id: 'MissingNodePools', says: 'the cluster does not have' },
    { id: 'AdminsKept', says: 'may still be cluster admin' },
  ])('$id fires on the first one, and its description says what it is', ({ id, says }) => {
    expect(own(id)).toMatchObject({
      MetricName: id,
      Namespace: 'Headstart',
      Threshold: 1,
      EvaluationPeriods: 1,
      Statistic: 'Sum',
      TreatMissingData: 'notBreaching',
      AlarmDescription: expect.stringContaining(says),
    });
  });

  test('the one on silence is made after the first heartbeats, so that a first deploy does not ring it', () => {
    const { DependsOn = [] } = made.one('AWS::CloudWatch::Alarm', 'OwnAlarmsSilent');
    const types = DependsOn.map((id) => made.resources[id]?.Type);
    expect(types).toEqual(expect.arrayContaining(['AWS::Scheduler::Schedule', 'Custom::HeadstartDeployReconcile']));
  });

  test('all go to one topic, which takes them over TLS only', () => {
    expect(alarms.map(([id]) => id.replace('OwnAlarms', ''))).toEqual([
      'Errors',
      'DeadLettersEvents',
      'DeadLettersInterruptions',
      'Silent',
      'Lateservice',
      'Lateci',
      'RejectedEvents',
      'UnreadableRecords',
      'ContestedFields',
      'MissingNodePools',
      'AdminsKept',
    ]);
    for (const [, { Properties }] of alarms) expect(Properties.AlarmActions).toEqual(['<OwnAlarmsTopic>']);
    expect(made.one('AWS::SNS::TopicPolicy').Properties.PolicyDocument.Statement).toEqual([
      expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
      {
        Sid: 'AllowAlarms',
        Effect: 'Allow',
        Principal: { Service: 'cloudwatch.amazonaws.com' },
        Action: 'sns:Publish',
        Resource: '<OwnAlarmsTopic>',
        Condition: { StringEquals: { 'aws:SourceAccount': '<AWS::AccountId>' } },
      },
    ]);
  });

  test('a heartbeat that stops is noticed by its silence', () => {
    expect(own('Silent')).toMatchObject({
      Namespace: 'AWS/Lambda',
      MetricName: 'Invocations',
      Dimensions: [{ Name: 'FunctionName', Value: '<ReconcileFunction>' }],
      ComparisonOperator: 'LessThanThreshold',
      Threshold: 1,
      TreatMissingData: 'breaching',
    });
  });

  test("late nodes are noticed by the functions' own metric, per NodePool with windows", () => {
    expect(own('Lateservice')).toMatchObject({
      Namespace: METRIC_NAMESPACE,
      MetricName: METRICS.late,
      Dimensions: [
        { Name: 'Cluster', Value: 'demo' },
        { Name: 'NodePool', Value: 'service' },
      ],
      Statistic: 'Maximum',
      Threshold: 1,
      TreatMissingData: 'notBreaching',
    });
  });

  test('errors of every function count, and those that a function reports itself', () => {
    const metrics: { MetricStat?: { Metric: { Namespace: string; MetricName: string; Dimensions: unknown } } }[] =
      own('Errors').Metrics;
    const named = metrics.flatMap(({ MetricStat }) => MetricStat?.Metric ?? []);
    expect(named.map(({ Namespace, MetricName, Dimensions }) => [Namespace, MetricName, Dimensions])).toEqual([
      [METRIC_NAMESPACE, METRICS.errors, [{ Name: 'Cluster', Value: 'demo' }]],
      ...['Reconcile', 'Inflate', 'Alarm', 'Interruption'].map((name) => [
        'AWS/Lambda',
        'Errors',
        [{ Name: 'FunctionName', Value: `<${name}Function>` }],
      ]),
    ]);
  });

  test.each([
    { heartbeat: '1m', seconds: 300 },
    { heartbeat: '10m', seconds: 1_800 },
  ])('a reconcile that fails at every heartbeat of $heartbeat fires, without retries that add up', (slow) => {
    const config = configOf(
      `{cluster: {name: a, region: eu-west-1}, heartbeat: ${slow.heartbeat}, nodePools: {x: {max: 1}}}`,
    );
    const { Metrics, Threshold } = synthesized(config).one('AWS::CloudWatch::Alarm', 'OwnAlarmsErrors').Properties;
    const stats = (Metrics as { MetricStat?: { Period: number } }[]).flatMap(({ MetricStat }) => MetricStat ?? []);
    expect(stats.map(({ Period }) => Period)).toEqual(stats.map(() => slow.seconds));
    expect(stats.length).toBeGreaterThan(1);
    expect(Threshold).toBeLessThanOrEqual(slow.seconds / (Number.parseInt(slow.heartbeat, 10) * 60));
  });

  test('anything in a dead-letter queue is an alarm', () => {
    for (const [id, queue] of [
      ['DeadLettersEvents', 'FailuresQueue'],
      ['DeadLettersInterruptions', 'InterruptionsDeadLettersQueue'],
    ] as const)
      expect(own(id)).toMatchObject({
        MetricName: 'ApproximateNumberOfMessagesVisible',
        Dimensions: [{ Name: 'QueueName', Value: `<${queue}.QueueName>` }],
        Threshold: 1,
      });
  });
});
