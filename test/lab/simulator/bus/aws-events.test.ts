import {
  alarmStateChangeEvent,
  rebalanceRecommendationEvent,
  spotInterruptionEvent,
} from '../../../../lab/simulator/bus/aws-events';
import { parseEvent } from '../../../../shared/core/events/parse-event';

const ORIGIN = { region: 'ap-northeast-2', account: '111122223333' };
const AT = Date.parse('2026-03-02T02:25:07.250Z');

test('an alarm change has the envelope that CloudWatch sends', () => {
  const change = { alarmName: 'orders', state: 'ALARM', previous: 'OK', at: AT, previousAt: AT - 60_000 } as const;
  const event = alarmStateChangeEvent(ORIGIN, change);
  expect(event).toMatchObject({
    version: '0',
    source: 'aws.cloudwatch',
    'detail-type': 'CloudWatch Alarm State Change',
    account: '111122223333',
    time: '2026-03-02T02:25:07Z',
    region: 'ap-northeast-2',
    resources: ['arn:aws:cloudwatch:ap-northeast-2:111122223333:alarm:orders'],
    detail: { state: { value: 'ALARM', timestamp: '2026-03-02T02:25:07.250+0000' } },
  });
  expect(event.id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
});

test('an alarm change is read back with its own time', () => {
  const change = { alarmName: 'orders', state: 'OK', previous: 'ALARM', at: AT, previousAt: AT - 60_000 } as const;
  const event = parseEvent(alarmStateChangeEvent(ORIGIN, change), 0);
  expect(event).toEqual({ kind: 'alarm', alarmName: 'orders', state: 'OK', previous: 'ALARM', at: AT });
});

test.each([
  { name: 'a spot interruption', event: spotInterruptionEvent, cause: 'spot' },
  { name: 'a rebalance recommendation', event: rebalanceRecommendationEvent, cause: 'rebalance' },
])('$name is read back', ({ event, cause }) => {
  const read = parseEvent(event(ORIGIN, 'i-0abc', AT), 0);
  expect(read).toEqual({ kind: 'interruption', cause, instanceIds: ['i-0abc'], at: AT - 250 });
});
