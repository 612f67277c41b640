import { METRIC_NAMESPACE, METRICS } from '../../../shared/adapters/process/emf-metrics';
import { demo } from '../demo-config';
import { configOf, synthesized } from '../synthesized';

const made = synthesized(demo);

describe('live schedules that are switched on', () => {
  const live = synthesized(
    configOf('{cluster: {name: demo, region: ap-northeast-2, liveSchedules: true}, nodePools: {web: {max: 3}}}'),
  );
  const dependencies = (type: string, id: string): readonly unknown[] =>
    (live.one(type, id).DependsOn ?? []).map((one) => live.resources[one]?.Type);

  test('their alarm needs two of three periods, and is created after the functions have access', () => {
    const { Properties } = live.one('AWS::CloudWatch::Alarm', 'OwnAlarmsLiveSchedules');
    expect(Properties).toMatchObject({
      MetricName: 'LiveScheduleProblems',
      Threshold: 1,
      Period: 300,
      EvaluationPeriods: 3,
      DatapointsToAlarm: 2,
      TreatMissingData: 'notBreaching',
    });
    expect(dependencies('AWS::CloudWatch::Alarm', 'OwnAlarmsLiveSchedules')).toContain('AWS::EKS::AccessEntry');
  });

  test('the function that reads the ConfigMap is deployed after the right to read it, and no other function waits', () => {
    const reconcile = dependencies('AWS::Lambda::Function', 'ReconcileFunction');
    expect(reconcile).toContain('Custom::HeadstartClusterObjects');
    expect(dependencies('AWS::Lambda::Function', 'InflateFunction')).not.toContain('Custom::HeadstartClusterObjects');
    const { DependsOn = [] } = made.one('AWS::Lambda::Function', 'ReconcileFunction');
    expect(DependsOn.map((one) => made.resources[one]?.Type)).not.toContain('Custom::HeadstartClusterObjects');
  });
});

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
    // Incident tools close an incident only when the alarm says that it is OK.
    for (const [, { Properties }] of alarms)
      expect([Properties.AlarmActions, Properties.OKActions]).toEqual([['<OwnAlarmsTopic>'], ['<OwnAlarmsTopic>']]);
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
        { Name: 'Headroom', Value: 'service' },
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
        // SQS stops reporting an idle queue after six hours, with the message still in it.
        TreatMissingData: 'ignore',
      });
  });

  describe('the expression of the alarm on errors', () => {
    const { Metrics } = own('Errors') as { Metrics: { Id: string; Expression?: string }[] };
    const errors = (seen: Readonly<Record<string, number>>) =>
      evaluated(Metrics.find(({ Expression }) => Expression)?.Expression ?? '', seen);

    test.each([
      { name: 'a failed heartbeat, which handler and Lambda both count', seen: { handled: 1, reconcile: 1 }, is: 1 },
      { name: 'three of them', seen: { handled: 3, reconcile: 3, inflate: 0 }, is: 3 },
      { name: 'a failed batch, which only the handler counts', seen: { handled: 1, reconcile: 0 }, is: 1 },
      { name: 'timeouts, which only Lambda counts', seen: { reconcile: 2, alarm: 1, interruption: 0 }, is: 3 },
      { name: 'only functions that never failed', seen: { reconcile: 0 }, is: 0 },
      { name: 'nothing that ever ran', seen: {}, is: undefined },
    ])('$name', ({ seen, is }) => {
      expect(errors(seen)).toBe(is);
    });
  });
});

/** As CloudWatch does: an operator with a missing operand gives nothing, a function over a list leaves out what is missing. */
function evaluated(expression: string, seen: Readonly<Record<string, number>>): number | undefined {
  const over = (pick: (values: number[]) => number) => (list: (number | undefined)[]) => {
    const values = list.filter((one) => one !== undefined);
    return values.length > 0 ? pick(values) : undefined;
  };
  const SUM = over((values) => values.reduce((sum, one) => sum + one, 0));
  const MAX = over((values) => Math.max(...values));
  // A metric that was never published has no points to fill between.
  const FILL = (value: number | undefined) => value;
  const names = ['handled', 'reconcile', 'inflate', 'alarm', 'interruption'];
  const value = new Function('SUM', 'MAX', 'FILL', ...names, `return ${expression}`)(
    SUM,
    MAX,
    FILL,
    ...names.map((name) => seen[name]),
  );
  return Number.isNaN(value) ? undefined : value;
}
