import { alarmStateChange } from '../../../shared/core/events/alarm-state-change';
import { capacityReservation } from '../../../shared/core/events/capacity-reservation';
import { healthScheduledChange } from '../../../shared/core/events/health-scheduled-change';
import { instanceStateChange } from '../../../shared/core/events/instance-state-change';
import { INTERRUPTION_CAUSES } from '../../../shared/core/events/interruption-causes';
import { parseEvent } from '../../../shared/core/events/parse-event';
import { rebalanceRecommendation } from '../../../shared/core/events/rebalance-recommendation';
import { spotInterruption } from '../../../shared/core/events/spot-interruption';
import { demo } from '../demo-config';
import { configOf, type Resource, synthesized } from '../synthesized';

const made = synthesized(demo);
const P95_HIGH = demo.headrooms[0]?.alarms[1]?.alarmName ?? '';

describe('alarms', () => {
  test('one rule hears of exactly the configured alarms', () => {
    expect(made.one('AWS::Events::Rule', 'AlarmsRule').Properties).toMatchObject({
      EventPattern: {
        source: [alarmStateChange.source],
        'detail-type': [alarmStateChange.detailType],
        // An alarm of the same name in another account is none of ours.
        account: ['<AWS::AccountId>'],
        detail: { alarmName: ['queue-deep', P95_HIGH] },
      },
      Targets: [
        {
          Arn: '<AlarmFunction.Arn>',
          DeadLetterConfig: { Arn: '<FailuresQueue.Arn>' },
          RetryPolicy: { MaximumEventAgeInSeconds: 600, MaximumRetryAttempts: 10 },
        },
      ],
    });
  });

  test('a metric becomes an alarm under the name that the functions ask for', () => {
    expect(made.one('AWS::CloudWatch::Alarm', 'Alarmsservice').Properties).toEqual({
      AlarmName: P95_HIGH,
      AlarmDescription: 'service: p95-high adds 2 replicas of headroom',
      Namespace: 'AWS/ApplicationELB',
      MetricName: 'TargetResponseTime',
      Dimensions: [{ Name: 'LoadBalancer', Value: 'app/x' }],
      ExtendedStatistic: 'p95',
      Period: 30,
      EvaluationPeriods: 2,
      ComparisonOperator: 'GreaterThanThreshold',
      Threshold: 0.8,
    });
  });

  test('there are as many rules as the length of a pattern asks for', () => {
    const names = Array.from({ length: 60 }, (_, index) => `${'x'.repeat(90)}-${index}`);
    const alarms = names.map((alarmName) => ({ alarmName, add: 1 }));
    const many = synthesized(
      configOf(JSON.stringify({ cluster: { name: 'a', region: 'eu-west-1' }, nodePools: { x: { max: 9, alarms } } })),
    );
    const patterns = Object.values(many.all('AWS::Events::Rule')).map(({ Properties }) => Properties.EventPattern);
    expect(patterns.length).toBeGreaterThan(1);
    for (const pattern of patterns) expect(JSON.stringify(pattern).length).toBeLessThanOrEqual(2_048);
    expect(patterns.flatMap(({ detail }) => detail.alarmName)).toEqual(names);
  });
});

