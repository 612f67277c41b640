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

test('its message names headroom and event, and carries the event and when it arrived', () => {
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

test('an announcement that waits in its queue rings only when nobody takes any: all tries are faster', () => {
  const { Threshold } = made.one('AWS::CloudWatch::Alarm', 'OwnAlarmsWaitingAnnouncements').Properties;
  const { VisibilityTimeout, RedrivePolicy } = made.one('AWS::SQS::Queue', 'AnnouncementsQueue').Properties;
  expect(Threshold).toBeGreaterThan(VisibilityTimeout * RedrivePolicy.maxReceiveCount);
});
