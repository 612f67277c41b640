import { offsetAt, startInstant } from './zone';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** The local days around a clock change: from the midnight of the first to the midnight after the last. */
export interface ClockChange {
  readonly from: number;
  readonly to: number;
}

const MAX_REMEMBERED = 8_192;
const remembered = new Map<string, Map<number, ClockChange | undefined>>();

/**
 * The clock change that affects a local day, given by its midnight; `undefined` if the offset is constant, so that
 * local times and instants have the same order and distances.
 */
export function clockChangeOn(timezone: string, day: number): ClockChange | undefined {
  let days = remembered.get(timezone);
  if (!days || days.size > MAX_REMEMBERED) {
    days = new Map();
    remembered.set(timezone, days);
  }
  const known = days.get(day);
  if (known || days.has(day)) return known;
  const change = findChange(timezone, day);
  days.set(day, change);
  return change;
}

function findChange(timezone: string, day: number): ClockChange | undefined {
  if (isCalm(timezone, day)) return undefined;
  let [from, to] = [day, day + DAY];
  while (!isCalm(timezone, from - DAY)) from -= DAY;
  while (!isCalm(timezone, to)) to += DAY;
  return { from, to };
}

/** Whether the offset is constant all day, and long enough before and after it that no edge moves into or out of it. */
function isCalm(timezone: string, day: number): boolean {
  const shift = largestShift(timezone, day);
  if (shift === 0) return true;
  const [first, last] = [startInstant(timezone, day), startInstant(timezone, day + DAY)];
  return offsetAt(timezone, first - shift - HOUR) === offsetAt(timezone, last + shift + HOUR);
}

/** The largest difference of the offset within two days of the local day. */
function largestShift(timezone: string, day: number): number {
  const here = offsetAt(timezone, day);
  let shift = 0;
  for (let there = day - 2 * DAY; there <= day + 3 * DAY; there += DAY)
    shift = Math.max(shift, Math.abs(offsetAt(timezone, there) - here));
  return shift;
}