describe('with 600 alarms and every other trigger', () => {
  const many = synthesized(
    configOf(
      JSON.stringify({
        cluster: { name: 'a', region: 'eu-west-1' },
        nodePools: Object.fromEntries(
          Array.from({ length: 30 }, (_, pool) => [
            `pool-${pool}`,
            {
              max: 40,
              alarms: Array.from({ length: 20 }, (_, index) => ({
                alarmName: `${'x'.repeat(90)}-${pool}-${index}`,
                add: 1,
              })),
              interruptions: { on: INTERRUPTION_CAUSES },
              events: [{ name: 'sale', pattern: { source: ['shop'] }, hold: '1h', desiredReplicas: 2 }],
            },
          ]),
        ),
      }),
    ),
  );
  const rules = Object.values(many.all('AWS::Events::Rule'));
  const RULES = 'arn:aws:events:eu-west-1:<AWS::AccountId>:rule/*';

  test('no queue policy exceeds the 20 statements and 8,192 bytes that SQS allows', () => {
    expect(rules.length).toBeGreaterThan(60);
    for (const policy of Object.values(many.all('AWS::SQS::QueuePolicy'))) {
      expect(statementsOf(policy).length).toBeLessThanOrEqual(20);
      expect(JSON.stringify(policy.Properties.PolicyDocument).length).toBeLessThan(8_192);
    }
  });

  test('one statement admits every rule of the account and region to the queue of failures', () => {
    const allowed = statementsOf(many.one('AWS::SQS::QueuePolicy', 'FailuresQueuePolicy')).filter(
      ({ Effect }) => Effect === 'Allow',
    );
    expect(allowed).toEqual([
      {
        Effect: 'Allow',
        Principal: { Service: 'events.amazonaws.com' },
        Action: 'sqs:SendMessage',
        Resource: '<FailuresQueue.Arn>',
        Condition: { ArnLike: { 'aws:SourceArn': RULES } },
      },
    ]);
  });

  test('one permission lets them invoke the function: its policy holds 20 KB', () => {
    expect(Object.values(many.all('AWS::Lambda::Permission')).map(({ Properties }) => Properties)).toEqual([
      {
        Action: 'lambda:InvokeFunction',
        FunctionName: '<AlarmFunction.Arn>',
        Principal: 'events.amazonaws.com',
        SourceArn: RULES,
      },
    ]);
  });

  test('every rule keeps what it cannot deliver', () => {
    for (const { Properties } of rules)
      expect(Properties.Targets).toMatchObject([
        { DeadLetterConfig: { Arn: '<FailuresQueue.Arn>' }, RetryPolicy: { MaximumEventAgeInSeconds: 600 } },
      ]);
  });
});

