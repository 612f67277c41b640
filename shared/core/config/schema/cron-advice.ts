import { isCron } from '../../windows/written-times';
import { isTimezone } from '../../windows/zone';

const DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

/** What to write instead of a cron of another dialect, or of a time of day; `undefined` if it is none that is known. */
export function cronAdvice(written: string): string | undefined {
  const text = written.trim().replace(/^cron\((.*)\)$/i, '$1');
  const [, zone, rest = text] = /^(?:CRON_)?TZ=(\S+)\s+(.*)$/.exec(text) ?? [];
  const [, hour, minute] = /^(\d{1,2}):(\d{2})$/.exec(text) ?? [];
  if (hour !== undefined) return ifCron(`${Number(minute)} ${Number(hour)} * * *`);
  const fields = rest.split(/\s+/);
  const advice = withoutExtras(fields);
  if (advice === undefined || (advice === written && zone === undefined)) return undefined;
  return zone !== undefined && isTimezone(zone) ? `timezone: ${zone}, and here ${advice}` : advice;
}

/**
 * AWS cron has the year last, Quartz and Spring have the seconds first and perhaps the year last. Both have `?` for one
 * of the two days and count the days of the week from 1.
 */
function withoutExtras(fields: readonly string[]): string | undefined {
  const isYear = (field = '') => field === '*' || /^\d{4}([-,/]\d+)*$/.test(field);
  const isAws = fields.length === 6 && (fields[2] === '?' || fields[4] === '?' || isYear(fields[5]));
  const five = isAws ? fields.slice(0, 5) : fields.length > 5 ? fields.slice(1, 6) : fields;
  if (five.length !== 5 || fields.length > 7) return undefined;
  const [minute, hour, date = '', month, weekday = ''] = five;
  const year = fields.length === (isAws ? 6 : 7) ? fields.at(-1) : '*';
  if (/\d/.test(year ?? '')) return 'a window with from and to, because Unix cron has no years';
  const days = five.includes('?') ? named(weekday) : weekday;
  const { note, ...said } = sayable(date, days);
  const cron = ifCron([minute, hour, unasked(said.date), month, unasked(said.weekday)].join(' '));
  return cron && (note === undefined ? cron : `${cron} (${note}), or a window with from and to for each date`);
}

function unasked(field: string): string {
  return field === '?' ? '*' : field;
}

/** 1 is Sunday there, and Monday in Unix cron. */
function named(weekday: string): string {
  return weekday.replace(/(?<![#/\d])[1-7](?!\d)/g, (day) => DAYS[Number(day) - 1] ?? day);
}

/** `L`, `15W`, `6L` and `5#2` have no counterpart: the days that come nearest. */
function sayable(date: string, weekday: string): { date: string; weekday: string; note?: string } {
  const [, nearDate] = /^(\d+)W$/i.exec(date) ?? [];
  const [, day] = /^([A-Z]{3}|[0-7])(?:#\d|L)$/i.exec(weekday) ?? [];
  if (/^L/i.test(date)) return { date: '28-31', weekday, note: 'the days around the last one' };
  if (nearDate !== undefined) return { date: nearDate, weekday, note: 'whatever day of the week it is' };
  if (day !== undefined) return { date, weekday: day.toUpperCase(), note: 'every week' };
  return { date, weekday };
}

function ifCron(text: string): string | undefined {
  return isCron(text) ? `"${text}"` : undefined;
}
