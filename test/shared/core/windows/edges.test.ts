import { endsOf, startsOf } from '../../../../shared/core/windows/edges';
import { at, cronWindow, iso, onceWindow } from './sample-windows';

const around = (edges: ReturnType<typeof startsOf>, from: string) =>
  [edges.previous(at(`${from}Z`)), edges.next(at(`${from}Z`))].map((instant) => iso(instant)?.slice(0, 16));

describe('edges in New York', () => {
  const NEVER = '0 0 1 1 *';
  const kinds = {
    start: (cron: string) => startsOf(cronWindow(cron, NEVER, 'America/New_York')),
    end: (cron: string) => endsOf(cronWindow(NEVER, cron, 'America/New_York')),
  };
  test.each([
    { kind: 'start', cron: '0 9 * * *', from: '2026-07-01T13:00', found: ['2026-07-01T13:00', '2026-07-02T13:00'] },
    { kind: 'end', cron: '0 9 * * *', from: '2026-07-01T12:59', found: ['2026-06-30T13:00', '2026-07-01T13:00'] },
    // The hour after 01:00 comes twice: a start counts at the first, an end at the last.
    { kind: 'start', cron: '30 1 * * *', from: '2026-11-01T05:29', found: ['2026-10-31T05:30', '2026-11-01T05:30'] },
    { kind: 'start', cron: '30 1 * * *', from: '2026-11-01T05:30', found: ['2026-11-01T05:30', '2026-11-02T06:30'] },
    { kind: 'start', cron: '30 1 * * *', from: '2026-11-01T06:30', found: ['2026-11-01T05:30', '2026-11-02T06:30'] },
    { kind: 'end', cron: '30 1 * * *', from: '2026-11-01T05:30', found: ['2026-10-31T05:30', '2026-11-01T06:30'] },
    { kind: 'end', cron: '30 1 * * *', from: '2026-11-01T06:30', found: ['2026-11-01T06:30', '2026-11-02T06:30'] },
    // The hour after 02:00 is left out: a start counts when it is over, an end moves by it.
    { kind: 'start', cron: '30 2 * * *', from: '2026-03-08T06:59', found: ['2026-03-07T07:30', '2026-03-08T07:00'] },
    { kind: 'start', cron: '30 2 * * *', from: '2026-03-08T07:00', found: ['2026-03-08T07:00', '2026-03-09T06:30'] },
    { kind: 'end', cron: '30 2 * * *', from: '2026-03-08T07:29', found: ['2026-03-07T07:30', '2026-03-08T07:30'] },
    { kind: 'end', cron: '30 2 * * *', from: '2026-03-08T07:30', found: ['2026-03-08T07:30', '2026-03-09T06:30'] },
    // 02:50 comes after 03:00 then.
    { kind: 'end', cron: '0,50 2,3 * * *', from: '2026-03-08T07:00', found: ['2026-03-08T07:00', '2026-03-08T07:50'] },
    { kind: 'end', cron: '20 2,3 * * *', from: '2026-03-08T07:20', found: ['2026-03-08T07:20', '2026-03-09T06:20'] },
    { kind: 'end', cron: '50 2 * * *', from: '2026-03-08T07:10', found: ['2026-03-07T07:50', '2026-03-08T07:50'] },
    // Nothing on the days of the change, and something on one of them only.
    { kind: 'start', cron: '0 9 * * TUE', from: '2026-03-08T12:00', found: ['2026-03-03T14:00', '2026-03-10T13:00'] },
    { kind: 'start', cron: '0 9 * * SAT', from: '2026-03-08T12:00', found: ['2026-03-07T14:00', '2026-03-14T13:00'] },
    { kind: 'start', cron: '0 9 * * SUN', from: '2026-03-07T12:00', found: ['2026-03-01T14:00', '2026-03-08T13:00'] },
    { kind: 'end', cron: '0 9 * * SAT', from: '2026-03-05T12:00', found: ['2026-02-28T14:00', '2026-03-07T14:00'] },
    { kind: 'end', cron: '0 9 * * SUN', from: '2026-03-12T12:00', found: ['2026-03-08T13:00', '2026-03-15T13:00'] },
    { kind: 'end', cron: '0 9 1 11 *', from: '2026-06-01T12:00', found: ['2025-11-01T13:00', '2026-11-01T14:00'] },
    // The first and the last minute of those days, and of the days beside them.
    { kind: 'start', cron: '0 0 * * *', from: '2026-03-06T12:00', found: ['2026-03-06T05:00', '2026-03-07T05:00'] },
    { kind: 'start', cron: '59 23 * * *', from: '2026-03-07T12:00', found: ['2026-03-07T04:59', '2026-03-08T04:59'] },
    { kind: 'start', cron: '59 23 * * *', from: '2026-03-09T03:59', found: ['2026-03-09T03:59', '2026-03-10T03:59'] },
    { kind: 'start', cron: '0 0 * * *', from: '2026-03-09T03:59', found: ['2026-03-08T05:00', '2026-03-09T04:00'] },
  ] as const)('a $kind at $cron, from $from: $found', ({ kind, cron, from, found }) => {
    expect(around(kinds[kind](cron), from)).toEqual(found);
  });
});

