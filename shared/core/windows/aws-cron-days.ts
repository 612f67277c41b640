import type { CronFields } from './cron';

/** The three day fields of an AWS cron expression: day of month, month, day of week. */
export type DayFields = string;

const NAMES = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];
const DAY = 86_400_000;
/** One of each kind: the result of a shift depends on nothing else of the year. */
const [COMMON_YEAR, LEAP_YEAR] = [2023, 2024];
const FEBRUARY = 2;
const MONTHS = Array.from({ length: 12 }, (_, index) => index + 1);
/** A shift of more days could cross all of February. */
const MAX_DAYS_EARLIER = 28;

/** The days of a Unix expression, moved earlier, or why AWS cron cannot express them. */
export function daysBefore(cron: CronFields, daysEarlier: number): readonly DayFields[] | { readonly why: string } {
  const [anyMonth, someDates, someWeekdays] = [cron.months.length === 12, datesLimited(cron), weekdaysLimited(cron)];
  if (!someDates && !someWeekdays && (anyMonth || daysEarlier === 0)) return [`* ${numbers(cron.months, 12)} ?`];
  const weekdays = someWeekdays ? weekdaysBefore(cron, daysEarlier) : [];
  const dates = someDates || !someWeekdays ? datesBefore(cron, daysEarlier) : [];
  if ('why' in weekdays) return weekdays;
  return 'why' in dates ? dates : [...dates, ...weekdays];
}

/** Unix: with both day fields given, either may match, so one that allows all days overrules the other. */
function datesLimited({ anyDayOfMonth, anyDayOfWeek, daysOfMonth, daysOfWeek }: CronFields): boolean {
  return !anyDayOfMonth && daysOfMonth.length < 31 && (anyDayOfWeek || daysOfWeek.length < 7);
}

function weekdaysLimited({ anyDayOfMonth, anyDayOfWeek, daysOfMonth, daysOfWeek }: CronFields): boolean {
  return !anyDayOfWeek && daysOfWeek.length < 7 && (anyDayOfMonth || daysOfMonth.length < 31);
}

function weekdaysBefore({ months, daysOfWeek }: CronFields, daysEarlier: number): DayFields[] | { why: string } {
  if (daysEarlier > 0 && months.length < 12)
    return { why: 'the lead time moves weekdays of some months into another month' };
  const moved = daysOfWeek.map((day) => (((day - daysEarlier) % 7) + 7) % 7).sort((a, b) => a - b);
  return [`? ${numbers(months, 12)} ${ranges(moved, (day) => NAMES[day] ?? '')}`];
}

function datesBefore(cron: CronFields, daysEarlier: number): DayFields[] | { why: string } {
  if (daysEarlier === 0) return [`${numbers(cron.daysOfMonth, 31)} ${numbers(cron.months, 12)} ?`];
  if (daysEarlier > MAX_DAYS_EARLIER) return { why: `the lead time is longer than ${MAX_DAYS_EARLIER} days` };
  const months = MONTHS.map((month) => monthDays(cron, month, daysEarlier));
  if (!months.every((month) => month !== undefined))
    return { why: 'the lead time moves it across the end of February, which leap years move too' };
  const [plain, withLast] = [coverPlainly(months), coverWithLast(months)];
  return plain.length <= withLast.length ? plain : withLast;
}

/** The wanted days of one month, in the numbers and the `L` that AWS cron has for them. */
interface MonthDays {
  readonly month: number;
  readonly length: number;
  /** Days to be named by their numbers. */
  readonly days: readonly number[];
  /** Whether `L` names wanted days only. */
  readonly last: boolean;
  /** Whether `L` is the only way to name them. */
  readonly lastOnly: boolean;
}

