import type { HeadroomConfig } from '../../../shared/core/config/config';
import type { OnceWindow, Window } from '../../../shared/core/windows/window';
import { onceOccurrence } from './expected-peaks';
import { cronFires, DAY, type DayEdges, type Fires, walkDay } from './wall-clock';
import type { WrittenRecord } from './written-record';

export const MINUTE = 60_000;
/** The longest time between two edges of these configs. */
const MOST_DAYS = 400;

/** One occurrence of a window. */
export interface Occurrence {
  readonly window: Window;
  readonly key: string;
  readonly start: number;
  readonly end: number;
}

/** When an open window opened: its first start since its last end, by walking the days, without any of the code that is tested. */
export function openedAt(window: Window, now: number): number | undefined {
  if (isPeak(window)) return onceOccurrence(window, now)?.start;
  return remembered(window, 'opened', now, () => lastStart(window, now));
}

function lastStart(window: Window, now: number): number | undefined {
  let opened: number | undefined;
  const today = Math.floor(now / DAY) * DAY;
  for (let day = today; day > today - MOST_DAYS * DAY; day -= DAY) {
    const { starts, ends } = edgesOn(window, day);
    const ended = ends.findLast((one) => one <= now);
    const first = starts.find((one) => one >= (ended ?? day) && one <= now);
    if (first !== undefined) opened = first;
    if (ended !== undefined) return opened;
  }
  return opened;
}

/** The first edge after a moment; none if there is none within a year. */
export function nextEdge(window: Window, edge: keyof DayEdges, after: number): number {
  if (isPeak(window)) return Date.parse(`${edge === 'starts' ? window.from : window.to}Z`);
  return remembered(window, edge, after, () => firstEdge(window, edge, after)) ?? Number.POSITIVE_INFINITY;
}

function firstEdge(window: Window, edge: keyof DayEdges, after: number): number | undefined {
  const today = Math.floor(after / DAY) * DAY;
  for (let day = today; day < today + MOST_DAYS * DAY; day += DAY) {
    const found = edgesOn(window, day)[edge].find((one) => one > after);
    if (found !== undefined) return found;
  }
  return undefined;
}

const MOST_REMEMBERED = 2_000;
const answers = new WeakMap<Window, Map<string, number | undefined>>();

/** Edges are on whole minutes, so that an answer holds for the minute. */
function remembered(window: Window, what: string, at: number, find: () => number | undefined): number | undefined {
  const known = answers.get(window) ?? new Map<string, number | undefined>();
  answers.set(window, known);
  const key = `${what} ${Math.floor(at / MINUTE)}`;
  if (known.size > MOST_REMEMBERED) known.clear();
  if (!known.has(key)) known.set(key, find());
  return known.get(key);
}

/** All edges after one moment and up to another. */
export function edgesBetween(window: Window, from: number, to: number): DayEdges {
  if (isPeak(window)) return { starts: [nextEdge(window, 'starts', from)], ends: [nextEdge(window, 'ends', from)] };
  const found: { starts: number[]; ends: number[] } = { starts: [], ends: [] };
  for (let day = Math.floor(from / DAY) * DAY; day <= to; day += DAY) {
    const { starts, ends } = edgesOn(window, day);
    found.starts.push(...starts.filter((one) => one > from && one <= to));
    found.ends.push(...ends.filter((one) => one > from && one <= to));
  }
  return found;
}

/** The occurrences that count now: the open one, and the next one within the lead time, or requested before. */
export function wantedOccurrences(
  window: Window,
  now: number,
  lead: number,
  isRequested: (key: string) => boolean,
): Occurrence[] {
  if (isPeak(window)) {
    const occurrence = onceOccurrence(window, now, lead);
    return occurrence ? [{ window, key: occurrenceKey(window, occurrence.start), ...occurrence }] : [];
  }
  const next = nextEdge(window, 'starts', now);
  const isWanted =
    (lead > 0 && next <= now + lead * MINUTE) || (Number.isFinite(next) && isRequested(occurrenceKey(window, next)));
  return [openedAt(window, now), isWanted ? next : undefined].flatMap((start) => {
    if (start === undefined) return [];
    return [{ window, start, key: occurrenceKey(window, start), end: nextEdge(window, 'ends', start) }];
  });
}

