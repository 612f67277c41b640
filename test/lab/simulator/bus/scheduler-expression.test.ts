import fc from 'fast-check';
import { readExpression } from '../../../../lab/simulator/bus/scheduler-expression';
import { compileCron } from '../../../../shared/core/windows/aws-cron';
import { parseCron } from '../../../../shared/core/windows/cron';
import { startsOf } from '../../../../shared/core/windows/edges';

const time = (text: string) => Date.parse(text);

test.each([
  ['a time of day', 'cron(25 11 ? * MON-FRI *)', 'Asia/Seoul', '2026-03-06T02:25Z', '2026-03-09T02:25Z'],
  ['a list and a range', 'cron(0,30 9-10 * * ? *)', 'UTC', '2026-03-06T10:30Z', '2026-03-07T09:00Z'],
  ['the last day of the month', 'cron(0 0 L * ? *)', 'UTC', '2028-02-01T00:00Z', '2028-02-29T00:00Z'],
  ['Sunday', 'cron(0 12 ? * SUN *)', 'UTC', '2026-03-02T00:00Z', '2026-03-08T12:00Z'],
  ['not in a skipped hour', 'cron(30 2 * * ? *)', 'Europe/Berlin', '2026-03-28T12:00Z', '2026-03-30T00:30Z'],
  ['once in a repeated hour', 'cron(30 2 * * ? *)', 'Europe/Berlin', '2026-10-25T00:30Z', '2026-10-26T01:30Z'],
  ['one time', 'at(2026-11-27T08:00:00)', 'Asia/Seoul', '2026-01-01T00:00Z', '2026-11-26T23:00Z'],
  ['a rate', 'rate(5 minutes)', 'UTC', '2026-03-02T00:02:30Z', '2026-03-02T00:05Z'],
] as const)('EventBridge Scheduler fires %s: %s in %s', (_name, expression, zone, after, next) => {
  expect(readExpression(expression, zone).next(time(after))).toBe(time(next));
});

test('one time that is over never comes again', () => {
  expect(readExpression('at(2026-11-27T08:00:00)', 'UTC').next(time('2026-11-27T08:00:00Z'))).toBeUndefined();
});

test('what is compiled from a window is due when the window starts, less the lead time', () => {
  const minute = fc.nat({ max: 59 });
  const hour = fc.nat({ max: 23 });
  const days = fc.constantFrom('* * *', '* * MON-FRI', '1 * *', '* * 0', '15 6 *', '1,15 * 3');
  const instant = fc.integer({ min: time('2026-01-01T00:00:00Z'), max: time('2027-01-01T00:00:00Z') });
  fc.assert(
    fc.property(minute, hour, days, fc.nat({ max: 120 }), instant, (m, h, day, leadMinutes, after) => {
      const text = `${m} ${h} ${day}`;
      const cron = parseCron(text);
      const compiled = compileCron(cron, leadMinutes);
      fc.pre(compiled.kind === 'compiled');
      const named = { name: 'w', timezone: 'Asia/Seoul', replicas: 1, excludeDates: [] };
      const window = { kind: 'cron', ...named, startText: text, endText: '', start: cron, end: cron } as const;
      const requested = (startsOf(window).next(after + leadMinutes * 60_000) ?? 0) - leadMinutes * 60_000;
      expect(readExpression(compiled.expression, 'Asia/Seoul').next(requested - 1)).toBe(requested);
    }),
  );
});