function monthDays(cron: CronFields, month: number, daysEarlier: number): MonthDays | undefined {
  const [common, leap] = [datesIn(cron, COMMON_YEAR, month, daysEarlier), datesIn(cron, LEAP_YEAR, month, daysEarlier)];
  const length = new Date(Date.UTC(LEAP_YEAR, month, 0)).getUTCDate();
  if (month !== FEBRUARY) return { month, length, days: common, last: common.includes(length), lastOnly: false };

  // February 28 is as far from March as February 29 of a leap year: both are wanted, or neither.
  const last = common.includes(28);
  const lastOnly = last && !leap.includes(28);
  const fires = (days: readonly number[]) => days.filter((day) => day <= (lastOnly ? 27 : 28));
  const isExact = fires(common).join() === fires(leap).join();
  return isExact ? { month, length, days: lastOnly ? fires(common) : leap, last, lastOnly } : undefined;
}

/** The dates of a month that are `daysEarlier` days before a date of the expression. */
function datesIn(cron: CronFields, year: number, month: number, daysEarlier: number): number[] {
  const length = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return Array.from({ length }, (_, index) => index + 1).filter((day) => {
    const date = new Date(Date.UTC(year, month - 1, day) + daysEarlier * DAY);
    return cron.months.includes(date.getUTCMonth() + 1) && datesOf(cron).includes(date.getUTCDate());
  });
}

function datesOf(cron: CronFields): readonly number[] {
  return datesLimited(cron) ? cron.daysOfMonth : Array.from({ length: 31 }, (_, index) => index + 1);
}

function coverPlainly(months: readonly MonthDays[]): DayFields[] {
  return [...lastDays(months.filter(({ lastOnly }) => lastOnly)), ...numberedDays(months)];
}

function coverWithLast(months: readonly MonthDays[]): DayFields[] {
  const named = months.filter(({ last, days, length }) => last && days.length < length);
  const rest = months.map((month) =>
    named.includes(month) ? { ...month, days: month.days.filter((day) => day !== month.length) } : month,
  );
  return [...lastDays(named), ...numberedDays(rest, months)];
}

function lastDays(months: readonly MonthDays[]): DayFields[] {
  if (months.length === 0) return [];
  return [
    `L ${numbers(
      months.map(({ month }) => month),
      12,
    )} ?`,
  ];
}

/** Months whose days can share one list do; numbers beyond a month's end have no effect. */
function numberedDays(months: readonly MonthDays[], allowed = months): DayFields[] {
  const groups: { days: readonly number[]; months: MonthDays[] }[] = [];
  const largestFirst = [...months].sort((a, b) => b.days.length - a.days.length || b.length - a.length);
  for (const month of largestFirst) {
    if (month.days.length === 0) continue;
    const may = allowed.find((other) => other.month === month.month) ?? month;
    const fits = (days: readonly number[]) =>
      month.days.every((day) => days.includes(day)) && days.every((day) => day > may.length || may.days.includes(day));
    const group = groups.find(({ days }) => fits(days));
    if (group) group.months.push(month);
    else groups.push({ days: month.days, months: [month] });
  }
  return groups.map((group) => {
    const complete = group.months.every(({ days, length }) => days.length === length);
    const list = group.months.map(({ month }) => month).sort((a, b) => a - b);
    return `${complete ? '*' : ranges(group.days)} ${numbers(list, 12)} ?`;
  });
}

/** `*` for all of them, otherwise a list with ranges. */
export function numbers(values: readonly number[], all: number): string {
  return values.length === all ? '*' : ranges(values);
}

function ranges(values: readonly number[], render: (value: number) => string = String): string {
  const runs: number[][] = [];
  for (const value of values) {
    const run = runs.at(-1);
    if (run && run.at(-1) === value - 1) run.push(value);
    else runs.push([value]);
  }
  return runs
    .flatMap((run) => {
      const [first = 0, last = 0] = [run[0], run.at(-1)];
      return run.length > 2 ? [`${render(first)}-${render(last)}`] : run.map(render);
    })
    .join(',');
}
