import { isOpen, nextClosing, nextStart } from './is-open';
import type { Window } from './window';

/** Until `until`, this window is the highest that is wanted; none is where it has no window. */
export interface Highest {
  readonly until: number;
  readonly window?: Window;
}

export interface Sight {
  readonly leadMinutes: number;
  readonly until: number;
  /** How often windows may be looked at; what comes after that is out of sight. */
  readonly maxLooks: number;
  /** The next start of a window, where it is asked for although it lies beyond the lead time. */
  readonly requestedStart?: (window: Window, moment: number) => number | undefined;
}

/**
 * Which window is the highest, asked for one moment after another. Windows never add
 * up, so one is only looked at where no higher one is open: a window that never closes
 * hides those below it at no cost. Of equals the first counts.
 */
export class HighestWindow {
  private readonly highestFirst: readonly Cursor[];
  private looksLeft: number;

  constructor(
    windows: readonly Window[],
    private readonly sight: Sight,
  ) {
    this.highestFirst = windows
      .map((window) => new Cursor(window, sight))
      .sort((a, b) => b.window.replicas - a.window.replicas);
    this.looksLeft = sight.maxLooks;
  }

  /** `undefined` when it is out of sight. */
  at(moment: number): Highest | undefined {
    let { until } = this.sight;
    for (const cursor of this.highestFirst) {
      if (cursor.isStale(moment)) {
        if (this.looksLeft === 0) return undefined;
        this.looksLeft -= 1;
        cursor.look(moment);
      }
      until = Math.min(until, cursor.changes);
      if (cursor.open) return { until, window: cursor.window };
    }
    return { until };
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

  isStale(moment: number): boolean {
    return moment >= this.changes;
  }

  look(moment: number): void {
    const { leadMinutes, until, requestedStart: askedStart } = this.sight;
    const open = isOpen(this.window, moment, leadMinutes);
    const asked = open ? undefined : askedStart?.(this.window, moment);
    this.open = open || asked !== undefined;
    const change = this.open
      ? nextClosing(this.window, asked ?? moment, leadMinutes, until)
      : nextStart(this.window, moment, leadMinutes);
    this.changes = change ?? Number.POSITIVE_INFINITY;
  }
}
