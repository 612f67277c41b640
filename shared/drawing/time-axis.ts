import { startInstant, toLocal } from '../core/windows/zone';
import { localIso } from './local-time';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const STEPS = [5, 15, 30, 60, 120, 180, 240, 360, 720, 1_440, 2_880, 10_080].map((minutes) => minutes * MINUTE);

/** A moment worth a mark on the axis, in local time. */
export interface Tick {
  readonly at: number;
  readonly label: string;
  /** A new local day begins here. */
  readonly midnight: boolean;
}

/** The moments at which local clocks show a multiple of the smallest step that gives at most `most` ticks. */
export function ticksOf(timezone: string, from: number, to: number, most: number): readonly Tick[] {
  const step = STEPS.find((size) => (to - from) / size <= most) ?? Math.ceil((to - from) / most / DAY) * DAY;
  const ticks: Tick[] = [];
  for (let local = firstLocal(timezone, from, step); ; local += step) {
    const at = startInstant(timezone, local);
    if (at >= to) return ticks;
    if (at < from || at === ticks.at(-1)?.at) continue;
    const text = localIso(timezone, at);
    ticks.push({ at, label: step % HOUR === 0 ? text.slice(11, 13) : text.slice(11, 16), midnight: local % DAY === 0 });
  }
}

export function midnightsOf(timezone: string, from: number, to: number): readonly number[] {
  const found: number[] = [];
  for (let local = firstLocal(timezone, from, DAY); ; local += DAY) {
    const at = startInstant(timezone, local);
    if (at >= to) return found;
    if (at >= from) found.push(at);
  }
}

function firstLocal(timezone: string, from: number, step: number): number {
  // Local midnights are multiples of a day in local milliseconds; longer steps start on a Monday.
  const epoch = step > DAY ? 4 * DAY : 0;
  return Math.floor((toLocal(timezone, from) - epoch) / step) * step + epoch;
}
