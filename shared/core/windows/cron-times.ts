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
  let earliest = (from - day) / MINUTE;
  for (const last = day + MAX_DAYS * DAY; day < last; day = dayAfter(cron, day), earliest = 0) {
    if (!firesOn(cron, day) || skips(day)) continue;
    const minute = firstFrom(cron, earliest);
    if (minute !== undefined) return day + minute * MINUTE;
  }
  return undefined;
}

/** The last local time at or before `local` at which the expression fires. */
export function previousLocal(cron: CronFields, local: number, skips = skipsNone): number | undefined {
  const until = Math.floor(local / MINUTE) * MINUTE;
  let day = Math.floor(until / DAY) * DAY;
  let latest = (until - day) / MINUTE;
  for (const first = day - MAX_DAYS * DAY; day > first; day = dayBefore(cron, day), latest = 1_439) {
    if (!firesOn(cron, day) || skips(day)) continue;
    const minute = lastUntil(cron, latest);
    if (minute !== undefined) return day + minute * MINUTE;
  }
  return undefined;
}

/** The next candidate day; months that the expression does not name are skipped. */
function dayAfter({ months }: CronFields, day: number): number {
  if (months.length === 12) return day + DAY;
  const date = new Date(day);
  const month = date.getUTCMonth();
  return months.includes(month + 1) ? day + DAY : Date.UTC(date.getUTCFullYear(), month + 1, 1);
}

function dayBefore({ months }: CronFields, day: number): number {
  if (months.length === 12) return day - DAY;
  const date = new Date(day);
  const month = date.getUTCMonth();
  return months.includes(month + 1) ? day - DAY : Date.UTC(date.getUTCFullYear(), month, 0);
}

/** Whether the expression fires on a local day. */
export function firesOn(cron: CronFields, day: number): boolean {
  const date = new Date(day);
  return matchesDay(cron, date.getUTCMonth() + 1, date.getUTCDate(), date.getUTCDay());
}

const times = new WeakMap<CronFields, readonly number[]>();

/** The times at which it fires on such a day, in order, as milliseconds from midnight. */
export function timesOfDay(cron: CronFields): readonly number[] {
  let known = times.get(cron);
  if (!known) {
    known = cron.hours.flatMap((hour) => cron.minutes.map((minute) => (hour * 60 + minute) * MINUTE));
    times.set(cron, known);
  }
  return known;
}

function firstFrom(cron: CronFields, earliest: number): number | undefined {
  const hour = Math.floor(earliest / 60);
  if (cron.hours.includes(hour)) {
    const minute = cron.minutes.find((m) => m >= earliest % 60);
    if (minute !== undefined) return hour * 60 + minute;
  }
  const later = cron.hours.find((h) => h > hour);
  return later === undefined ? undefined : later * 60 + (cron.minutes[0] ?? 0);
}

function lastUntil(cron: CronFields, latest: number): number | undefined {
  const hour = Math.floor(latest / 60);
  if (cron.hours.includes(hour)) {
    const minute = cron.minutes.findLast((m) => m <= latest % 60);
    if (minute !== undefined) return hour * 60 + minute;
  }
  const earlier = cron.hours.findLast((h) => h < hour);
  return earlier === undefined ? undefined : earlier * 60 + (cron.minutes.at(-1) ?? 0);
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