describe('interruptions', () => {
  const PATTERNS = {
    spot: pattern(spotInterruption),
    rebalance: pattern(rebalanceRecommendation),
    capacityReservation: pattern(capacityReservation),
    health: { ...pattern(healthScheduledChange), detail: { service: ['EC2'], eventTypeCategory: ['scheduledChange'] } },
    stateChange: {
      ...pattern(instanceStateChange),
      detail: { state: ['stopping', 'stopped', 'shutting-down', 'terminated'] },
    },
  };
  const rulesOf = ({ all }: typeof made) =>
    Object.entries(all('AWS::Events::Rule')).filter(([id]) => id.startsWith('Interruptions'));

  test('there is a rule for each cause that any NodePool wants', () => {
    const { capacityReservation: _, ...wanted } = PATTERNS;
    const rules = rulesOf(made).map(([id, { Properties }]) => [
      id.replace('Interruptions', ''),
      Properties.EventPattern,
    ]);
    expect(Object.fromEntries(rules)).toEqual(wanted);
  });

  test('each cause has its pattern', () => {
    const on = JSON.stringify(INTERRUPTION_CAUSES);
    const all = synthesized(
      configOf(`{cluster: {name: a, region: eu-west-1}, nodePools: {x: {max: 9, interruptions: {on: ${on}}}}}`),
    );
    const rules = rulesOf(all).map(([id, { Properties }]) => [
      id.replace('Interruptions', ''),
      Properties.EventPattern,
    ]);
    expect(Object.fromEntries(rules)).toEqual(PATTERNS);
  });

  test('what the rule for a cause lets through is read as that cause', () => {
    const details = {
      spot: { 'instance-id': 'i-1', 'instance-action': 'terminate' },
      rebalance: { 'instance-id': 'i-1' },
      capacityReservation: { 'instance-id': 'i-1', 'instance-action': 'terminate' },
      health: {
        service: PATTERNS.health.detail.service[0],
        eventTypeCategory: PATTERNS.health.detail.eventTypeCategory[0],
        affectedEntities: [{ entityValue: 'i-1' }],
      },
      stateChange: { 'instance-id': 'i-1', state: PATTERNS.stateChange.detail.state[0] },
    };
    for (const cause of Object.keys(PATTERNS) as (keyof typeof PATTERNS)[]) {
      const { source, 'detail-type': detailType } = PATTERNS[cause];
      const event = {
        source: source[0],
        'detail-type': detailType[0],
        time: '2026-11-27T02:25:00Z',
        detail: details[cause],
      };
      expect(parseEvent(event, 0)).toMatchObject({ kind: 'interruption', cause, instanceIds: ['i-1'] });
    }
  });

  test('notices go through a queue of our own, encrypted, over TLS, with a dead-letter queue', () => {
    const queue = made.one('AWS::SQS::Queue', 'InterruptionsQueue').Properties;
    expect(queue).toEqual({
      SqsManagedSseEnabled: true,
      MessageRetentionPeriod: 3_600,
      VisibilityTimeout: 25,
      RedrivePolicy: { deadLetterTargetArn: '<InterruptionsDeadLettersQueue.Arn>', maxReceiveCount: 24 },
    });
    const { Timeout } = made.one('AWS::Lambda::Function', 'InterruptionFunction').Properties;
    expect(queue.VisibilityTimeout).toBeGreaterThan(Timeout);
    expect(queue.MessageRetentionPeriod).toBeGreaterThan(queue.VisibilityTimeout * queue.RedrivePolicy.maxReceiveCount);
  });

  test('a notice that failed comes again within 30 s, three times before a spot node is gone, and for ten minutes', () => {
    const { VisibilityTimeout, RedrivePolicy } = made.one('AWS::SQS::Queue', 'InterruptionsQueue').Properties;
    const [mapping] = Object.values(made.all('AWS::Lambda::EventSourceMapping'));
    const again = VisibilityTimeout + mapping?.Properties.MaximumBatchingWindowInSeconds;
    expect(again).toBeLessThanOrEqual(30);
    expect(Math.floor(120 / again)).toBeGreaterThanOrEqual(3);
    expect(VisibilityTimeout * RedrivePolicy.maxReceiveCount).toBeGreaterThanOrEqual(600);
  });

  test('a rule that cannot reach the queue tries for ten minutes, then keeps the notice', () => {
    for (const [, { Properties }] of rulesOf(made))
      expect(Properties.Targets).toEqual([
        {
          Id: 'Target0',
          Arn: '<InterruptionsQueue.Arn>',
          DeadLetterConfig: { Arn: '<FailuresQueue.Arn>' },
          RetryPolicy: { MaximumEventAgeInSeconds: 600, MaximumRetryAttempts: 10 },
        },
      ]);
  });

  test('only these rules may send to it', () => {
    const sends = statementsOf(made.one('AWS::SQS::QueuePolicy', 'InterruptionsQueuePolicy')).filter(
      ({ Effect }) => Effect === 'Allow',
    );
    expect(sends.map(({ Principal, Condition }) => ({ Principal, Condition }))).toEqual(
      rulesOf(made).map(([id]) => ({
        Principal: { Service: 'events.amazonaws.com' },
        Condition: { ArnEquals: { 'aws:SourceArn': `<${id}.Arn>` } },
      })),
    );
  });

  test('the function takes them in batches, two at a time, and reports which failed', () => {
    expect(made.one('AWS::Lambda::EventSourceMapping').Properties).toMatchObject({
      EventSourceArn: '<InterruptionsQueue.Arn>',
      BatchSize: 1000,
      MaximumBatchingWindowInSeconds: 1,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ScalingConfig: { MaximumConcurrency: 2 },
    });
  });
});

test('every queue is encrypted and refuses what does not come over TLS', () => {
  const queues = Object.entries(made.all('AWS::SQS::Queue'));
  const policies = Object.values(made.all('AWS::SQS::QueuePolicy'));
  expect(queues.map(([id]) => id).sort()).toEqual([
    'FailuresQueue',
    'InterruptionsDeadLettersQueue',
    'InterruptionsQueue',
  ]);
  for (const [id, { Properties }] of queues) {
    expect(Properties.SqsManagedSseEnabled).toBe(true);
    const policy = policies.find(({ Properties: { Queues } }) => Queues.includes(`<${id}>`));
    expect(policy && statementsOf(policy)).toContainEqual({
      Effect: 'Deny',
      Action: 'sqs:*',
      Principal: { AWS: '*' },
      Resource: `<${id}.Arn>`,
      Condition: { Bool: { 'aws:SecureTransport': 'false' } },
    });
  }
});

interface Statement {
  readonly Effect: string;
  readonly Principal: unknown;
  readonly Condition: unknown;
}

function statementsOf({ Properties }: Resource): Statement[] {
  return Properties.PolicyDocument.Statement;
}

function pattern({ source, detailType }: { readonly source: string; readonly detailType: string }) {
  return { source: [source], 'detail-type': [detailType] };
}
