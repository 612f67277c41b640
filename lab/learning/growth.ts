import type { Day } from './day-table';
import { median } from './demand-history';

const WEEK_DAYS = 7;
/** Two weeks of days that can be compared with those a week before. */
const MIN_RATIOS = 14;
/** Less than this a week is noise. */
const LEAST = 0.03;
/** Of the days that grew about as much as the others; a level that changed once is no trend. */
const ALIKE = 0.8;

/** A trend of the last weeks. */
export interface Growth {
  /** 0.2 for 20 % a week. */
  readonly perWeek: number;
  /** How many times today's demand is allowed for: as much growth again as was seen. */
  readonly allowed: number;
}

/** Growth that most days show, each compared with the same weekday a week before. */
export function growthOf(days: readonly Day[]): Growth | undefined {
  const known = days.filter(({ demand }) => demand.every((value) => !Number.isNaN(value)));
  const sums = new Map(known.map(({ date, demand }) => [date, demand.reduce((sum, value) => sum + value, 0)]));
  const ratios = known.flatMap(({ date }) => {
    const before = sums.get(date - WEEK_DAYS);
    return before ? [(sums.get(date) as number) / before - 1] : [];
  });
  const perWeek = median(Float64Array.from(ratios));
  const alike = ratios.filter((ratio) => ratio >= perWeek / 2 && ratio <= perWeek * 2);
  if (ratios.length < MIN_RATIOS || perWeek < LEAST || alike.length < ratios.length * ALIKE) return undefined;
  const weeks = ((known.at(-1)?.date ?? 0) - (known[0]?.date ?? 0)) / WEEK_DAYS;
  return { perWeek, allowed: (1 + perWeek) ** weeks };
}

export function atPresentLevel(days: readonly Day[], { perWeek }: Growth): readonly Day[] {
  const last = days.at(-1)?.date ?? 0;
  return days.map((day) => {
    const factor = (1 + perWeek) ** ((last - day.date) / WEEK_DAYS);
    const scaled = (values: Float64Array) => values.map((value) => value * factor);
    return { ...day, rise: scaled(day.rise), demand: scaled(day.demand), top: scaled(day.top) };
  });
}
