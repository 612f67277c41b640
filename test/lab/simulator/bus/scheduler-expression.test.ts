import fc from 'fast-check';
import { readExpression } from '../../../../lab/simulator/bus/scheduler-expression';
import { compileCron } from '../../../../shared/core/windows/aws-cron';
import { parseCron } from '../../../../shared/core/windows/cron';
import { startsOf } from '../../../../shared/core/windows/edges';

const time = (text: string) => Date.parse(text);

test.each([
  {
    name: 'a time of day',
    expression: 'cron(25 11 ? * MON-FRI *)',
    zone: 'Asia/Seoul',
    after: '2026-03-06T02:25:00Z',
    next: '2026-03-09T02:25:00Z',
  },
  {
    name: 'a list and a range',
    expression: 'cron(0,30 9-10 * * ? *)',
    zone: 'UTC',
    after: '2026-03-06T10:30:00Z',
    next: '2026-03-07T09:00:00Z',
  },
  {
    name: 'the last day of the month',
    expression: 'cron(0 0 L * ? *)',
    zone: 'UTC',
    after: '2028-02-01T00:00:00Z',
    next: '2028-02-29T00:00:00Z',
  },
  {
    name: 'Sunday',
    expression: 'cron(0 12 ? * SUN *)',
    zone: 'UTC',
    after: '2026-03-02T00:00:00Z',
    next: '2026-03-08T12:00:00Z',
  },
  {
    name: 'a skipped hour is not due',
    expression: 'cron(30 2 * * ? *)',
    zone: 'Europe/Berlin',
    after: '2026-03-28T12:00:00Z',
    next: '2026-03-30T00:30:00Z',
  },
  {
    name: 'a repeated hour is due once',
    expression: 'cron(30 2 * * ? *)',
    zone: 'Europe/Berlin',
    after: '2026-10-25T00:30:00Z',
    next: '2026-10-26T01:30:00Z',
  },
  {
    name: 'one time',
    expression: 'at(2026-11-27T08:00:00)',
    zone: 'Asia/Seoul',
    after: '2026-01-01T00:00:00Z',
    next: '2026-11-26T23:00:00Z',
  },
  {
    name: 'a rate',
    expression: 'rate(5 minutes)',
    zone: 'UTC',
    after: '2026-03-02T00:02:30Z',
    next: '2026-03-02T00:05:00Z',
  },
])('$name', ({ expression, zone, after, next }) => {
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
      const dues = compiled.expressions.map((one) => readExpression(one, 'Asia/Seoul').next(requested - 1));
      expect(dues).toContain(requested);
    }),
  );
});
