import type { Demand } from '../../../shared/learning/demand';
import { learn } from '../../../shared/learning/learn';

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
