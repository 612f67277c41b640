import { minimal } from '../demo-config';
import { configOf, synthesized } from '../synthesized';

const PATTERNS = {
  // What EventBridge knows and CDK's own construct does not, and what a template could lose on the way.
  odd: {
    source: [{ prefix: 'shop.' }],
    'detail-type': ['Campaign Scheduled', { wildcard: 'Sale *' }],
    detail: { kind: [null, ''], size: [{ numeric: ['>', 0] }], $or: [{ a: ['x'] }, { b: [{ exists: false }] }] },
  },
  cancel: { source: ['shop.cms'], 'detail-type': ['Campaign Cancelled'] },
  foreign: { source: ['shop.import'], account: ['210987654321'] },
};
const OPS = 'arn:aws:events:eu-central-1:123456789012:event-bus/ops';

const config = configOf(
  JSON.stringify({
    cluster: { name: 'demo', region: 'eu-central-1', account: '123456789012' },
    nodePools: {
      service: {
        max: 9,
        events: [
          {
            name: 'campaign',
            pattern: PATTERNS.odd,
            cancel: PATTERNS.cancel,
            key: '$.detail.id',
            from: '$.detail.from',
            to: '$.detail.to',
            desiredReplicas: 6,
          },
          { name: 'a <b> "c"', bus: 'ops', pattern: PATTERNS.cancel, desiredReplicas: 2, hold: '30m' },
        ],
      },
      batch: {
        max: 4,
        events: [{ name: 'campaign', bus: OPS, pattern: PATTERNS.foreign, desiredReplicas: 4, hold: '1h' }],
      },
      plain: { max: 1 },
    },
  }),
);
const made = synthesized(config);
const rules = Object.values(made.all('AWS::Events::Rule')).map(({ Properties }) => Properties);

test('there is one rule for each pattern, on its bus, with the pattern as it was written', () => {
  expect(rules.map(({ EventBusName, EventPattern }) => ({ EventBusName, EventPattern }))).toEqual([
    { EventBusName: 'default', EventPattern: { account: ['123456789012'], ...PATTERNS.odd } },
    { EventBusName: 'default', EventPattern: { account: ['123456789012'], ...PATTERNS.cancel } },
    { EventBusName: 'ops', EventPattern: { account: ['123456789012'], ...PATTERNS.cancel } },
    { EventBusName: OPS, EventPattern: PATTERNS.foreign },
  ]);
});

test('its message names NodePool and event, and carries the event and when it arrived', () => {
  const event = { source: 'shop.cms', detail: { text: 'with "quotes"' } };
  const filled = rules.map(({ Targets: [{ InputTransformer }] }) =>
    InputTransformer.InputTemplate.replace('<aws.events.event.json>', JSON.stringify(event)).replace(
      '<aws.events.event.ingestion-time>',
      '"2026-11-27T09:00:00Z"',
    ),
  );
  const announced = (headroom: string, name: string, cancel = false) => ({
    announced: { headroom, event: name, cancel },
    ingestedAt: '2026-11-27T09:00:00Z',
    event,
  });
  expect(filled.map((text) => JSON.parse(text))).toEqual([
    announced('service', 'campaign'),
    announced('service', 'campaign', true),
    announced('service', 'a <b> "c"'),
    announced('batch', 'campaign'),
  ]);
  // Whatever is in angle brackets is a variable to EventBridge.
  for (const text of filled) expect(text).not.toContain('<');
});

test('a rule that cannot reach the queue tries for ten minutes, then keeps the event', () => {
  for (const { Targets } of rules)
    expect(Targets).toEqual([
      {
        Id: 'Queue',
        Arn: '<AnnouncementsQueue.Arn>',
        InputTransformer: expect.anything(),
        DeadLetterConfig: { Arn: '<FailuresQueue.Arn>' },
        RetryPolicy: { MaximumEventAgeInSeconds: 600, MaximumRetryAttempts: 10 },
      },
    ]);
});

test('rules wait for the access of the function', () => {
  for (const { DependsOn = [] } of Object.values(made.all('AWS::Events::Rule')))
    expect(DependsOn.map((id) => made.resources[id]?.Type)).toContain('AWS::EKS::AccessEntry');
});

