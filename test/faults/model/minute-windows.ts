import type { NodePoolConfig } from '../../../shared/core/config/config';
import type { Window } from '../../../shared/core/windows/window';
import { onceOpening } from './expected-peaks';

export const MINUTE = 60_000;
const HOUR_MINUTES = 60;
/** Every timezone in these configs, in whole hours from UTC. */

/** One opening of a window. */
export interface Occurrence {
  readonly window: Window;
  readonly key: string;
  readonly start: number;
  readonly end: number;
}

/**
 * The windows of these configs open and close at the same minutes of every hour, so that walking from minute to minute
 * says when they are open, without any of the code that is tested.
 */
export function openedAt(window: Window, now: number): number | undefined {
  if (window.kind === 'once') return onceOpening(window, now)?.start;
  let opened: number | undefined;
  const last = Math.floor(now / MINUTE);
  for (let minute = last; minute > last - 2 * HOUR_MINUTES; minute -= 1) {
    if (isEdge(window, 'startText', minute)) opened = minute * MINUTE;
    if (isEdge(window, 'endText', minute)) return opened;
  }
  return opened;
}

/** The first edge after a moment. */
function nextEdge(window: Window, edge: Edge, after: number): number {
  let minute = Math.floor(after / MINUTE) + 1;
  while (!isEdge(window, edge, minute)) minute += 1;
  return minute * MINUTE;
}

/** The openings that count now: the open one, and the next one within the lead time, or requested before. */
export function wantedOccurrences(
  window: Window,
  now: number,
  lead: number,
  isRequested: (key: string) => boolean,
): Occurrence[] {
  if (window.kind === 'once') {
    const opening = onceOpening(window, now, lead);
    return opening ? [{ window, key: occurrenceKey(window, opening.start), ...opening }] : [];
  }
  const next = nextEdge(window, 'startText', now);
  const isWanted = (lead > 0 && next <= now + lead * MINUTE) || isRequested(occurrenceKey(window, next));
  return [openedAt(window, now), isWanted ? next : undefined].flatMap((start) => {
    if (start === undefined) return [];
    const end = nextEdge(window, 'endText', start);
    return [{ window, start, key: occurrenceKey(window, start), end }];
  });
}

/** As configured, or what 95 % of the measured nodes took, in bounds, and a heartbeat more. */
export function leadMinutes({ leadMinutes: given, autoLead }: NodePoolConfig, seconds: readonly number[]): number {
  const took = tookMinutes(seconds);
  if (!autoLead || took === undefined) return given;
  return Math.max(autoLead.minMinutes, Math.min(autoLead.maxMinutes, took)) + autoLead.heartbeatMinutes;
}

/** The minutes in which 95 % of at least five nodes were ready. */
export function tookMinutes(seconds: readonly number[]): number | undefined {
  if (seconds.length < 5) return undefined;
  const sorted = seconds.toSorted((a, b) => a - b);
  const rank = sorted.findIndex((_, index) => (index + 1) / sorted.length >= 0.95);
  return Math.ceil((sorted[rank] ?? 0) / 60);
}

type Edge = 'startText' | 'endText';

const minutesOfText = new Map<string, ReadonlySet<number>>();

function isEdge(window: Window, edge: Edge, minute: number): boolean {
  if (window.kind !== 'cron') throw new Error('these configs have no one-off windows');
  const text = window[edge];
  const minutes = minutesOfText.get(text) ?? minutesIn(text);
  minutesOfText.set(text, minutes);
  return minutes.has(minute % HOUR_MINUTES);
}

/** `10`, every quarter, or every ten minutes from the fourth on. */
function minutesIn(text: string): ReadonlySet<number> {
  const [, from = '0', every] = /^(?:(\d+)(?:-59)?|\*)(?:\/(\d+))? \* \* \* \*$/.exec(text) ?? [];
  const minutes = Array.from({ length: HOUR_MINUTES }, (_, minute) => minute);
  if (every === undefined) return new Set([Number(from)]);
  return new Set(minutes.filter((minute) => minute >= Number(from) && (minute - Number(from)) % Number(every) === 0));
}

function occurrenceKey({ name }: Window, start: number): string {
  return `${name}@${new Date(start).toISOString()}`;
}
