import { excludes } from './excluded-dates';
import { firesOn, timesOfDay } from './occurrences';
import type { CronWindow } from './window';
import { endInstant, offsetAt, shiftNear, startInstant, toLocal } from './zone';

const DAY = 86_400_000;

/**
 * The first end after `now`, and before `until`, that no start follows within the
 * lead time. It goes day by day: days without a clock change that have the same
 * kinds of edges close the window at the same local times, so each kind is looked
 * at once, and every further day costs a few comparisons however many edges it has.
 */
export function firstClosing(window: CronWindow, now: number, lead: number, until: number): number | undefined {
  let pending: number | undefined;
  for (const { end, head, firstStart, closing, tail } of stretchesFrom(window, now, lead)) {
    pending ??= head;
    if (pending !== undefined && (firstStart ?? end) > pending + lead) return ifBefore(until, pending);
    if (closing !== undefined) return ifBefore(until, closing);
    if (firstStart !== undefined) pending = tail;
    if (end >= until && (pending ?? until) >= until) return undefined;
  }
  return undefined;
}

function ifBefore(until: number, instant: number): number | undefined {
  return instant < until ? instant : undefined;
}

/** What the edges of one or more days say about closing. */
interface Edges {
  /** The first end, where no start comes before it. */
  readonly head: number | undefined;
  readonly firstStart: number | undefined;
  /** The first end that lies between two starts and is further from the second than the lead time. */
  readonly closing: number | undefined;
  /** The first end after the last start. */
  readonly tail: number | undefined;
}

interface Stretch extends Edges {
  /** The midnight at which the next stretch begins. */
  readonly end: number;
}

function* stretchesFrom(window: CronWindow, now: number, lead: number): Generator<Stretch> {
  const { timezone } = window;
  const times = { starts: timesOfDay(window.start), ends: timesOfDay(window.end) };
  const kinds = new Map<string, Edges>();
  const today = Math.floor(toLocal(timezone, now) / DAY) * DAY;
  // Around a clock change edges of yesterday may come after `now`.
  let day = isRegular(timezone, today) ? today : today - DAY;
  for (;;) {
    const days = daysUntilRegular(timezone, day);
    if (days > 0) yield edgeByEdge(window, times, { day, days, now, lead });
    day += days * DAY;
    const base = day - offsetAt(timezone, day);
    const [opens, closes] = [startsOn(window, day), firesOn(window.end, day)];
    // Only edges after `now` count, so that today is of no kind.
    const kind = base <= now ? 'today' : `${opens} ${closes}`;
    const from = now - base;
    const edges =
      kinds.get(kind) ?? summarize(opens ? after(from, times.starts) : [], closes ? after(from, times.ends) : [], lead);
    kinds.set(kind, edges);
    yield { end: base + DAY, ...moved(edges, base) };
    day += DAY;
  }
}

/** Local times of an ordinary day, from midnight. */
interface Times {
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** Days around a clock change: the order of their edges and the distances between them are those of the instants. */
function edgeByEdge(
  window: CronWindow,
  times: Times,
  { day, days, now, lead }: { day: number; days: number; now: number; lead: number },
): Stretch {
  const { timezone } = window;
  const all = Array.from({ length: days }, (_, index) => day + index * DAY);
  const starts = all
    .filter((one) => startsOn(window, one))
    .flatMap((one) => times.starts.map((time) => startInstant(timezone, one + time)));
  const ends = all
    .filter((one) => firesOn(window.end, one))
    .flatMap((one) => times.ends.map((time) => endInstant(timezone, one + time)));
  const midnight = day + days * DAY;
  return {
    end: midnight - offsetAt(timezone, midnight),
    ...summarize(after(now, starts), after(now, ends), lead),
  };
}

function daysUntilRegular(timezone: string, day: number): number {
  let days = 0;
  while (!isRegular(timezone, day + days * DAY)) days += 1;
  return days;
}

function startsOn(window: CronWindow, day: number): boolean {
  return firesOn(window.start, day) && !excludes(window, day);
}

/** Whether the clock stands still around a local day, so that its edges keep their order and their distances. */
function isRegular(timezone: string, day: number): boolean {
  return shiftNear(timezone, day) === 0 && shiftNear(timezone, day + DAY) === 0;
}

function after(from: number, times: readonly number[]): number[] {
  return times.filter((time) => time > from).sort((a, b) => a - b);
}

function summarize(starts: readonly number[], ends: readonly number[], lead: number): Edges {
  const [firstStart, firstEnd] = [starts[0], ends[0]];
  const head = firstEnd !== undefined && (firstStart === undefined || firstEnd < firstStart) ? firstEnd : undefined;
  let [index, tail]: [number, number | undefined] = [0, undefined];
  for (const [n, start] of starts.entries()) {
    while (index < ends.length && (ends[index] ?? 0) <= start) index += 1;
    const [end, nextStart] = [ends[index], starts[n + 1]];
    if (end === undefined) break;
    if (nextStart === undefined) tail = end;
    else if (nextStart - end > lead) return { head, firstStart, closing: end, tail: undefined };
  }
  return { head, firstStart, closing: undefined, tail };
}

function moved({ head, firstStart, closing, tail }: Edges, by: number): Edges {
  const move = (time: number | undefined) => (time === undefined ? undefined : time + by);
  return { head: move(head), firstStart: move(firstStart), closing: move(closing), tail: move(tail) };
}
