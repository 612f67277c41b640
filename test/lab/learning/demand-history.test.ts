import { type History, HistoryError, historyOf } from '../../../lab/learning/demand-history';

const MINUTE = 60_000;
const FROM = Date.UTC(2026, 5, 1);
const DAYS = 5;

/** A value each minute for five days: 3, and 9 from 09:00 to 17:00. */
function samples(change: (minute: number, value: number) => number | undefined = (_, value) => value) {
  const rows: [number, number][] = [];
  for (let minute = 0; minute < DAYS * 1_440; minute += 1) {
    const clock = minute % 1_440;
    const value = change(minute, clock >= 540 && clock < 1_020 ? 9 : 3);
    if (value !== undefined) rows.push([FROM + minute * MINUTE, value]);
  }
  return rows;
}

function read(rows: readonly (readonly [number, number])[]): History {
  return historyOf({
    times: Float64Array.from(rows, ([at]) => at),
    values: Float64Array.from(rows, ([, value]) => value),
  });
}

const at = ({ demand }: History, minute: number) => demand.values[minute];

test('each sample is held until the next, and the last one ends the history', () => {
  const history = read([
    [FROM, 2],
    [FROM + 3 * MINUTE, 5],
    [FROM + 4 * MINUTE, 1],
  ]);
  expect([...history.demand.values]).toEqual([2, 2, 2, 5]);
});

test('a gap in a regular history is left out and said', () => {
  const history = read(samples((minute, value) => (minute >= 2_000 && minute < 2_600 ? undefined : value)));
  expect([at(history, 1_998), at(history, 2_100), at(history, 2_600)]).toEqual([9, Number.NaN, 3]);
  expect(history.notes).toEqual([
    'nothing was recorded from 2026-06-02T09:19Z to 2026-06-02T19:20Z; that time is left out',
  ]);
});

test('NaN is left out and counted', () => {
  const history = read(samples((minute, value) => (minute % 100 === 7 ? Number.NaN : value)));
  expect(at(history, 107)).toBeNaN();
  expect(history.notes).toEqual(['72 samples had no number; that time is left out']);
});

test('rows in any order, and rows that repeat a time, are sorted; of equal times the last one counts', () => {
  const rows = samples();
  const history = read([...rows.slice(100), ...rows.slice(0, 100), [FROM, 7]]);
  expect(at(history, 0)).toBe(7);
  expect(at(history, 600)).toBe(9);
  expect(history.notes).toEqual([
    'the samples were not in order of time; they were sorted',
    '1 sample repeated the time of another; the last one counts',
  ]);
});

test('one day of zeros is left out, so that its end is no rise', () => {
  const history = read(samples((minute, value) => (minute >= 2_880 && minute < 4_320 ? 0 : value)));
  expect(at(history, 3_000)).toBeNaN();
  expect(history.notes[0]).toContain('demand was zero from 2026-06-03T00:00Z to 2026-06-04T00:00Z');
});

test('nights of zeros are demand', () => {
  const history = read(samples((_, value) => (value === 3 ? 0 : value)));
  expect(at(history, 3_000)).toBe(0);
  expect(history.notes).toEqual([]);
});

test.each([
  { name: 'a counter with resets', change: (minute: number) => (minute % 3_000) * 5, why: 'falls only 2 times' },
  { name: 'a counter without resets', change: (minute: number) => minute, why: 'it never falls' },
  { name: 'nothing but NaN', change: () => Number.NaN, why: 'has no number in it' },
])('$name gets a clear sentence', ({ change, why }) => {
  expect(() => read(samples(change))).toThrow(HistoryError);
  expect(() => read(samples(change))).toThrow(why);
});

test('a regular history knows how far apart its values are; one of changes has them at their own times', () => {
  const step = (rows: ReturnType<typeof samples>) => read(rows).demand.stepMinutes;
  expect(step(samples())).toBe(1);
  expect(step(samples((minute, value) => (minute % 30 === 0 ? value : undefined)))).toBe(30);
  expect(step(samples((minute, value) => ([0, 540, 1_020].includes(minute % 1_440) ? value : undefined)))).toBe(1);
});
