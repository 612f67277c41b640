import { nextClosing } from '../../../../shared/core/windows/is-open';
import { at, cronWindow, iso, onceWindow } from './sample-windows';

const YEAR = 366 * 86_400_000;
const closing = (start: string, end: string, now: string, lead = 0, timezone = 'UTC') => {
  const from = at(`${now}Z`);
  return iso(nextClosing(cronWindow(start, end, timezone), from, lead, from + YEAR))?.slice(0, 16);
};

describe('an open window closes at its first end', () => {
  test.each([
    { name: 'of the same day', start: '0 9', end: '0 17', now: '2026-11-16T10:00', at: '2026-11-16T17:00' },
    { name: 'a moment before it', start: '0 9', end: '0 17', now: '2026-11-16T16:59:59.999', at: '2026-11-16T17:00' },
    { name: 'of the next day', start: '0 22', end: '0 6', now: '2026-11-16T23:00', at: '2026-11-17T06:00' },
    { name: 'at midnight', start: '0 9', end: '0 0', now: '2026-11-16T10:00', at: '2026-11-17T00:00' },
    { name: 'of several', start: '0 9', end: '0 12,17', now: '2026-11-16T10:00', at: '2026-11-16T12:00' },
    { name: 'in any minute', start: '0 9', end: '*/5 17', now: '2026-11-16T17:02', at: '2026-11-16T17:05' },
  ])('$name', ({ start, end, now, at: found }) => {
    expect(closing(`${start} * * *`, `${end} * * *`, now)).toBe(found);
  });

  test.each([
    { name: 'days later', start: '0 21 * * FRI', end: '0 6 * * MON', now: '2026-11-14T12:00', at: '2026-11-16T06:00' },
    { name: 'a month later', start: '0 9 1 * *', end: '0 9 28 * *', now: '2026-11-16T12:00', at: '2026-11-28T09:00' },
    {
      name: 'on a day without starts',
      start: '0 9 * * 1',
      end: '0 8 * * *',
      now: '2026-11-16T12:00',
      at: '2026-11-17T08:00',
    },
  ])('$name', ({ start, end, now, at: found }) => {
    expect(closing(start, end, now)).toBe(found);
  });
});

describe('an end does not close a window that starts again within the lead time', () => {
  test.each([
    { name: 'a start at the end itself', start: '0 9,12', end: '0 12,17', lead: 0, at: '2026-11-16T17:00' },
    {
      name: 'a start at the end itself and a later one',
      start: '0 9,12,15',
      end: '0 12,17',
      lead: 0,
      at: '2026-11-16T17:00',
    },
    { name: 'a start a minute later', start: '1 9,12', end: '0 12,17', lead: 0, at: '2026-11-16T12:00' },
    { name: 'a start exactly within it', start: '0 9,13', end: '0 12,17', lead: 60, at: '2026-11-16T17:00' },
    { name: 'a start beyond it', start: '0 9,13', end: '0 12,17', lead: 59, at: '2026-11-16T12:00' },
    { name: 'several such starts', start: '0 9,12,14', end: '0 11,13,15', lead: 60, at: '2026-11-16T15:00' },
    { name: 'the first start of the next day', start: '0 1', end: '0 23', lead: 120, at: undefined },
    { name: 'one beyond it on the next day', start: '0 1', end: '0 23', lead: 119, at: '2026-11-16T23:00' },
    { name: 'after a night', start: '0 22', end: '0 6', lead: 960, at: undefined },
    { name: 'after less than a night', start: '0 22', end: '0 6', lead: 959, at: '2026-11-17T06:00' },
    { name: 'days ahead', start: '0 9', end: '0 17', lead: 3_000, at: undefined },
  ])('$name', ({ start, end, lead, at: found }) => {
    expect(closing(`${start} * * *`, `${end} * * *`, '2026-11-16T10:00', lead)).toBe(found);
  });

  test.each([
    { name: 'up to the weekend', lead: 960, at: '2026-11-20T17:00' },
    { name: 'up to the weekend, a minute short of it', lead: 3_839, at: '2026-11-20T17:00' },
    { name: 'past the weekend', lead: 3_840, at: undefined },
  ])('on workdays $name', ({ lead, at: found }) => {
    expect(closing('0 9 * * MON-FRI', '0 17 * * *', '2026-11-16T10:00', lead)).toBe(found);
  });

  test('an end of a day without starts is the one that counts, not a later one', () => {
    expect(closing('0 9 * * MON', '0 8,17 * * 2-6,0', '2026-11-16T10:00', 60)).toBe('2026-11-17T08:00');
    expect(closing('0 9 * * MON', '0 8,17 * * *', '2026-11-16T10:00', 60)).toBe('2026-11-16T17:00');
  });
});

describe('the end of what is looked at', () => {
  const [now, end] = [at('2026-11-16T10:00:00Z'), at('2026-11-16T17:00:00Z')];
  const windows = [
    { kind: 'repeated', window: cronWindow('0 9 * * *', '0 17 * * *') },
    { kind: 'single', window: onceWindow('2026-11-16T09:00', '2026-11-16T17:00') },
    { kind: 'repeated, with starts later that day', window: cronWindow('0 9,20 * * *', '0 17,23 * * *') },
  ];

  test.each(windows)('of a $kind window is before its end, at it, or after it', ({ window }) => {
    expect([end - 1, end, end + 1].map((until) => iso(nextClosing(window, now, 0, until)))).toEqual([
      undefined,
      undefined,
      iso(end),
    ]);
  });

  test('of a window whose end comes before it, while a start of the next day may still follow', () => {
    const late = cronWindow('0 9 * * *', '0 23 * * *');
    expect(iso(nextClosing(late, now, 60, at('2026-11-16T23:30:00Z')))).toBe('2026-11-16T23:00:00.000Z');
  });

  test('of a window that never closes', () => {
    const always = cronWindow('0 * * * *', '30 * * * *');
    expect(nextClosing(always, now, 60, now + YEAR)).toBeUndefined();
  });

  test('of a window without an end in sight', () => {
    const yearly = cronWindow('0 9 * * *', '0 9 1 1 *');
    expect(nextClosing(yearly, at('2027-01-01T10:00:00Z'), 0, at('2027-12-31T00:00:00Z'))).toBeUndefined();
  });
});
