import { spanText } from '../core/basics/duration';
import type { Window } from '../core/windows/window';
import { offsetAt, toLocal } from '../core/windows/zone';

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `11:30`. */
export function localClock(timezone: string, instant: number): string {
  return localIso(timezone, instant).slice(11, 16);
}

/** `Tue 17 Nov`, `Tue  3 Nov`: always ten columns. */
export function localDay(timezone: string, instant: number): string {
  const { weekday, date, month } = dayOf(timezone, instant);
  return `${weekday} ${String(date).padStart(2)} ${month}`;
}

/** `Tue 3 Nov`, or `Tue 3` where there is little room. */
export function dayLabel(timezone: string, instant: number, size: 'full' | 'narrow' = 'full'): string {
  const { weekday, date, month } = dayOf(timezone, instant);
  return size === 'full' ? `${weekday} ${date} ${month}` : `${weekday} ${date}`;
}

/** `Tue 3 Nov 11:30`. */
export function localTime(timezone: string, instant: number): string {
  return `${dayLabel(timezone, instant)} ${localClock(timezone, instant)}`;
}

/** `20:30 Asia/Seoul`, with the day if it is not that of `now`: `Tue 17 Nov 08:30 Asia/Seoul`. */
export function momentText(timezone: string, instant: number, now: number): string {
  return `${bareMoment(timezone, instant, now)} ${timezone}`;
}

/** The same without the zone. */
function bareMoment(timezone: string, instant: number, now: number): string {
  const isToday = localIso(timezone, instant).slice(0, 10) === localIso(timezone, now).slice(0, 10);
  return isToday ? localClock(timezone, instant) : localTime(timezone, instant);
}

const INSTANT = /\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?Z/g;

/** A text such as a reason of a decision, with its instants (`2026-11-17T11:30Z`) as moments; the first names the zone. */
export function withMoments(text: string, timezone: string, now: number): string {
  let write = momentText;
  return text.replace(INSTANT, (instant) => {
    const moment = write(timezone, Date.parse(instant), now);
    write = bareMoment;
    return moment;
  });
}

/** The same where the zone is named already. */
export function withBareMoments(text: string, timezone: string, now: number): string {
  return text.replace(INSTANT, (instant) => bareMoment(timezone, Date.parse(instant), now));
}

function dayOf(timezone: string, instant: number) {
  const local = new Date(toLocal(timezone, instant));
  return { weekday: DAYS[local.getUTCDay()], date: local.getUTCDate(), month: MONTHS[local.getUTCMonth()] };
}

/** The local time in ISO format, `2026-11-17T11:30:00.000Z`, to take parts of. */
export function localIso(timezone: string, instant: number): string {
  return new Date(toLocal(timezone, instant)).toISOString();
}

/** `+09:00`; empty for UTC, which needs no offset. */
export function offsetText(timezone: string, instant: number): string {
  if (timezone === 'UTC') return '';
  const minutes = Math.round(offsetAt(timezone, instant) / 60_000);
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${minutes < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`;
}

/** `24 h`, `7 d`, `1 d 12 h`, `30 min`: the length of a stretch of time. */
export function lengthText(ms: number): string {
  const hours = ms / 3_600_000;
  return hours > 48 || hours % 1 !== 0 ? spanText(ms / 60_000) : `${hours} h`;
}

/** The zone of most windows, the first if several tie; UTC without windows. Announced peaks have no zone of their own. */
export function defaultZone(windows: readonly Window[]): string {
  const counts = new Map<string, number>();
  for (const { timezone, live } of windows) if (!live?.announced) counts.set(timezone, (counts.get(timezone) ?? 0) + 1);
  return [...counts].reduce((best, entry) => (entry[1] > best[1] ? entry : best), ['UTC', 0] as [string, number])[0];
}
