import type { Random } from '../../../lab/simulator/deterministic/seeded-random';

/** Any time of a week, so that hourly windows are met at every minute. */
const WEEK = ['2026-11-16T00:00:00Z', '2026-11-23T00:00:00Z'] as const;

/** The hours around a change of the clock, the end of a month or the edge of a window that opens seldom. */
const SPECIAL = [
  ['2026-11-01T05:10:00Z', '2026-11-01T07:50:00Z'],
  ['2026-03-08T06:10:00Z', '2026-03-08T07:50:00Z'],
  ['2026-10-24T23:50:00Z', '2026-10-25T02:20:00Z'],
  ['2026-03-29T00:30:00Z', '2026-03-29T01:45:00Z'],
  ['2026-04-04T14:00:00Z', '2026-04-04T16:30:00Z'],
  ['2026-10-03T14:20:00Z', '2026-10-03T16:20:00Z'],
  ['2026-02-28T21:30:00Z', '2026-02-28T23:40:00Z'],
  ['2026-10-31T21:30:00Z', '2026-10-31T23:40:00Z'],
  ['2026-12-31T21:30:00Z', '2026-12-31T23:40:00Z'],
  ['2026-11-14T00:40:00Z', '2026-11-14T01:20:00Z'],
  ['2026-11-16T07:50:00Z', '2026-11-16T08:20:00Z'],
  ['2026-11-18T00:40:00Z', '2026-11-18T02:00:00Z'],
] as const;

/** When a scenario begins. */
export function beginning(random: Random): number {
  const range = random() < 0.5 ? WEEK : (SPECIAL[Math.floor(random() * SPECIAL.length)] ?? WEEK);
  const [from, to] = range.map((text) => Date.parse(text)) as [number, number];
  return from + Math.floor(random() * (to - from));
}
