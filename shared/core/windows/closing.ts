import { clockChangeOn } from './clock-change';
import { firstAfter, timesOfDay } from './cron-times';
import { edgeRules, fallsOn, instantsAround } from './day-edges';
import type { CronWindow } from './window';
import { startInstant, toLocal } from './zone';

const DAY = 86_400_000;

/**
 * The first end after `now` and before `until` that no start follows within the lead time. It goes day by day. Days
 * without a clock change and with the same kinds of edges close the window at the same local times, so each kind is
 * computed once, and every further day costs a few comparisons, however many edges it has.
 */
export function firstClosing(window: CronWindow, now: number, lead: number, until: number): number | undefined {
  let pending: number | undefined;
  for (const stretch of stretchesFrom(window, now, lead)) {
    const { head, firstStart, closing, tail } = edgesAfter(now, stretch);
    pending ??= head;
    if (pending !== undefined && (firstStart ?? stretch.end) > pending + lead) return ifBefore(until, pending);
    if (closing !== undefined) return ifBefore(until, closing);
    if (firstStart !== undefined) pending = tail;
    if (stretch.end >= until && (pending ?? until) >= until) return undefined;
  }
  return undefined;
}

function ifBefore(until: number, instant: number): number | undefined {
  return instant < until ? instant : undefined;
}

interface EdgesAfter {
  /** The first end, where there is no start. */
  readonly head?: number | undefined;
  readonly firstStart?: number | undefined;
  /** The first end that a start follows, further from it than the lead time. */
  readonly closing?: number | undefined;
  /** The first end after the last start. */
  readonly tail?: number | undefined;
}

function edgesAfter(now: number, { base, starts, ends, closings }: Stretch): EdgesAfter {
  const from = now - base;
  const moved = (time: number | undefined) => (time === undefined ? undefined : base + time);
  const [start, end] = [firstAfter(starts, from), firstAfter(ends, from)];
  if (start === undefined) return { head: moved(end) };
  return {
    firstStart: base + start,
    closing: moved(firstAfter(closings, from)),
    tail: moved(firstAfter(ends, starts.at(-1) ?? start)),
  };
}

interface EdgeList {
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  /** Ends that are further from the next start in the list than the lead time. */
  readonly closings: readonly number[];
}

/** Edges relative to `base`, up to the midnight at which the next stretch begins. */
interface Stretch extends EdgeList {
  readonly base: number;
  readonly end: number;
}

function* stretchesFrom(window: CronWindow, now: number, lead: number): Generator<Stretch> {
  const { timezone } = window;
  const { starts, ends } = edgeRules(window);
  const remember = memoryOf(window);
  for (let day = Math.floor(toLocal(timezone, now) / DAY) * DAY; ; ) {
    const change = clockChangeOn(timezone, day);
    if (change) {
      day = change.to;
      const list = () => edgeList(instantsAround(starts, change), instantsAround(ends, change), lead);
      yield { base: 0, end: startInstant(timezone, day), ...remember(`${lead} around ${change.from}`, list) };
    } else {
      const [opens, closes] = [fallsOn(starts, day), fallsOn(ends, day)];
      const list = () => edgeList(opens ? timesOfDay(starts.cron) : [], closes ? timesOfDay(ends.cron) : [], lead);
      const base = startInstant(timezone, day);
      day += DAY;
      yield { base, end: base + DAY, ...remember(`${lead} ${opens} ${closes}`, list) };
    }
  }
}

/** Starts and ends, starts only, ends only, neither, and around a clock change; for two leads. */
const MAX_REMEMBERED = 10;
const memories = new WeakMap<CronWindow, Map<string, EdgeList>>();

/** Caches the lists of each window: its next change is often needed next. */
function memoryOf(window: CronWindow): (kind: string, make: () => EdgeList) => EdgeList {
  const lists = memories.get(window) ?? new Map<string, EdgeList>();
  memories.set(window, lists);
  return (kind, make) => {
    const known = lists.get(kind);
    if (known) return known;
    if (lists.size === MAX_REMEMBERED) lists.clear();
    const made = make();
    lists.set(kind, made);
    return made;
  };
}

function edgeList(starts: readonly number[], ends: readonly number[], lead: number): EdgeList {
  const closings: number[] = [];
  let next = 0;
  for (const end of ends) {
    while (next < starts.length && (starts[next] ?? 0) < end) next += 1;
    const start = starts[next];
    if (start === undefined) break;
    if (start > end + lead) closings.push(end);
  }
  return { starts, ends, closings };
}
