import { BINS, BINS_PER_HOUR, type Day } from './day-table';

export interface Rule {
  /** Days that are planned alike, as lists of weekdays. */
  readonly kinds: readonly (readonly number[])[];
  /** By how many bins a rise may come earlier or later than before. */
  readonly margin: number;
  /** Every hour is planned alike. */
  readonly hourly?: true;
}

/** The largest value within `margin` bins, NaN if none is known; days wrap around, because the next is planned alike. */
export function widened(values: Float64Array, margin: number): Float64Array {
  if (margin === 0) return values;
  const wide = new Float64Array(BINS).fill(Number.NaN);
  for (let bin = 0; bin < BINS; bin += 1) {
    const value = values[bin] as number;
    if (Number.isNaN(value)) continue;
    for (let near = bin - margin; near <= bin + margin; near += 1) {
      const at = (near + BINS) % BINS;
      // Not `>`, so that NaN is replaced too.
      if (!(value <= (wide[at] as number))) wide[at] = value;
    }
  }
  return wide;
}

/** A rise that one day alone had counts up to this many times what another had. */
const CONFIRMED = 1.5;

/** The room to hold at each time of day: the largest rise around it, as far as a second day confirms it. */
export function envelopeOf(days: readonly Day[], { margin, hourly }: Omit<Rule, 'kinds'>): Float64Array {
  const [most, second] = [new Float64Array(BINS), new Float64Array(BINS)];
  for (const { rise } of days) {
    const wide = widened(hourly ? everyHour(rise) : rise, margin);
    for (let bin = 0; bin < BINS; bin += 1) {
      const value = wide[bin] as number;
      if (value > (most[bin] as number)) {
        second[bin] = most[bin] as number;
        most[bin] = value;
      } else if (value > (second[bin] as number)) second[bin] = value;
    }
  }
  return most.map((rise, bin) => Math.min(rise, CONFIRMED * (second[bin] as number)));
}

/** The largest rise of any hour, in each hour. */
function everyHour(rise: Float64Array): Float64Array {
  const hour = new Float64Array(BINS_PER_HOUR);
  rise.forEach((value, bin) => {
    if (value > (hour[bin % BINS_PER_HOUR] as number)) hour[bin % BINS_PER_HOUR] = value;
  });
  return rise.map((_, bin) => hour[bin % BINS_PER_HOUR] as number);
}

export function daysOf(days: readonly Day[], weekdays: readonly number[]): readonly Day[] {
  return days.filter(({ weekday }) => weekdays.includes(weekday));
}
