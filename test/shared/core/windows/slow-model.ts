/**
 * An independent, slow reading of the window rules: walks every minute, looks at
 * the wall clock, and keeps book of what it saw. Shares no code with the core.
 */
export interface ModelCron {
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  /** `undefined` is `*`. */
  readonly daysOfMonth?: readonly number[] | undefined;
  readonly daysOfWeek?: readonly number[] | undefined;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** No clock has changed between two quarters of an hour for decades. */
const QUARTER = 15 * MINUTE;

export function cronText({ minutes, hours, daysOfMonth, daysOfWeek }: ModelCron): string {
  return `${minutes.join(',')} ${hours.join(',')} ${daysOfMonth?.join(',') ?? '*'} * ${daysOfWeek?.join(',') ?? '*'}`;
}

function fires(cron: ModelCron, wall: number): boolean {
  if (!cron.minutes.includes((wall / MINUTE) % 60) || !cron.hours.includes(Math.floor(wall / HOUR) % 24)) return false;
  const date = new Date(wall);
  const dom = cron.daysOfMonth?.includes(date.getUTCDate());
  const dow = cron.daysOfWeek?.includes(date.getUTCDay());
  if (dom === undefined && dow === undefined) return true;
  return dom === true || dow === true;
}

const walked = new Map<string, readonly number[]>();

/** The wall clock of every minute from one minute before `from` to `to`. */
function wallsOf(timezone: string, from: number, to: number): readonly number[] {
  const key = `${timezone} ${from} ${to}`;
  let walls = walked.get(key);
  if (!walls) {
    walls = Array.from({ length: (to - from) / MINUTE + 2 }, (_, i) => wallClock(timezone, from + (i - 1) * MINUTE));
    walked.set(key, walls);
  }
  return walls;
}

const wallClocks = new Map<string, Intl.DateTimeFormat>();
const quarters = new Map<string, number>();

function wallClock(timezone: string, instant: number): number {
  const quarter = Math.floor(instant / QUARTER) * QUARTER;
  return wallAtQuarter(timezone, quarter) + (instant - quarter);
}

function wallAtQuarter(timezone: string, instant: number): number {
  const key = `${timezone} ${instant}`;
  const wall = quarters.get(key) ?? readWall(timezone, instant);
  quarters.set(key, wall);
  return wall;
}

function readWall(timezone: string, instant: number): number {
  let format = wallClocks.get(timezone);
  if (!format) {
    format = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short', timeStyle: 'medium' });
    wallClocks.set(timezone, format);
  }
  return Date.parse(`${format.format(instant).replace(' ', 'T')}Z`);
}

interface Walk {
  readonly starts: ReadonlySet<number>;
  readonly ends: ReadonlySet<number>;
}

/** Every start and end between two instants, by walking each minute. */
function walk(
  start: ModelCron,
  end: ModelCron,
  timezone: string,
  from: number,
  to: number,
  excluded: readonly string[],
): Walk {
  const starts = new Set<number>();
  const ends = new Set<number>();
  const seen = new Set<number>();
  const startFires = (wall: number) =>
    fires(start, wall) && !excluded.includes(new Date(wall).toISOString().slice(0, 10));
  const walls = wallsOf(timezone, from, to);
  let before = walls[0] ?? 0;
  const lastSeen = new Map<number, number>();
  for (let instant = from; instant <= to; instant += MINUTE) {
    const wall = walls[(instant - from) / MINUTE + 1] ?? 0;
    for (let skipped = before + MINUTE; skipped < wall; skipped += MINUTE) {
      if (startFires(skipped)) starts.add(instant);
      if (fires(end, skipped)) ends.add(instant + (skipped - before - MINUTE));
    }
    if (startFires(wall) && !seen.has(wall)) starts.add(instant);
    seen.add(wall);
    if (fires(end, wall)) lastSeen.set(wall, instant);
    before = wall;
  }
  for (const instant of lastSeen.values()) ends.add(instant);
  return { starts, ends };
}

/** Whether the window is wanted, minute by minute; answers are only asked well inside the walked time. */
export function modelOpen(
  start: ModelCron,
  end: ModelCron,
  timezone: string,
  from: number,
  to: number,
  leadMinutes: number,
  excluded: readonly string[] = [],
): (instant: number) => boolean {
  const { starts, ends } = walk(start, end, timezone, from, to, excluded);
  const at = (instant: number) => (instant - from) / MINUTE;
  const open: boolean[] = [];
  let isOpen = false;
  for (let instant = from; instant <= to; instant += MINUTE) {
    if (starts.has(instant)) isOpen = true;
    else if (ends.has(instant)) isOpen = false;
    open[at(instant)] = isOpen;
  }
  const nextStart: number[] = new Array(open.length);
  let upcoming = Number.POSITIVE_INFINITY;
  for (let instant = to; instant >= from; instant -= MINUTE) {
    nextStart[at(instant)] = upcoming;
    if (starts.has(instant)) upcoming = instant;
  }
  return (instant) =>
    open[at(instant)] === true ||
    (nextStart[at(instant)] ?? Number.POSITIVE_INFINITY) <= instant + leadMinutes * MINUTE;
}
