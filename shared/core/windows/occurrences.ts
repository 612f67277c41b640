import type { CronFields } from './cron';
import { matchesDay } from './matches-day';

const MINUTE = 60_000;
const DAY = 86_400_000;
/** February 29 on a given weekday may be 40 years away (2100 is no leap year). */
const HORIZON_DAYS = 41 * 366;

/** The first local time after `local` at which the expression fires. */
export function nextLocal(cron: CronFields, local: number): number | undefined {
  const from = Math.floor(local / MINUTE) * MINUTE + MINUTE;
  let day = Math.floor(from / DAY) * DAY;
  let earliest = (from - day) / MINUTE;
  for (let i = 0; i < HORIZON_DAYS; i += 1, day += DAY, earliest = 0) {
    if (!firesOn(cron, day)) continue;
    const minute = firstFrom(cron, earliest);
    if (minute !== undefined) return day + minute * MINUTE;
  }
  return undefined;
}

/** The last local time at or before `local` at which the expression fires. */
export function previousLocal(cron: CronFields, local: number): number | undefined {
  const until = Math.floor(local / MINUTE) * MINUTE;
  let day = Math.floor(until / DAY) * DAY;
  let latest = (until - day) / MINUTE;
  for (let i = 0; i < HORIZON_DAYS; i += 1, day -= DAY, latest = 1_439) {
    if (!firesOn(cron, day)) continue;
    const minute = lastUntil(cron, latest);
    if (minute !== undefined) return day + minute * MINUTE;
  }
  return undefined;
}

function firesOn(cron: CronFields, day: number): boolean {
  const date = new Date(day);
  return matchesDay(cron, date.getUTCMonth() + 1, date.getUTCDate(), date.getUTCDay());
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
