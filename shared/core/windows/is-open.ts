import { firstClosing } from './closing';
import { endsOf, startsOf } from './edges';
import type { Window } from './window';

const MINUTE = 60_000;
const YEAR = 366 * 86_400_000;
/** A window that does not close within this time counts as never closing. */
const MAX_YEARS_AHEAD = 9;

/**
 * When an open window opened: the first start since the last end, which stays the same while the window is open.
 * `undefined` while it is closed; the lead time does not count.
 */
export function openedAt(window: Window, now: number): number | undefined {
  const starts = startsOf(window);
  const ended = endsOf(window).previous(now);
  // At the same instant the start wins, so a start at the end itself counts.
  const start = ended === undefined ? starts.previous(now) : starts.next(ended - 1);
  return start !== undefined && start <= now ? start : undefined;
}

/** The start that is requested already, because it lies within the lead time: `(now, now + lead]`. */
export function leadingStart(window: Window, now: number, leadMinutes: number): number | undefined {
  if (leadMinutes === 0) return undefined;
  const start = startsOf(window).next(now);
  return start !== undefined && start <= now + leadMinutes * MINUTE ? start : undefined;
}

/** Whether the window's headroom is wanted now: open, or about to open within the lead time. */
export function isOpen(window: Window, now: number, leadMinutes = 0): boolean {
  return openedAt(window, now) !== undefined || leadingStart(window, now, leadMinutes) !== undefined;
}

/** The first instant after `now` at which a window that is not wanted now is requested. */
export function nextStart(window: Window, now: number, leadMinutes: number): number | undefined {
  const start = startsOf(window).next(now + leadMinutes * MINUTE);
  return start === undefined ? undefined : start - leadMinutes * MINUTE;
}

/**
 * The first instant after `now` and before `until` at which a window that is wanted now is no longer wanted: an end
 * that no start follows within the lead time. A lead time itself ends exactly when its start opens the window.
 */
export function nextClosing(window: Window, now: number, leadMinutes: number, until: number): number | undefined {
  if (window.kind === 'cron') return firstClosing(window, now, leadMinutes * MINUTE, until);
  const end = endsOf(window).next(now);
  return end !== undefined && end < until ? end : undefined;
}

/** The next instant at which `isOpen` changes; `undefined` when it never does. */
export function nextChange(window: Window, now: number, leadMinutes = 0): number | undefined {
  return isOpen(window, now, leadMinutes)
    ? nextClosing(window, now, leadMinutes, now + MAX_YEARS_AHEAD * YEAR)
    : nextStart(window, now, leadMinutes);
}
