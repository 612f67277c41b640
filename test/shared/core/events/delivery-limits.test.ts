import { EVENT_QUEUE } from '../../../../shared/core/events/delivery-limits';
import { loadEvent } from '../../../events/load-event';

/** What Lambda hands to a function at most; it ends a batch before that. */
const PAYLOAD_BYTES = 6 * 1024 * 1024;

/** A message as Lambda passes it on: what SQS knows of it takes more room than most notices. */
const record = (event: object, index: number) => ({
  messageId: '059f36b4-87a3-44ab-83d2-661975830a7d',
  receiptHandle: `${'A'.repeat(460)}${index}`,
  body: JSON.stringify(event),
  attributes: {
    ApproximateReceiveCount: '24',
    AWSTraceHeader: 'Root=1-5759e988-bd862e3fe1be46a994272793;Parent=3995c3f42cd8ad8c;Sampled=1',
    SentTimestamp: '1545082649183',
    SenderId: 'AIDAIENQZJOLO23YVJ4VO:AIDAIENQZJOLO23YVJ4VO',
    ApproximateFirstReceiveTimestamp: '1545082649185',
  },
  messageAttributes: {},
  md5OfBody: 'e4e68fb7bd0e697a0ae8f1bb342846b3',
  eventSource: 'aws:sqs',
  eventSourceARN: `arn:aws-us-gov:sqs:us-gov-west-1:123456789012:${'q'.repeat(80)}`,
  awsRegion: 'us-gov-west-1',
});

/** Of an account whose instances are retired by the dozen, with the text that goes with it. */
function longHealthEvent(): object {
  const detail = {
    eventDescription: [{ language: 'en_US', latestDescription: 'EC2 has detected degradation. '.repeat(60) }],
    affectedEntities: Array.from({ length: 12 }, () => ({
      entityValue: 'i-0a1b2c3d4e5f60001',
      lastUpdatedTime: 'Mon, 16 Nov 2026 03:00:00 GMT',
      status: 'PENDING',
    })),
  };
  return loadEvent('health-scheduled-change', {}, detail) as object;
}

test.each([
  { name: 'spot warnings', event: loadEvent('spot-interruption') },
  { name: 'rebalance recommendations', event: loadEvent('rebalance-recommendation') },
  { name: 'capacity reservation notices', event: loadEvent('capacity-reservation') },
  { name: 'state changes', event: loadEvent('instance-state-change') },
  { name: 'health events of twelve instances', event: longHealthEvent() },
])('a full batch of $name is under 6 MB', ({ event }) => {
  const Records = Array.from({ length: EVENT_QUEUE.batchSize }, (_, index) => record(event as object, index));
  expect(Buffer.byteLength(JSON.stringify({ Records }))).toBeLessThan(PAYLOAD_BYTES);
});
