import { isOpen, nextChange, openedAt } from '../../../../shared/core/windows/is-open';
import type { CronWindow } from '../../../../shared/core/windows/window';
import { at, cronWindow, iso, onceWindow } from './sample-windows';

const lunch = cronWindow('30 11 * * 1-5', '30 13 * * 1-5', 'Asia/Seoul');
const asymmetric = cronWindow('30 6 * * 1-5', '10 22 * * *', 'Europe/Prague');
const nightly = cronWindow('30 2 * * *', '0 5 * * *', 'America/New_York');
const endInGap = cronWindow('0 1 * * *', '30 2 * * *', 'America/New_York');
const repeated = cronWindow('30 1 * * *', '45 1 * * *', 'America/New_York');
const everyHour = cronWindow('03 * * * *', '10 * * * *', 'Asia/Seoul');
const overWeekend = cronWindow('0 21 * * FRI', '0 6 * * MON', 'UTC');

describe('isOpen', () => {
  test.each<[string, CronWindow, string, boolean]>([
    ['is closed a moment before the start', lunch, '2026-11-16T02:29:59.999Z', false],
    ['is open from the start on', lunch, '2026-11-16T02:30:00Z', true],
    ['is closed from the end on', lunch, '2026-11-16T04:30:00Z', false],
    ['is closed on a day without a start', lunch, '2026-11-15T03:00:00Z', false],
    ['a weekday start with a daily end is closed on Saturday', asymmetric, '2026-11-14T11:00:00Z', false],
    ['a weekday start with a daily end is closed on Sunday night', asymmetric, '2026-11-15T22:00:00Z', false],
    ['a weekday start with a daily end is open on Monday', asymmetric, '2026-11-16T06:00:00Z', true],
    ['a start in the skipped hour opens at the first instant after it', nightly, '2026-03-08T07:00:00Z', true],
    ['a start in the skipped hour is closed before the gap', nightly, '2026-03-08T06:59:00Z', false],
    ['an end in the skipped hour moves by the length of the gap', endInGap, '2026-03-08T07:29:00Z', true],
    ['an end in the skipped hour closes then', endInGap, '2026-03-08T07:30:00Z', false],
    ['a start in the repeated hour counts at its first occurrence', repeated, '2026-11-01T05:30:00Z', true],
    ['an end in the repeated hour counts at its last occurrence', repeated, '2026-11-01T06:44:00Z', true],
    ['an end in the repeated hour closes at its last occurrence', repeated, '2026-11-01T06:45:00Z', false],
    ['a window spans a weekend', overWeekend, '2026-11-15T12:00:00Z', true],
    ['a window that spans a weekend ends on Monday', overWeekend, '2026-11-16T06:00:00Z', false],
  ])('%s', (_name, window, now, open) => {
    expect(isOpen(window, at(now))).toBe(open);
  });

  test('on one instant the start wins over the end', () => {
    const window = cronWindow('0 8,12 * * *', '0 12,16 * * *');
    expect(isOpen(window, at('2026-11-16T12:00:00Z'))).toBe(true);
    expect(iso(nextChange(window, at('2026-11-16T09:00:00Z')))).toBe('2026-11-16T16:00:00.000Z');
  });

  test('the starts of excluded dates do not exist, ends always count', () => {
    const window = cronWindow('0 22 * * *', '0 4 * * *', 'UTC', { excludeDates: ['2026-12-25'] });
    expect(isOpen(window, at('2026-12-25T02:00:00Z'))).toBe(true);
    expect(isOpen(window, at('2026-12-25T05:00:00Z'))).toBe(false);
    expect(isOpen(window, at('2026-12-25T23:00:00Z'))).toBe(false);
    expect(isOpen(window, at('2026-12-26T23:00:00Z'))).toBe(true);
  });

  test('both day fields restricted means either', () => {
    const window = cronWindow('0 8 1 * MON', '0 9 * * *');
    expect(isOpen(window, at('2026-12-01T08:30:00Z'))).toBe(true);
    expect(isOpen(window, at('2026-11-16T08:30:00Z'))).toBe(true);
    expect(isOpen(window, at('2026-11-17T08:30:00Z'))).toBe(false);
  });

  test('a window that starts every minute has been open since its first start', () => {
    const busy = cronWindow('* 9-16 * * *', '0 17 * * *');
    expect(iso(openedAt(busy, at('2026-11-16T10:30:00Z')))).toBe('2026-11-16T09:00:00.000Z');
  });

  test('a one-off is open between its local times', () => {
    const sale = onceWindow('2026-11-27T08:00', '2026-11-27T20:00', 'Asia/Seoul');
    expect(isOpen(sale, at('2026-11-26T22:59:00Z'))).toBe(false);
    expect(isOpen(sale, at('2026-11-26T23:00:00Z'))).toBe(true);
    expect(isOpen(sale, at('2026-11-27T11:00:00Z'))).toBe(false);
    expect(nextChange(sale, at('2026-11-27T11:00:00Z'))).toBeUndefined();
  });

  test('a lead opens the window early, and also one that is shorter than its lead', () => {
    expect(isOpen(everyHour, at('2026-11-16T00:57:59Z'), 5)).toBe(false);
    expect(isOpen(everyHour, at('2026-11-16T00:58:00Z'), 5)).toBe(true);
    expect(isOpen(everyHour, at('2026-11-16T00:10:00Z'), 55)).toBe(true);
    expect(openedAt(everyHour, at('2026-11-16T00:58:00Z'))).toBeUndefined();
  });

  test('a window opens ahead of its next start, not of the one that has passed', () => {
    expect(iso(nextChange(everyHour, at('2026-11-16T00:12:00Z'), 10))).toBe('2026-11-16T00:53:00.000Z');
  });

  test('a window whose lead reaches the next start never closes', () => {
    expect(nextChange(everyHour, at('2026-11-16T00:30:00Z'), 60)).toBeUndefined();
  });

  test('a lead of 25 hours that starts every minute of a weekend is followed to its end, past thousands of ends', () => {
    const weekend = cronWindow('20-31 5 * * 6,0', '* * * * *', 'Asia/Almaty');
    expect(isOpen(weekend, at('2026-11-12T23:19:00Z'), 1500)).toBe(false);
    expect(iso(nextChange(weekend, at('2026-11-12T23:20:00Z'), 1500))).toBe('2026-11-15T00:32:00.000Z');
    expect(isOpen(weekend, at('2026-11-15T00:31:00Z'), 1500)).toBe(true);
    expect(isOpen(weekend, at('2026-11-15T00:32:00Z'), 1500)).toBe(false);
  });

  test('a window whose lead reaches from day to day closes before an excluded date months ahead', () => {
    const daily = cronWindow('0 9 * * *', '* * * * *', 'Asia/Seoul', { excludeDates: ['2027-03-02'] });
    expect(iso(nextChange(daily, at('2026-11-16T00:00:00Z'), 1_440))).toBe('2027-03-01T00:01:00.000Z');
  });

  test('starts of every minute are passed over at the excluded date', () => {
    const excludeDates = Array.from({ length: 300 }, (_, i) =>
      new Date(Date.UTC(2026, 10, 16) + i * 86_400_000).toISOString().slice(0, 10),
    );
    const busy = cronWindow('* * * * *', '*/2 * * * *', 'UTC', { excludeDates });
    expect(iso(nextChange(busy, at('2026-11-16T12:00:00Z')))).toBe('2027-09-12T00:00:00.000Z');
  });

  test('February 29 is found years ahead', () => {
    const leap = cronWindow('0 8 29 2 *', '0 9 29 2 *');
    expect(iso(nextChange(leap, at('2026-11-16T00:00:00Z')))).toBe('2028-02-29T08:00:00.000Z');
  });
});
