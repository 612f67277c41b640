import { isOpen, nextClosing, nextOpening } from './is-open';
import type { Window } from './window';

/** From `at` until `until`, this window is the highest that is wanted; none is where it has no window. */
export interface HighestSpan {
  readonly at: number;
  readonly until: number;
  readonly window?: Window;
}

export interface Sight {
  readonly leadMinutes: number;
  readonly from: number;
  readonly until: number;
  /** How often windows may be looked at; what comes after that is out of sight. */
  readonly maxLooks: number;
}

/**
 * Which window is the highest, from `from` on. Windows never add up, so one is only
 * looked at where no higher one is open: a window that never closes hides those
 * below it at no cost. Of equals the first counts.
 */
export function* highestWindows(windows: readonly Window[], sight: Sight): Generator<HighestSpan> {
  const highestFirst = windows
    .map((window) => new Cursor(window, sight))
    .sort((a, b) => b.window.replicas - a.window.replicas);
  let looksLeft = sight.maxLooks;
  for (let at = sight.from; at < sight.until; ) {
    let [until, top]: [number, Window | undefined] = [sight.until, undefined];
    for (const cursor of highestFirst) {
      if (cursor.isStale(at)) {
        if (looksLeft === 0) return;
        looksLeft -= 1;
        cursor.look(at);
      }
      until = Math.min(until, cursor.changes);
      if (!cursor.open) continue;
      top = cursor.window;
      break;
    }
    yield { at, until, ...(top && { window: top }) };
    at = until;
  }
}

/** What is known of one window: whether it is wanted, and until when that holds. */
class Cursor {
  open = false;
  changes = Number.NEGATIVE_INFINITY;

  constructor(
    readonly window: Window,
    private readonly sight: Sight,
  ) {}

  isStale(at: number): boolean {
    return at >= this.changes;
  }

  look(at: number): void {
    const { leadMinutes, until } = this.sight;
    this.open = isOpen(this.window, at, leadMinutes);
    const change = this.open
      ? nextClosing(this.window, at, leadMinutes, until)
      : nextOpening(this.window, at, leadMinutes);
    this.changes = change ?? Number.POSITIVE_INFINITY;
  }
}