test('they have a queue of their own, for as long as an announcement counts, and the function takes batches, two at a time', () => {
  expect(made.one('AWS::SQS::Queue', 'AnnouncementsQueue').Properties).toEqual({
    SqsManagedSseEnabled: true,
    MessageRetentionPeriod: 86_400,
    VisibilityTimeout: 25,
    RedrivePolicy: { deadLetterTargetArn: '<AnnouncementsDeadLettersQueue.Arn>', maxReceiveCount: 24 },
  });
  expect(made.one('AWS::Lambda::EventSourceMapping').Properties).toMatchObject({
    EventSourceArn: '<AnnouncementsQueue.Arn>',
    FunctionName: '<AnnounceFunction>',
    BatchSize: 1000,
    MaximumBatchingWindowInSeconds: 1,
    FunctionResponseTypes: ['ReportBatchItemFailures'],
    ScalingConfig: { MaximumConcurrency: 2 },
  });
  expect(made.one('AWS::Lambda::Function', 'AnnounceFunction').Properties).toMatchObject({
    FunctionName: 'headstart-demo-announce',
    Timeout: 20,
  });
});

test('rules of the account may send to both queues, in one statement, however many they are', () => {
  const queues = ['AnnouncementsQueuePolicy', 'FailuresQueuePolicy'];
  for (const id of queues) {
    const { Statement } = made.one('AWS::SQS::QueuePolicy', id).Properties.PolicyDocument;
    const allowed = Statement.filter(({ Effect }: { Effect: string }) => Effect === 'Allow');
    expect(allowed).toEqual([
      expect.objectContaining({
        Principal: { Service: 'events.amazonaws.com' },
        Condition: { ArnLike: { 'aws:SourceArn': 'arn:aws:events:eu-central-1:123456789012:rule/*' } },
      }),
    ]);
    expect(allowed[0].Action).toBe('sqs:SendMessage');
  }
});

test('its role may take from its queue, and the rest is what every runtime function may', () => {
  const { Statement } = made.one('AWS::IAM::Policy', 'AnnounceRole').Properties.PolicyDocument;
  const [, ...allowed] = (Statement as { Action: unknown; Resource: string }[]).map((one) => [
    one.Action,
    one.Resource,
  ]);
  expect(allowed).toEqual([
    [['sqs:GetQueueAttributes', 'sqs:GetQueueUrl', 'sqs:SendMessage'], '<FailuresQueue.Arn>'],
    ['eks:DescribeCluster', 'arn:aws:eks:eu-central-1:123456789012:cluster/demo'],
    [
      [
        'sqs:ChangeMessageVisibility',
        'sqs:DeleteMessage',
        'sqs:GetQueueAttributes',
        'sqs:GetQueueUrl',
        'sqs:ReceiveMessage',
      ],
      '<AnnouncementsQueue.Arn>',
    ],
  ]);
});

test('dead letters, announcements that nobody takes, and late peaks are alarms', () => {
  const own = (id: string) => made.one('AWS::CloudWatch::Alarm', `OwnAlarms${id}`).Properties;
  expect(own('DeadLettersAnnouncements').Dimensions).toEqual([
    { Name: 'QueueName', Value: '<AnnouncementsDeadLettersQueue.QueueName>' },
  ]);
  // EventBridge's dead letters lack what the input transformer adds, the queue's own have it.
  expect(own('DeadLettersEvents').AlarmDescription).toContain('put an announcement again instead of redriving it');
  expect(own('DeadLettersAnnouncements').AlarmDescription).toContain('redrive them within 24 hours');
  expect(own('WaitingAnnouncements')).toMatchObject({
    MetricName: 'ApproximateAgeOfOldestMessage',
    Dimensions: [{ Name: 'QueueName', Value: '<AnnouncementsQueue.QueueName>' }],
    Statistic: 'Maximum',
    Threshold: 900,
    AlarmActions: ['<OwnAlarmsTopic>'],
  });
  // Longer than all tries take: it means that nobody takes anything.
  const { VisibilityTimeout, RedrivePolicy } = made.one('AWS::SQS::Queue', 'AnnouncementsQueue').Properties;
  expect(own('WaitingAnnouncements').Threshold).toBeGreaterThan(VisibilityTimeout * RedrivePolicy.maxReceiveCount);
  const late = Object.keys(made.all('AWS::CloudWatch::Alarm')).filter((id) => id.startsWith('OwnAlarmsLate'));
  expect(late).toEqual(['OwnAlarmsLateservice', 'OwnAlarmsLatebatch']);
  expect(JSON.stringify(own('Errors').Metrics)).toContain('<AnnounceFunction>');
});

test('nothing of it exists where no NodePool has events', () => {
  expect(Object.keys(synthesized(minimal).resources).filter((id) => /Announce/.test(id))).toEqual([]);
});
