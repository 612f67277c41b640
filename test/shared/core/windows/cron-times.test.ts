import { parseCron } from '../../../../shared/core/windows/cron';
import { nextLocal, previousLocal, timesOfDay } from '../../../../shared/core/windows/cron-times';
import { counted } from './counted-window';
import { at, cronWindow, iso } from './sample-windows';

const next = (cron: string, from: string) => iso(nextLocal(parseCron(cron), at(`${from}Z`)))?.slice(0, 16);
const previous = (cron: string, from: string) => iso(previousLocal(parseCron(cron), at(`${from}Z`)))?.slice(0, 16);

describe('the first time after another', () => {
  test.each([
    { cron: '30 11 * * *', from: '2026-11-16T11:29:59.999', found: '2026-11-16T11:30' },
    { cron: '30 11 * * *', from: '2026-11-16T11:30', found: '2026-11-17T11:30' },
    { cron: '30 11 * * *', from: '2026-11-16T11:30:30', found: '2026-11-17T11:30' },
    { cron: '0 0 * * *', from: '2026-11-16T23:59', found: '2026-11-17T00:00' },
    { cron: '0 0 * * *', from: '2026-11-16T00:00', found: '2026-11-17T00:00' },
    { cron: '* * * * *', from: '2026-11-16T23:59:59', found: '2026-11-17T00:00' },
    { cron: '10,40 9,17 * * *', from: '2026-11-16T09:10', found: '2026-11-16T09:40' },
    { cron: '10,40 9,17 * * *', from: '2026-11-16T09:40', found: '2026-11-16T17:10' },
    { cron: '10,40 9,17 * * *', from: '2026-11-16T12:50', found: '2026-11-16T17:10' },
    { cron: '10,40 9,17 * * *', from: '2026-11-16T17:40', found: '2026-11-17T09:10' },
    { cron: '0 9 * * MON', from: '2026-11-16T09:00', found: '2026-11-23T09:00' },
    { cron: '0 9 15 * *', from: '2026-11-16T09:00', found: '2026-12-15T09:00' },
    { cron: '0 9 1 1 *', from: '2026-11-16T09:00', found: '2027-01-01T09:00' },
    { cron: '0 9 1 11 *', from: '2026-11-16T09:00', found: '2027-11-01T09:00' },
    { cron: '0 9 31 12 *', from: '2026-11-30T09:00', found: '2026-12-31T09:00' },
    { cron: '0 9 29 2 *', from: '2026-11-16T09:00', found: '2028-02-29T09:00' },
    { cron: '0 9 29 2 *', from: '2096-02-29T09:00', found: '2104-02-29T09:00' },
  ])('of $cron after $from is $found', ({ cron, from, found }) => {
    expect(next(cron, from)).toBe(found);
  });
});

describe('the last time up to another', () => {
  test.each([
    { cron: '30 11 * * *', from: '2026-11-16T11:30', found: '2026-11-16T11:30' },
    { cron: '30 11 * * *', from: '2026-11-16T11:30:59.999', found: '2026-11-16T11:30' },
    { cron: '30 11 * * *', from: '2026-11-16T11:29:59.999', found: '2026-11-15T11:30' },
    { cron: '59 23 * * *', from: '2026-11-16T00:00', found: '2026-11-15T23:59' },
    { cron: '0 0 * * *', from: '2026-11-16T00:00', found: '2026-11-16T00:00' },
    { cron: '10,40 9,17 * * *', from: '2026-11-16T17:39', found: '2026-11-16T17:10' },
    { cron: '10,40 9,17 * * *', from: '2026-11-16T17:09', found: '2026-11-16T09:40' },
    { cron: '10,40 9,17 * * *', from: '2026-11-16T12:05', found: '2026-11-16T09:40' },
    { cron: '10,40 9,17 * * *', from: '2026-11-16T09:09', found: '2026-11-15T17:40' },
    { cron: '0 9 * * MON', from: '2026-11-16T08:59', found: '2026-11-09T09:00' },
    { cron: '0 9 17 * *', from: '2026-11-16T09:00', found: '2026-10-17T09:00' },
    { cron: '0 9 31 12 *', from: '2026-11-16T09:00', found: '2025-12-31T09:00' },
    { cron: '0 9 30 11 *', from: '2026-11-16T09:00', found: '2025-11-30T09:00' },
    { cron: '0 9 31 1 *', from: '2026-02-01T09:00', found: '2026-01-31T09:00' },
    { cron: '0 9 29 2 *', from: '2026-11-16T09:00', found: '2024-02-29T09:00' },
    { cron: '0 9 29 2 *', from: '2104-02-29T08:59', found: '2096-02-29T09:00' },
  ])('of $cron up to $from is $found', ({ cron, from, found }) => {
    expect(previous(cron, from)).toBe(found);
  });
});

describe('days that do not count', () => {
  const noon = parseCron('0 12 * * *');
  const skips =
    (...dates: string[]) =>
    (day: number) =>
      dates.includes(iso(day)?.slice(0, 10) ?? '');

  test('are passed over in both directions', () => {
    const holidays = skips('2026-12-25', '2026-12-26');
    expect(iso(nextLocal(noon, at('2026-12-24T12:00:00Z'), holidays))).toBe('2026-12-27T12:00:00.000Z');
    expect(iso(previousLocal(noon, at('2026-12-26T13:00:00Z'), holidays))).toBe('2026-12-24T12:00:00.000Z');
  });

  test('may hide the leap day after a century without one', () => {
    const leap = parseCron('0 12 29 2 *');
    expect(iso(nextLocal(leap, at('2096-03-01'), skips('2104-02-29')))).toBe('2108-02-29T12:00:00.000Z');
    expect(iso(previousLocal(leap, at('2104-02-28'), skips('2096-02-29')))).toBe('2092-02-29T12:00:00.000Z');
  });

  test.each(['0 12 * * *', '0 12 29 2 *'])('all of them leave nothing of %s', (cron) => {
    const all = () => true;
    expect(nextLocal(parseCron(cron), at('2026-11-16'), all)).toBeUndefined();
    expect(previousLocal(parseCron(cron), at('2026-11-16'), all)).toBeUndefined();
  });
});

test.each([
  { name: 'ahead', look: nextLocal, day: 1, from: '2026-11-02' },
  { name: 'back', look: previousLocal, day: 31, from: '2026-09-30' },
])('months that are not named are passed over at once, looking $name', ({ look, day, from }) => {
  const october = `0 9 ${day} 10 *`;
  const { window, reads } = counted(cronWindow(october, october));
  expect(look(window.start, at(from))).toBeDefined();
  expect(reads()).toBeLessThan(100);
});

test('the times of a day are in order, and listed once', () => {
  const cron = parseCron('5,50 0,13 * * *');
  const times = timesOfDay(cron).map((time) => iso(time)?.slice(11, 16));
  expect(times).toEqual(['00:05', '00:50', '13:05', '13:50']);
  expect(timesOfDay(cron)).toBe(timesOfDay(cron));
});
