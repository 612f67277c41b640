import fc from 'fast-check';
import type { Demand } from '../../../lab/learning/demand';
import { learn } from '../../../lab/learning/learn';
import { verdictOf } from '../../../lab/learning/rhythm';
import { ratioOf, scoreOf } from '../../../lab/learning/unseen-days';

const DAY_MINUTES = 1_440;
const OPTIONS = { leadMinutes: 5, cover: 0.99, most: 5, timezone: 'UTC', shapes: ['room'] as const };

/** Four weeks from a Monday on; `at` says the demand of a minute on a day. */
function fourWeeks(at: (day: number, minute: number) => number): Demand {
  const values = new Float64Array(28 * DAY_MINUTES).map((_, minute) =>
    at(Math.floor(minute / DAY_MINUTES), minute % DAY_MINUTES),
  );
  return { from: Date.UTC(2026, 5, 1), values };
}

/** Jumps that come at another time each day, every one of the same size. */
function scattered(day: number, minute: number): number {
  return (minute + day * 397) % 480 < 30 ? 4 : 0;
}

/** From 09:00 to 12:00. */
function morning(minute: number): number {
  return minute >= 540 && minute < 720 ? 1 : 0;
}

test.each([[[8, 10]], [[18, 20]]])('loud days %j at the same time are no rhythm where the others have none', (loud) => {
  const { verdict } = learn(
    fourWeeks((day, minute) => 10 + scattered(day, minute) + (loud.includes(day) ? 300 * morning(minute) : 0)),
    OPTIONS,
  );
  expect(verdict).toBe('none');
});

test.each([
  { name: 'weekdays only', size: (day: number) => (day % 7 < 5 ? 60 : 0) },
  { name: 'weekends only', size: (day: number) => (day % 7 < 5 ? 0 : 60) },
  { name: 'a holiday inside', size: (day: number) => (day === 16 ? 0 : 60) },
  { name: 'a week without', size: (day: number) => (Math.floor(day / 7) === 1 ? 0 : 60) },
  { name: 'slow growth', size: (day: number) => 30 + day },
])('a rhythm stays clear: $name', ({ size }) => {
  expect(
    learn(
      fourWeeks((day, minute) => 10 + size(day) * morning(minute)),
      OPTIONS,
    ).verdict,
  ).toBe('clear');
});

test('jumps at other times each day are no rhythm', () => {
  expect(
    learn(
      fourWeeks((day, minute) => 10 + scattered(day, minute)),
      OPTIONS,
    ).verdict,
  ).toBe('none');
});

describe('a verdict', () => {
  const score = { held: 60, constant: 100, share: 0.98, noise: 0.1, days: 14, above: 0 };

  test.each([
    { name: 'holds far less', change: {}, verdict: 'clear' },
    { name: 'holds a little less', change: { held: 85 }, verdict: 'weak' },
    { name: 'holds a little less, within the noise of days', change: { held: 91 }, verdict: 'none' },
    { name: 'holds far less, which a few days decide', change: { noise: 0.5 }, verdict: 'none' },
    { name: 'holds as much', change: { held: 98, noise: 0 }, verdict: 'none' },
    { name: 'holds far less and covers too little', change: { share: 0.8 }, verdict: 'weak' },
    { name: 'holds a little less and covers too little', change: { held: 75, share: 0.8 }, verdict: 'none' },
    { name: 'covers next to nothing', change: { share: 0.5 }, verdict: 'none' },
    { name: 'covers nothing', change: { constant: 0, share: 0 }, verdict: 'none' },
  ])('on windows that $name: $verdict', ({ change, verdict }) => {
    expect(verdictOf({ ...score, ...change }, 0.99, 14)).toBe(verdict);
  });
});

test('the noise of a score is what it changes by without single days', () => {
  const amounts = fc
    .array(fc.integer({ min: 1, max: 9 }), { minLength: 288, maxLength: 288 })
    .map((values) => Float64Array.from(values));
  const day = fc.record({ rise: amounts, room: amounts, share: fc.double({ min: 0.2, max: 1, noNaN: true }) });
  fc.assert(
    fc.property(fc.array(day, { minLength: 2, maxLength: 9 }), fc.constantFrom(0, 0.1), (days, above) => {
      const unseen = days.map(({ rise, room, share }) => ({
        day: { date: 0, weekday: 0, demand: rise, top: rise, rise: rise.map((value) => value * share) },
        room,
      }));
      const { noise, ...score } = scoreOf(unseen, above);
      const rises = unseen.map((_, left) => ratioOf(scoreOf(unseen.toSpliced(left, 1), above)) - ratioOf(score));
      const squares = rises.reduce((sum, rise) => sum + Math.max(0, rise) ** 2, 0);
      expect(noise).toBeCloseTo(2 * Math.sqrt((2 * squares * (days.length - 1)) / days.length), 6);
    }),
    { numRuns: 30 },
  );
});
