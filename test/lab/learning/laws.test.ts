import fc from 'fast-check';
import { BINS, BINS_PER_CELL, CELLS, type Day } from '../../../lab/learning/day-table';
import type { Demand } from '../../../lab/learning/demand';
import { envelopeOf } from '../../../lab/learning/envelope';
import { type Fit, fitWindows, roomSegments } from '../../../lab/learning/fit-windows';
import { learn } from '../../../lab/learning/learn';
import { fitRoom } from '../../../lab/learning/rhythm';

const WEEK = [1, 2, 3, 4, 5, 6, 0];
const DAY_MINUTES = 1_440;
const FROM = Date.UTC(2026, 5, 1);

/** Days with a few rises each. */
const days = fc.array(fc.array(fc.tuple(fc.nat(BINS - 1), fc.integer({ min: 1, max: 50 })), { maxLength: 12 }), {
  minLength: 2,
  maxLength: 8,
});
const margin = fc.constantFrom(0, 3, 5);

function dayOf(rises: readonly (readonly [number, number])[], index: number): Day {
  const rise = new Float64Array(BINS);
  for (const [bin, size] of rises) rise[bin] = size;
  return { date: index, weekday: (index + 4) % 7, rise, demand: new Float64Array(BINS), top: new Float64Array(BINS) };
}

/** What a fit holds at each time of day. */
function heldBy({ base, pieces }: Fit): Float64Array {
  const held = new Float64Array(BINS).fill(base);
  for (const { from, to, level } of pieces[0] ?? []) held.fill(level, from, to);
  return held;
}

/** The windows that hold least, without the 3 % that fewer windows may cost and with every level as a base. */
function cheapest(quarters: readonly number[], most: number): Fit {
  const asked = new Float64Array(BINS);
  quarters.forEach((level, quarter) => {
    asked[quarter * BINS_PER_CELL] = level;
  });
  const bases = [...new Set(asked)].sort((a, b) => a - b);
  return fitWindows([roomSegments(asked, WEEK.length)], { most, worth: { share: 0, held: 0 } }, bases);
}

/** What the best of all pairs of windows holds in a day, in quarters of an hour, found by trying each. */
function leastOfTwo(quarters: readonly number[]): number {
  const top = (levels: readonly number[]) => Math.max(0, ...levels);
  const { length } = quarters;
  let least = Number.POSITIVE_INFINITY;
  for (let a = 0; a <= length; a += 1)
    for (let b = a; b <= length; b += 1)
      for (let c = b; c <= length; c += 1)
        for (let d = c; d <= length; d += 1) {
          const base = top([...quarters.slice(0, a), ...quarters.slice(b, c), ...quarters.slice(d)]);
          const [one, two] = [quarters.slice(a, b), quarters.slice(c, d)];
          const above = [one, two].map((part) => Math.max(0, top(part) - base) * part.length);
          least = Math.min(least, base * CELLS + above.reduce((sum, held) => sum + held, 0));
        }
  return least;
}

test('no two windows and no base hold less than the cheapest', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(12), { minLength: 1, maxLength: 8 }), (quarters) => {
      expect(cheapest(quarters, 2).held).toBe(leastOfTwo(quarters) * BINS_PER_CELL * WEEK.length);
    }),
  );
});

test('a larger rise at one time of day never lowers the cheapest windows there', () => {
  // What held enough for the larger rise still does at the same cost, and nothing else has become cheaper.
  const scattered = fc
    .array(fc.tuple(fc.nat(CELLS - 1), fc.integer({ min: 1, max: 50 })), { minLength: 6, maxLength: 60 })
    .map((rises) => Array.from({ length: CELLS }, (_, quarter) => new Map(rises).get(quarter) ?? 0));
  fc.assert(
    fc.property(scattered, fc.nat(CELLS - 1), fc.integer({ min: 1, max: 80 }), (quarters, at, more) => {
      const larger = quarters.map((level, quarter) => (quarter === at ? level + more : level));
      const [before, after] = [quarters, larger].map((one) => heldBy(cheapest(one, 5))[at * BINS_PER_CELL] as number);
      expect(after).toBeGreaterThanOrEqual(before as number);
    }),
    { numRuns: 300 },
  );
});