/** Announced peaks have seconds, and no zone. */
function isPeak(window: Window): window is OnceWindow {
  return window.kind === 'once' && window.live?.announced === true;
}

const walked = new Map<string, { readonly rules: readonly [Fires, Fires]; readonly days: Map<number, DayEdges> }>();

/** The edges of a day; every window is walked once. */
function edgesOn(window: Window, day: number): DayEdges {
  const key = keyOf(window);
  const known = walked.get(key) ?? { rules: rulesOf(window), days: new Map() };
  walked.set(key, known);
  const edges = known.days.get(day) ?? walkDay(window.timezone, day, ...known.rules);
  known.days.set(day, edges);
  return edges;
}

const keys = new WeakMap<Window, string>();

function keyOf(window: Window): string {
  const known = keys.get(window);
  if (known !== undefined) return known;
  const edges =
    window.kind === 'cron' ? [window.startText, window.endText, window.excludeDates] : [window.from, window.to];
  const key = JSON.stringify([window.timezone, ...edges]);
  keys.set(window, key);
  return key;
}

function rulesOf(window: Window): readonly [Fires, Fires] {
  if (window.kind === 'once') {
    const [from, to] = [window.from, window.to].map((text) => Date.parse(`${text.replace(' ', 'T')}Z`));
    return [(wall) => wall === from, (wall) => wall === to];
  }
  const { startText, endText, excludeDates } = window;
  const starts = cronFires(startText);
  const isExcluded = (wall: number) => excludeDates.includes(new Date(wall).toISOString().slice(0, 10));
  return [(wall) => starts(wall) && !isExcluded(wall), cronFires(endText)];
}

/**
 * As configured, or what all nodes of a window took: by the measured nodes and by its last occurrences, at most four
 * minutes more than one node, in bounds, and a heartbeat more.
 */
export function leadMinutes(
  { leadMinutes: given, autoLead, max }: HeadroomConfig,
  { name, replicas }: Window,
  { nodeStarts, requests }: Pick<WrittenRecord, 'nodeStarts' | 'requests'>,
): number {
  const seconds = Object.values(nodeStarts);
  const [one, all] = [tookMinutes(seconds), tookMinutes(seconds, Math.max(1, Math.min(replicas, max)))];
  if (!autoLead || one === undefined || all === undefined) return given;
  const lasted = Object.entries(requests).flatMap(([key, { at, ready, why = 'nodes are still starting' }]) => {
    const minutes = Math.ceil((Date.parse(ready ?? '') - Date.parse(at)) / MINUTE);
    const isOwn = key.slice(0, key.lastIndexOf('@')) === name;
    return isOwn && minutes <= 60 && /still starting/.test(why.split(';')[0] ?? '') ? [minutes] : [];
  });
  const together = Math.min(Math.max(all, ...lasted), one + 4);
  return Math.max(autoLead.minMinutes, Math.min(autoLead.maxMinutes, together)) + autoLead.heartbeatMinutes;
}

/** The minutes in which so many nodes were ready in 95 of 100 cases, once five are known. */
export function tookMinutes(seconds: readonly number[], nodes = 1): number | undefined {
  if (seconds.length < 5) return undefined;
  const sorted = seconds.toSorted((a, b) => a - b);
  const rank = sorted.findIndex((_, index) => (sorted.length - index - 1) * 20 * nodes <= sorted.length);
  return Math.ceil((sorted[rank] ?? 0) / 60);
}

function occurrenceKey({ name }: Window, start: number): string {
  return `${name}@${new Date(start).toISOString()}`;
}
