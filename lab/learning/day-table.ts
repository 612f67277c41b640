import { toLocal } from '../../shared/core/windows/zone';
import { type Demand, MINUTE } from './demand';

export const BIN_MINUTES = 5;
export const BINS = 1_440 / BIN_MINUTES;
export const BINS_PER_HOUR = 60 / BIN_MINUTES;
/** Windows begin and end on quarters of an hour, as people write them. */
export const BINS_PER_CELL = 3;
export const CELLS = BINS / BINS_PER_CELL;
const DAY = 86_400_000;
const BIN = BIN_MINUTES * MINUTE;

/** One local day, bin by bin; NaN where demand is unknown. */
export interface Day {
  /** Days since 1970-01-01, local. */
  readonly date: number;
  /** 0 is Sunday. */
  readonly weekday: number;
  /** The largest rise in the bin. */
  readonly rise: Float64Array;
  /** The mean demand of the bin. */
  readonly demand: Float64Array;
  /** The highest demand that a rise of the bin leads to; 0 where there is none. */
  readonly top: Float64Array;
}

/** A history cut into local days that begin `cut` bins after midnight, or before it where `cut` is negative; bins need not begin on whole five minutes. */
export interface DayTable {
  readonly timezone: string;
  readonly cut: number;
  readonly days: readonly Day[];
}

export function dayTable(demand: Demand, rise: Float64Array, timezone: string, cut = 0): DayTable {
  const days = new Map<number, GrowingDay>();
  const { from, values } = demand;
  let minute = 0;
  while (minute < values.length) {
    const at = from + minute * MINUTE;
    const local = toLocal(timezone, at) - Math.round(cut * BIN);
    const date = Math.floor(local / DAY);
    const bin = Math.floor((local - date * DAY) / BIN);
    const last = Math.min(values.length, minute + (BIN - (((local % BIN) + BIN) % BIN)) / MINUTE);
    const day = days.get(date) ?? emptyDay(date);
    days.set(date, day);
    add(day, bin, values.subarray(minute, last), rise.subarray(minute, last));
    minute = last;
  }
  return { timezone, cut, days: [...days.values()] };
}

interface GrowingDay extends Day {
  readonly counts: Float64Array;
}

function emptyDay(date: number): GrowingDay {
  const unknown = () => new Float64Array(BINS).fill(Number.NaN);
  const weekday = (((date + 4) % 7) + 7) % 7;
  return { date, weekday, rise: unknown(), demand: unknown(), top: unknown(), counts: new Float64Array(BINS) };
}

/** A clock that goes back comes to a bin twice. */
function add(day: GrowingDay, bin: number, values: Float64Array, rises: Float64Array): void {
  let count = day.counts[bin] as number;
  let mean = count === 0 ? 0 : (day.demand[bin] as number);
  let most = count === 0 ? 0 : (day.rise[bin] as number);
  let top = count === 0 ? 0 : (day.top[bin] as number);
  for (let minute = 0; minute < values.length; minute += 1) {
    const value = values[minute] as number;
    if (Number.isNaN(value)) continue;
    const risen = rises[minute] as number;
    count += 1;
    mean += (value - mean) / count;
    if (risen > most) most = risen;
    if (risen > 0 && value + risen > top) top = value + risen;
  }
  if (count === 0) return;
  day.counts[bin] = count;
  day.demand[bin] = mean;
  day.rise[bin] = most;
  day.top[bin] = top;
}
