const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const formats = new Map<string, Intl.DateTimeFormat>();
const offsets = new Map<string, Map<number, number>>();
const QUARTER = 900_000;
const MAX_REMEMBERED = 8_192;

/** Milliseconds that a zone is ahead of UTC at an instant; `undefined` leaves it to `Intl`. */
type ReadOffset = (timezone: string, instant: number) => number | undefined;
let quickOffset: ReadOffset = () => undefined;

/** For a process that must start quickly and can get the same offsets faster than from `Intl`. */
export function useQuickOffsets(read: ReadOffset): void {
  quickOffset = read;
}

function formatFor(timezone: string): Intl.DateTimeFormat {
  let format = formats.get(timezone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: timezone,
      calendar: 'iso8601',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    formats.set(timezone, format);
  }
  return format;
}

export function isTimezone(timezone: string): boolean {
  if (!/^(UTC|[A-Za-z_]+(\/[A-Za-z0-9_+-]+)+)$/.test(timezone)) return false;
  try {
    formatFor(timezone);
    return true;
  } catch {
    return false;
  }
}

/**
 * A time zone in the case that EventBridge Scheduler requires: `asia/seoul` becomes `Asia/Seoul`. An alias of a zone is
 * kept, unless its case is wrong too: then it becomes the name that this runtime uses.
 */
export function canonicalTimezone(timezone: string): string {
  const { timeZone } = formatFor(timezone).resolvedOptions();
  if (timeZone.toLowerCase() === timezone.toLowerCase()) return timeZone;
  return /^[A-Z][^/]*(\/[A-Z][^/]*)*$/.test(timezone) ? timezone : timeZone;
}

/** Milliseconds that local time is ahead of UTC at an instant. */
export function offsetAt(timezone: string, instant: number): number {
  if (timezone === 'UTC') return 0;
  // No zone changes its clock twice within a day, so equal offsets at both ends hold in between.
  const day = Math.floor(instant / DAY) * DAY;
  const offset = rememberedOffset(timezone, day);
  if (offset === rememberedOffset(timezone, day + DAY)) return offset;
  // Since 2012 every zone changes its clock on a quarter hour of UTC, so one offset holds for the whole quarter.
  return rememberedOffset(timezone, Math.floor(instant / QUARTER) * QUARTER);
}

function rememberedOffset(timezone: string, instant: number): number {
  let known = offsets.get(timezone);
  if (!known || known.size > MAX_REMEMBERED) {
    known = new Map();
    offsets.set(timezone, known);
  }
  let offset = known.get(instant);
  if (offset === undefined) {
    offset = quickOffset(timezone, instant) ?? intlOffset(timezone, instant);
    known.set(instant, offset);
  }
  return offset;
}

function intlOffset(timezone: string, instant: number): number {
  const part: Record<string, number> = {};
  for (const { type, value } of formatFor(timezone).formatToParts(instant)) part[type] = Number(value);
  const local = Date.UTC(
    part.year ?? 0,
    (part.month ?? 1) - 1,
    part.day ?? 1,
    part.hour ?? 0,
    part.minute ?? 0,
    part.second ?? 0,
  );
  return local - instant;
}

/** Local wall-clock time at an instant, as the milliseconds of the same digits in UTC. */
export function toLocal(timezone: string, instant: number): number {
  return instant + offsetAt(timezone, instant);
}

/**
 * The instant of a local start time: in a skipped hour the first instant after the
 * gap, in a repeated hour the first of the two.
 */
export function startInstant(timezone: string, local: number): number {
  const [first, second] = instantsOf(timezone, local);
  if (first === second || toLocal(timezone, first) === local) return first;
  return toLocal(timezone, second) === local ? second : gapEnd(timezone, first, second);
}

/**
 * The instant of a local end time: in a skipped hour moved by the length of the gap,
 * in a repeated hour the last of the two.
 */
export function endInstant(timezone: string, local: number): number {
  const [first, second] = instantsOf(timezone, local);
  const isBefore = first !== second && toLocal(timezone, second) !== local && toLocal(timezone, first) === local;
  return isBefore ? first : second;
}

/** A local time by the offsets of the day before and the day after: two instants around a clock change. */
function instantsOf(timezone: string, local: number): readonly [number, number] {
  const guess = local - offsetAt(timezone, local);
  const [before, after] = [offsetAt(timezone, guess - DAY), offsetAt(timezone, guess + DAY)];
  return [local - Math.max(before, after), local - Math.min(before, after)];
}

/** The clock jumps somewhere in (low, high]; bisection finds the jump. */
function gapEnd(timezone: string, low: number, high: number): number {
  const before = offsetAt(timezone, low);
  let [left, right] = [low, high];
  while (right - left > 1_000) {
    const middle = Math.floor((left + right) / 2_000) * 1_000;
    if (offsetAt(timezone, middle) === before) left = middle;
    else right = middle;
  }
  return right;
}
