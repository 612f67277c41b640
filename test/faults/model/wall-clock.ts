const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
/** No clock has changed between two quarters of an hour for decades, and none by more than this. */
const QUARTER = 15 * MINUTE;
const LONGEST_CHANGE = 3 * HOUR;

/** Whether a wall clock's time, as the milliseconds of the same digits in UTC, is an edge. */
export type Fires = (wall: number) => boolean;

/** The edges of one day in UTC, in order. */
export interface DayEdges {
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/**
 * Walks one day from minute to minute and looks at the wall clock. A start in a skipped hour is right after it, an end
 * in it moves by its length; of a repeated hour the first start counts, and the last end.
 */
export function walkDay(timezone: string, day: number, starts: Fires, ends: Fires): DayEdges {
  const [from, to] = [day - LONGEST_CHANGE, day + DAY + LONGEST_CHANGE];
  const offset = offsetAt(timezone, from);
  if (offset === offsetAt(timezone, to)) return calmDay(day, offset, starts, ends);
  const [opens, closes] = [new Map<number, number>(), new Map<number, number>()];
  let before = from + offset - MINUTE;
  for (let instant = from; instant < to; instant += MINUTE) {
    const wall = instant + offsetAt(timezone, Math.floor(instant / QUARTER) * QUARTER);
    for (let skipped = before + MINUTE; skipped < wall; skipped += MINUTE) {
      if (starts(skipped)) opens.set(skipped, instant);
      if (ends(skipped)) closes.set(skipped, instant + skipped - before - MINUTE);
    }
    if (starts(wall) && !opens.has(wall)) opens.set(wall, instant);
    if (ends(wall)) closes.set(wall, instant);
    before = wall;
  }
  const inDay = (edges: ReadonlyMap<number, number>) =>
    [...new Set(edges.values())].filter((one) => one >= day && one < day + DAY).toSorted((a, b) => a - b);
  return { starts: inDay(opens), ends: inDay(closes) };
}

function calmDay(day: number, offset: number, starts: Fires, ends: Fires): DayEdges {
  const found: { starts: number[]; ends: number[] } = { starts: [], ends: [] };
  for (let instant = day; instant < day + DAY; instant += MINUTE) {
    if (starts(instant + offset)) found.starts.push(instant);
    if (ends(instant + offset)) found.ends.push(instant);
  }
  return found;
}

const formats = new Map<string, Intl.DateTimeFormat>();
const offsets = new Map<string, number>();

function offsetAt(timezone: string, instant: number): number {
  if (timezone === 'UTC') return 0;
  const key = `${timezone} ${instant}`;
  const known = offsets.get(key) ?? readOffset(timezone, instant);
  offsets.set(key, known);
  return known;
}

function readOffset(timeZone: string, instant: number): number {
  const format =
    formats.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  formats.set(timeZone, format);
  return Date.parse(`${format.format(instant).replace(' ', 'T')}Z`) - instant;
}

const RANGES = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 7],
] as const;
const DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

/** A Unix cron expression: of two restricted kinds of days either counts. */
export function cronFires(text: string): Fires {
  const fields = text.split(' ');
  const [minutes, hours, days, months, weekdays] = RANGES.map(([least, most], index) =>
    numbersIn(fields[index] ?? '', least, most),
  ) as [Numbers, Numbers, Numbers, Numbers, Numbers];
  const [anyDay, anyWeekday] = [fields[2] === '*', fields[4] === '*'];
  const isDay = byDay((date) => {
    if (!months.has(date.getUTCMonth() + 1)) return false;
    const [inMonth, inWeek] = [days.has(date.getUTCDate()), weekdays.has(date.getUTCDay())];
    return anyDay ? inWeek : anyWeekday ? inMonth : inMonth || inWeek;
  });
  return (wall) => {
    const minute = Math.floor(wall / MINUTE);
    return minutes.has(minute % 60) && hours.has(Math.floor(minute / 60) % 24) && isDay(wall);
  };
}

type Numbers = ReadonlySet<number>;

function numbersIn(field: string, least: number, most: number): Numbers {
  const found = new Set<number>();
  for (const part of field.split(',')) {
    const [range = '', step] = part.split('/');
    const [from, to = step === undefined ? from : `${most}`] =
      range === '*' ? [`${least}`, `${most}`] : range.split('-');
    for (let one = numberOf(from); one <= numberOf(to); one += Number(step ?? 1)) found.add(most === 7 ? one % 7 : one);
  }
  return found;
}

function numberOf(text = ''): number {
  const weekday = DAYS.indexOf(text);
  return weekday >= 0 ? weekday : Number(text);
}

/** The last day is often asked for again. */
function byDay(matches: (date: Date) => boolean): Fires {
  let [last, known] = [Number.NaN, false];
  return (wall) => {
    const day = Math.floor(wall / DAY);
    if (day !== last) [last, known] = [day, matches(new Date(wall))];
    return known;
  };
}
