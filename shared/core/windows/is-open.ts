import { endsOf, startsOf } from './edges';
import type { Window } from './window';

const MINUTE = 60_000;
/** A window that is still open after so many ends never closes as far as anyone can see. */
const ENDS_LOOKED_AT = 2_000;

/**
 * When an open window opened: the first start since the last end, which does not
 * move while the window stays open. `undefined` while it is closed; lead time does
 * not count.
 */
export function openedAt(window: Window, now: number): number | undefined {
  const starts = startsOf(window);
  const ended = endsOf(window).previous(now);
  // On one instant the start wins, so one at the end itself counts.
  const start = ended === undefined ? starts.previous(now) : starts.next(ended - 1);
  return start !== undefined && start <= now ? start : undefined;
}

/** The start that is asked for already because it lies within the lead time, `(now, now + lead]`. */
export function leadingStart(window: Window, now: number, leadMinutes: number): number | undefined {
  if (leadMinutes === 0) return undefined;
  const start = startsOf(window).next(now);
  return start !== undefined && start <= now + leadMinutes * MINUTE ? start : undefined;
}

/** Whether the window's headroom is wanted now: open, or about to open within the lead time. */
export function isOpen(window: Window, now: number, leadMinutes = 0): boolean {
  return openedAt(window, now) !== undefined || leadingStart(window, now, leadMinutes) !== undefined;
}

/** The next instant at which `isOpen` changes; `undefined` when it never does. */
export function nextChange(window: Window, now: number, leadMinutes = 0): number | undefined {
  if (!isOpen(window, now, leadMinutes)) {
    const start = startsOf(window).next(now + leadMinutes * MINUTE);
    return start === undefined ? undefined : start - leadMinutes * MINUTE;
  }
  // An open window only ever closes at an end: a lead runs out exactly when its start opens the window.
  const ends = endsOf(window);
  let end = ends.next(now);
  for (let i = 0; i < ENDS_LOOKED_AT && end !== undefined; i += 1) {
    if (!isOpen(window, end, leadMinutes)) return end;
    end = ends.next(end);
  }
  return undefined;
}