test('an edge on the day that Samoa left out comes when the next one begins', () => {
  const friday = cronWindow('0 12 30 12 *', '0 12 30 12 *', 'Pacific/Apia');
  expect(iso(startsOf(friday).next(at('2011-12-29')))).toBe('2011-12-30T10:00:00.000Z');
});

describe('edges on Lord Howe Island, where half an hour is left out and 02:15 comes after 02:40', () => {
  const ends = endsOf(cronWindow('0 0 1 1 *', '15,40 2 4 10 *', 'Australia/Lord_Howe'));
  test.each([
    { from: '2026-10-01T00:00', found: ['2025-10-03T16:10', '2026-10-03T15:40'] },
    { from: '2026-10-03T15:40', found: ['2026-10-03T15:40', '2026-10-03T15:45'] },
    { from: '2026-10-10T00:00', found: ['2026-10-03T15:45', '2027-10-03T15:15'] },
  ])('from $from: $found', ({ from, found }) => {
    expect(around(ends, from)).toEqual(found);
  });
});

test('there is no start where every leap day is excluded', () => {
  const years = Array.from({ length: 12 }, (_, index) => 2004 + 4 * index);
  const excludeDates = years.map((year) => `${year}-02-29`);
  const window = cronWindow('0 9 29 2 *', '0 17 29 2 *', 'UTC', { excludeDates });
  expect(around(startsOf(window), '2026-11-16T00:00')).toEqual([undefined, undefined]);
});

test('starts on excluded dates do not exist, and ends on them do', () => {
  const window = cronWindow('0 9 * * *', '0 17 * * *', 'UTC', { excludeDates: ['2026-12-25'] });
  expect(around(startsOf(window), '2026-12-25T12:00')).toEqual(['2026-12-24T09:00', '2026-12-26T09:00']);
  expect(around(endsOf(window), '2026-12-25T12:00')).toEqual(['2026-12-24T17:00', '2026-12-25T17:00']);
});

test('starts on an excluded day of a clock change do not exist, and ends on it do', () => {
  const excludeDates = ['2026-03-08'];
  const window = cronWindow('0 9 * * *', '0 17 * * *', 'America/New_York', { excludeDates });
  expect(around(startsOf(window), '2026-03-08T18:00')).toEqual(['2026-03-07T14:00', '2026-03-09T13:00']);
  expect(around(endsOf(window), '2026-03-08T18:00')).toEqual(['2026-03-07T22:00', '2026-03-08T21:00']);
});

describe('a window that happens once', () => {
  const sale = onceWindow('2026-11-01T01:30', '2026-11-01 01:30', 'America/New_York');

  test.each([
    { name: 'starts', edges: startsOf, edge: '2026-11-01T05:30' },
    { name: 'ends', edges: endsOf, edge: '2026-11-01T06:30' },
  ])('$name once', ({ edges, edge }) => {
    expect(around(edges(sale), edge)).toEqual([edge, undefined]);
    expect(edges(sale).next(at(`${edge}Z`) - 1)).toBe(at(`${edge}Z`));
    expect(edges(sale).previous(at(`${edge}Z`) - 1)).toBeUndefined();
  });
});
