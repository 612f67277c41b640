import fc from 'fast-check';
import type { Plan } from '../../../lab/learning/backtest';
import { between, type Demand, endOf } from '../../../lab/learning/demand';
import { learn } from '../../../lab/learning/learn';
import { ofFiveNights } from '../../../lab/learning/nights';
import { retirementOf } from '../../../lab/learning/retire';
import { parseCron } from '../../../shared/core/windows/cron';
import type { CronWindow } from '../../../shared/core/windows/window';
import { seededNoise } from './series';

const DAY_MINUTES = 1_440;
const DAY = DAY_MINUTES * 60_000;
const OPTIONS = { leadMinutes: 5, max: 100, above: 0 };

/** Four weeks from a Monday on. */
function fourWeeks(at: (day: number, minute: number) => number): Demand {
  const values = new Float64Array(28 * DAY_MINUTES).map((_, minute) =>
    at(Math.floor(minute / DAY_MINUTES), minute % DAY_MINUTES),
  );
  return { from: Date.UTC(2026, 5, 1), values };
}

function windowOf(name: string, startText: string, endText: string, replicas: number): CronWindow {
  const [start, end] = [startText, endText].map(parseCron) as [CronWindow['start'], CronWindow['end']];
  return { kind: 'cron', name, timezone: 'UTC', replicas, startText, endText, start, end, excludeDates: [] };
}

const LUNCH = windowOf('lunch', '0 12 * * *', '30 12 * * *', 20);
const MONDAYS = windowOf('mondays', '0 9 * * MON', '30 9 * * MON', 20);
const DAYTIME = windowOf('daytime', '0 9 * * *', '0 19 * * *', 21);
const planOf = (...windows: readonly CronWindow[]): Plan => ({ floor: false, base: 0, leadMinutes: 5, windows });
const lunch = (minute: number) => (minute >= 720 && minute < 780 ? 20 : 0);
const random = seededNoise(11);
/** One more pod for a few minutes, at any time. */
const jitter = (size: number) => (random() > 1.6 ? size : 0);

/** What is proposed of each window: its size, 0 to remove it. */
const sizesOf = (plan: Plan, demand: Demand) =>
  Object.fromEntries(
    (retirementOf(plan, demand, OPTIONS)?.windows ?? []).map(({ window, size }) => [window.name, size]),
  );

test.each([
  { name: 'rise every day', at: (_: number, minute: number) => lunch(minute), sizes: {} },
  { name: 'rise on weekdays', at: (day: number, minute: number) => (day % 7 < 5 ? lunch(minute) : 0), sizes: {} },
  {
    name: 'rose until 14 days ago',
    at: (day: number, minute: number) => (day < 14 ? lunch(minute) : 0),
    sizes: { lunch: 0 },
  },
  { name: 'rose until a closed week', at: (day: number, minute: number) => (day < 19 ? lunch(minute) : 0), sizes: {} },
  {
    name: 'were not recorded since',
    at: (day: number, minute: number) => (day < 14 ? lunch(minute) : Number.NaN),
    sizes: {},
  },
  {
    name: 'shrank to 8',
    at: (day: number, minute: number) => Math.min(day < 14 ? 20 : 8, lunch(minute)),
    sizes: { lunch: 8 },
  },
  {
    name: 'shrank a little',
    at: (day: number, minute: number) => Math.min(day < 14 ? 20 : 15, lunch(minute)),
    sizes: {},
  },
  {
    name: 'came an hour later',
    at: (day: number, minute: number) => lunch(day < 14 ? minute : minute - 60),
    sizes: { lunch: 0 },
  },
  {
    name: 'left only noise behind',
    at: (day: number, minute: number) => (day < 14 ? lunch(minute) : 0) + jitter(2),
    sizes: { lunch: 0 },
  },
])('of a daily window whose rises $name: $sizes', ({ at, sizes }) => {
  expect(sizesOf(planOf(LUNCH), fourWeeks(at))).toEqual(sizes);
});

describe('a window of one weekday', () => {
  const until = (weeks: number) =>
    fourWeeks((day, minute) => (day % 7 === 0 && day < weeks * 7 ? lunch(minute + 180) : 0));

  test('stays through two weeks without a rise', () => {
    expect(sizesOf(planOf(MONDAYS), until(2))).toEqual({});
  });

  test('goes after three', () => {
    expect(sizesOf(planOf(MONDAYS), until(1))).toEqual({ mondays: 0 });
  });
});

