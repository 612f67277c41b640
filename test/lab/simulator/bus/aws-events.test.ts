import { alarmStateChangeEvent } from '../../../../lab/simulator/bus/aws-events';

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
