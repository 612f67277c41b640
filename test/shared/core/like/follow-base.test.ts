import fc from 'fast-check';
import { followBase } from '../../../../shared/core/like/follow-base';
import type { Followed } from '../../../../shared/core/like/kept-like';

const MINUTE = 60_000;
const START = Date.parse('2026-11-17T12:00:00Z');

interface Step {
  readonly reading: number;
  readonly followed: Followed;
  readonly isWritten: boolean;
}

function history(readings: readonly number[], sizeOf: (replicas: number) => number): readonly Step[] {
  let followed: Followed | undefined;
  return readings.map((reading, minute) => {
    const next = followBase(followed, reading, START + minute * MINUTE, sizeOf);
    const isWritten = JSON.stringify(next) !== JSON.stringify(followed);
    followed = next;
    return { reading, followed: next, isWritten };
  });
}

const quarters = (replicas: number) => Math.ceil(Math.max(1, Math.ceil(replicas / 4)) / 4);
const each = (replicas: number) => replicas;
const sizes = fc.constantFrom(each, quarters);
const readings = fc.array(fc.oneof(fc.constantFrom(8, 40), fc.integer({ min: 0, max: 60 })), { maxLength: 60 });

test('what base follows is never below a reading of the last five minutes, nor above the highest', () => {
  fc.assert(
    fc.property(readings, sizes, (list, sizeOf) => {
      for (const [minute, { followed }] of history(list, sizeOf).entries()) {
        const recent = list.slice(Math.max(0, minute - 4), minute + 1).map(sizeOf);
        expect(sizeOf(followed.replicas)).toBeGreaterThanOrEqual(Math.max(...recent));
        expect(list.slice(0, minute + 1)).toContain(followed.replicas);
      }
    }),
  );
});

test('a steady workload is followed within ten minutes, and then nothing is written', () => {
  fc.assert(
    fc.property(readings, fc.nat(60), sizes, (list, level, sizeOf) => {
      const steady = history([...list, ...Array<number>(40).fill(level)], sizeOf).slice(list.length);
      const settled = steady.slice(11);
      expect(settled.every(({ followed }) => sizeOf(followed.replicas) === sizeOf(level))).toBe(true);
      expect(settled.some(({ isWritten }) => isWritten)).toBe(false);
    }),
  );
});

test('going up and down is written twice in five minutes at most, beside the rises that are followed at once', () => {
  fc.assert(
    fc.property(readings, sizes, (list, sizeOf) => {
      const steps = history(list, sizeOf);
      const isRise = (index: number) =>
        sizeOf(steps[index]?.followed.replicas ?? 0) > sizeOf(steps[index - 1]?.followed.replicas ?? 0);
      const writes = steps.map(({ isWritten }, index) => isWritten && index > 0 && !isRise(index));
      for (const minute of writes.keys())
        expect(writes.slice(minute, minute + 5).filter(Boolean).length).toBeLessThanOrEqual(2);
    }),
    { numRuns: 1_000 },
  );
});

test.each([
  { name: 'falls', list: [40, 8, 8, 8, 8, 8, 8], last: 8 },
  { name: 'falls and falls', list: [40, 20, 20, 8, 8, 8, 8], last: 20 },
  { name: 'rises', list: [8, 9], last: 9 },
  { name: 'comes back in time', list: [40, 8, 8, 8, 8, 40, 8], last: 40 },
])('a workload that $name', ({ list, last }) => {
  expect(history(list, each).at(-1)?.followed.replicas).toBe(last);
});

test.each([
  { name: 'dated ahead', lowSince: '2027-01-01T00:00:00.000Z' },
  { name: 'of long ago', lowSince: '2020-01-01T00:00:00.000Z' },
])('a beginning $name ends', ({ lowSince }) => {
  let followed: Followed = { replicas: 40, lowSince, again: 8 };
  for (let minute = 0; minute < 7; minute += 1) followed = followBase(followed, 8, START + minute * MINUTE, each);
  expect(followed.replicas).toBe(8);
});
