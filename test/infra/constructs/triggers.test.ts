import { INTERRUPTION_CAUSES } from '../../../shared/core/events/interruption-causes';
import { parseEvent } from '../../../shared/core/events/parse-event';
import { demo } from '../demo-config';
import { configOf, NOW, type Resource, synthesized } from '../synthesized';

const made = synthesized(demo);

describe('alarms', () => {
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
});

describe('interruptions', () => {
  test('what the rule for a cause lets through is read as that cause', () => {
    const on = JSON.stringify(INTERRUPTION_CAUSES);
    const { all } = synthesized(
      configOf(`{cluster: {name: a, region: eu-west-1}, nodePools: {x: {max: 9, interruptions: {on: ${on}}}}}`),
    );
    const patterns = Object.entries(all('AWS::Events::Rule')).map(
      ([id, { Properties }]) => [id.replace('Interruptions', ''), Properties.EventPattern] as const,
    );
    expect(patterns.map(([cause]) => cause).sort()).toEqual([...INTERRUPTION_CAUSES].sort());
    for (const [cause, { source, 'detail-type': detailType, detail = {} }] of patterns) {
      const wanted = Object.entries(detail as Record<string, string[]>).map(([key, [first]]) => [key, first]);
      const instance = { 'instance-id': 'i-1', affectedEntities: [{ entityValue: 'i-1' }] };
      const named = { 'instance-action': 'terminate', ...instance, ...Object.fromEntries(wanted) };
      const event = { source: source[0], 'detail-type': detailType[0], time: NOW.toISOString(), detail: named };
      expect(parseEvent(event, 0)).toMatchObject({ kind: 'interruption', cause, instanceIds: ['i-1'] });
    }
  });

  test('a notice that failed comes again within 30 s, three times before a spot node is gone, and for ten minutes', () => {
    const queue = made.one('AWS::SQS::Queue', 'InterruptionsQueue').Properties;
    const { VisibilityTimeout, RedrivePolicy } = queue;
    const [mapping] = Object.values(made.all('AWS::Lambda::EventSourceMapping'));
    const again = VisibilityTimeout + mapping?.Properties.MaximumBatchingWindowInSeconds;
    expect(again).toBeLessThanOrEqual(30);
    expect(Math.floor(120 / again)).toBeGreaterThanOrEqual(3);
    const { Timeout } = made.one('AWS::Lambda::Function', 'InterruptionFunction').Properties;
    expect(VisibilityTimeout).toBeGreaterThan(Timeout);
    const tries = VisibilityTimeout * RedrivePolicy.maxReceiveCount;
    expect(tries).toBeGreaterThanOrEqual(600);
    expect(queue.MessageRetentionPeriod).toBeGreaterThan(tries);
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
