import type { CronFields } from './cron';

const MINUTE = 60_000;
const DAY = 86_400_000;
/** February 29 may be 8 years away, because 2100 is not a leap year, and that date may be excluded. */
const MAX_DAYS = 17 * 366;

/** Whether a local day, given by its midnight, is skipped. */
export type SkipsDay = (day: number) => boolean;

const skipsNone: SkipsDay = () => false;

/** The first local time after `local` at which the expression fires. */
export function nextLocal(cron: CronFields, local: number, skips = skipsNone): number | undefined {
  const from = Math.floor(local / MINUTE) * MINUTE + MINUTE;
  let day = Math.floor(from / DAY) * DAY;
  let earliest = from - day;
  for (const last = day + MAX_DAYS * DAY; day < last; day = dayBeside(cron, day, 1), earliest = 0) {
    if (!firesOn(cron, day) || skips(day)) continue;
    const time = firstAfter(timesOfDay(cron), earliest - 1);
    if (time !== undefined) return day + time;
  }
  return undefined;
}

/** The last local time at or before `local` at which the expression fires. */
export function previousLocal(cron: CronFields, local: number, skips = skipsNone): number | undefined {
  const until = Math.floor(local / MINUTE) * MINUTE;
  let day = Math.floor(until / DAY) * DAY;
  let latest = until - day;
  for (const first = day - MAX_DAYS * DAY; day > first; day = dayBeside(cron, day, -1), latest = DAY) {
    if (!firesOn(cron, day) || skips(day)) continue;
    const time = lastUpTo(timesOfDay(cron), latest);
    if (time !== undefined) return day + time;
  }
  return undefined;
}

/** The next candidate day in a direction; months that the expression does not name are skipped. */
function dayBeside({ months }: CronFields, day: number, step: 1 | -1): number {
  if (months.length === 12) return day + step * DAY;
  const date = new Date(day);
  const month = date.getUTCMonth();
  if (months.includes(month + 1)) return day + step * DAY;
  return step === 1 ? Date.UTC(date.getUTCFullYear(), month + 1, 1) : Date.UTC(date.getUTCFullYear(), month, 0);
}

export function firesOn(cron: CronFields, day: number): boolean {
  const date = new Date(day);
  return matchesDay(cron, date.getUTCMonth() + 1, date.getUTCDate(), date.getUTCDay());
}

const times = new WeakMap<CronFields, readonly number[]>();

/** The times at which it fires on such a day, in order, as milliseconds from midnight. */
export function timesOfDay(cron: CronFields): readonly number[] {
  let known = times.get(cron);
  if (!known) {
    const { hours, minutes } = cron;
    known = hours.flatMap((hour) => minutes.map((minute) => (hour * 60 + minute) * MINUTE));
    times.set(cron, known);
  }
  return known;
}

/** The first value of a sorted list that is greater. */
export function firstAfter(sorted: readonly number[], value: number): number | undefined {
  return sorted[indexAfter(sorted, value)];
}

/** The last value of a sorted list that is not greater. */
export function lastUpTo(sorted: readonly number[], value: number): number | undefined {
  return sorted[indexAfter(sorted, value) - 1];
}

function indexAfter(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) > value) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Whether the expression fires on a calendar day; both day fields restricted means either (Unix). */
export function matchesDay(cron: CronFields, month: number, dayOfMonth: number, dayOfWeek: number): boolean {
  if (!cron.months.includes(month)) return false;
  const inMonth = cron.daysOfMonth.includes(dayOfMonth);
  const inWeek = cron.daysOfWeek.includes(dayOfWeek);
  if (cron.anyDayOfMonth) return inWeek;
  if (cron.anyDayOfWeek) return inMonth;
  return inMonth || inWeek;
}