test('larger rises never ask for less room, and the proposal never holds less than is asked for', () => {
  fc.assert(
    fc.property(
      days,
      margin,
      fc.nat(BINS - 1),
      fc.integer({ min: 1, max: 80 }),
      fc.nat(7),
      (rises, width, bin, more, which) => {
        const rule = { kinds: [WEEK], margin: width, drop: 0 };
        const [before, after] = [rises.map(dayOf), rises.map(dayOf)];
        const { rise } = after[which % after.length] as Day;
        rise[bin] = (rise[bin] as number) + more;
        const [asked, askedMore] = [envelopeOf(before, rule), envelopeOf(after, rule)];
        const held = heldBy(fitRoom(after, rule, 5));
        expect(askedMore.every((level, at) => level >= (asked[at] as number))).toBe(true);
        expect(held.every((level, at) => level >= (askedMore[at] as number))).toBe(true);
      },
    ),
  );
});

/** A week in which demand jumps at a few times of every day and falls back later. */
const rhythm = fc.array(
  fc.record({ at: fc.nat(95), hours: fc.integer({ min: 1, max: 5 }), size: fc.integer({ min: 1, max: 9 }) }),
  { minLength: 1, maxLength: 3 },
);

function demandOf(
  peaks: readonly { readonly at: number; readonly hours: number; readonly size: number }[],
  { scale = 1, shift = 0 } = {},
): Demand {
  const values = new Float64Array(7 * DAY_MINUTES);
  for (let minute = 0; minute < values.length; minute += 1) {
    const clock = (minute - shift + values.length) % DAY_MINUTES;
    const inside = peaks.filter(({ at, hours }) => (clock - at * 15 + DAY_MINUTES) % DAY_MINUTES < hours * 60);
    values[minute] = scale * (2 + inside.reduce((sum, { size }) => sum + size, 0));
  }
  return { from: FROM, values };
}

const OPTIONS = { leadMinutes: 5, cover: 0.99, most: 5, timezone: 'UTC' };

test.each(['room', 'more'] as const)('scaling demand scales the proposal: %s', (shape) => {
  fc.assert(
    fc.property(rhythm, fc.constantFrom(2, 4, 16), (peaks, scale) => {
      const [one, many] = [1, scale].map((by) =>
        learn(demandOf(peaks, { scale: by }), { ...OPTIONS, shapes: [shape] }),
      );
      expect(many?.base).toBe((one?.base ?? 0) * scale);
      expect(many?.windows.map(({ window }) => [window.startText, window.endText, window.replicas])).toEqual(
        one?.windows.map(({ window }) => [window.startText, window.endText, window.replicas * scale]),
      );
    }),
    { numRuns: 8 },
  );
});

test('shifting time shifts the proposal', () => {
  fc.assert(
    fc.property(rhythm, fc.integer({ min: 1, max: 95 }), (peaks, quarters) => {
      const [here, there] = [0, quarters * 15].map((shift) =>
        learn(demandOf(peaks, { shift }), { ...OPTIONS, shapes: ['room'] }),
      );
      const starts = (lesson: typeof here, by: number) =>
        (lesson?.windows ?? [])
          .map(({ window }) => {
            const [minute, hour] = window.startText.split(' ').map(Number);
            return [((hour ?? 0) * 60 + (minute ?? 0) + by) % DAY_MINUTES, window.replicas].join();
          })
          .sort();
      expect(starts(there, 0)).toEqual(starts(here, quarters * 15));
    }),
    { numRuns: 8 },
  );
});

test('demand that never rises needs nothing', () => {
  const flat: Demand = { from: FROM, values: new Float64Array(7 * DAY_MINUTES).fill(4) };
  expect(learn(flat, { ...OPTIONS, shapes: ['room', 'more'] })).toMatchObject({ base: 0, windows: [], highest: 0 });
});