test('a window of one day a month cannot be judged, and stays', () => {
  const monthly = windowOf('monthly', '0 9 1 * *', '0 12 1 * *', 20);
  expect(
    sizesOf(
      planOf(monthly),
      fourWeeks(() => 5),
    ),
  ).toEqual({});
});

test('of two windows that cover the same rises the costlier goes', () => {
  const wide = windowOf('wide', '0 12 * * *', '0 14 * * *', 20);
  expect(
    sizesOf(
      planOf(LUNCH, wide),
      fourWeeks((_, minute) => lunch(minute)),
    ),
  ).toEqual({ wide: 0 });
});

test('where windows that cover much hold more than a constant, a base replaces them', () => {
  const noise = fourWeeks(() => 5 + jitter(2));
  const retirement = retirementOf(planOf(DAYTIME), noise, OPTIONS);
  expect(retirement).toMatchObject({ plan: { base: 1, windows: [] }, windows: [{ size: 0 }] });
  const { before, after } = retirement ?? {};
  expect(after?.share).toBeGreaterThanOrEqual(before?.share ?? 1);
  expect(after?.hours).toBe(168);
});

test('where demand is flat, the base goes too', () => {
  expect(
    retirementOf(
      { ...planOf(LUNCH), base: 3 },
      fourWeeks(() => 5),
      OPTIONS,
    )?.plan,
  ).toMatchObject({
    base: 0,
    windows: [],
  });
});

test('less than ten days before each of three nights are too little', () => {
  const demand = fourWeeks(() => 5);
  expect(
    retirementOf(planOf(LUNCH), between(demand, endOf(demand) - 11 * DAY, endOf(demand)), OPTIONS),
  ).toBeUndefined();
});

test('a window whose demand is still there is never retired', () => {
  const shape = fc.record({
    seed: fc.integer({ min: 1, max: 1e6 }),
    size: fc.integer({ min: 10, max: 40 }),
    start: fc.integer({ min: 1, max: 90 }),
    hours: fc.integer({ min: 1, max: 6 }),
    noise: fc.constantFrom(0, 0.03, 0.06, 0.1),
    weekdays: fc.boolean(),
    /** How demand went on after the windows were learned. */
    change: fc.constantFrom(0.8, 1, 1.3),
    closed: fc.uniqueArray(fc.integer({ min: 15, max: 27 }), { maxLength: 3 }),
  });
  fc.assert(
    fc.property(shape, ({ seed, size, start, hours, noise, weekdays, change, closed }) => {
      const normal = seededNoise(seed);
      const late = Array.from({ length: 28 }, () => Math.round(Math.abs(normal()) * 3));
      const demandOf = (factor: (day: number) => number) =>
        fourWeeks((day, minute) => {
          const since = minute - start * 15 - (late[day] as number);
          const isOpen = since >= 0 && since < hours * 60 && (!weekdays || day % 7 < 5);
          return Math.max(0, Math.round(10 + (isOpen ? size * factor(day) : 0) + noise * size * normal()));
        });
      const { plan, verdict } = learn(
        demandOf(() => 1),
        { ...OPTIONS, cover: 0.95, most: 5, timezone: 'UTC', shapes: ['room'] },
      );
      fc.pre(verdict === 'clear' && plan.windows.length > 0);
      const lived = demandOf((day) => (closed.includes(day) ? 0 : change));
      const needed = plan.windows.filter((window) => window.replicas > size / 2);
      const left = retirementOf(plan, lived, OPTIONS)?.plan.windows ?? plan.windows;
      for (const { name, replicas } of needed)
        expect(left.find((window) => window.name === name)?.replicas ?? 0).toBeGreaterThanOrEqual(
          Math.min(replicas, size / 2),
        );
    }),
    { numRuns: 25 },
  );
});

test.each([
  { name: 'three that agree', said: [2, 0, 2, 2, 0], value: 2 },
  { name: 'the median of five that do not', said: [4, 0, 3, 1, 2], value: 2 },
  { name: 'three that agree before one that knows too little', said: [1, 1, 1, undefined], value: 1 },
  { name: 'nothing, if one knows too little', said: [1, 1, undefined, 1, 1], value: undefined },
])('five nights say what $name say', ({ said, value }) => {
  const tonight = Date.UTC(2026, 5, 1);
  expect(ofFiveNights(tonight, (night) => said[(tonight - night) / DAY])).toBe(value);
});
