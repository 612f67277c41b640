import { isOpen, nextClosing, nextStart } from './is-open';
import type { Window } from './window';

/** The highest wanted window until `until`, if any. */
export interface Highest {
  readonly until: number;
  readonly window?: Window;
}

export interface Sight {
  /** The lead time of a window, in minutes. */
  readonly leadOf: (window: Window) => number;
  readonly until: number;
  /** How often windows may be evaluated; beyond that the result is unknown. */
  readonly maxLooks: number;
  /** The next start of a window, if it is requested although it lies beyond the lead time. */
  readonly requestedStart?: (window: Window, moment: number) => number | undefined;
}

/**
 * Which window is the highest, at one moment after another. Windows never add up, so one is evaluated only while no
 * higher one is open: a window that never closes hides those below it at no cost. Of equal windows the first counts.
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

  /** `undefined` when `maxLooks` is used up. */
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
    const { until, leadOf, requestedStart } = this.sight;
    const leadMinutes = leadOf(this.window);
    const open = isOpen(this.window, moment, leadMinutes);
    const requested = open ? undefined : requestedStart?.(this.window, moment);
    this.open = open || requested !== undefined;
    const { relative, share } = this.window;
    // The next occurrence has a count of its own, even if its lead time begins as this one ends.
    const bridged = relative || share !== undefined ? 0 : leadMinutes;
    const change = this.open
      ? nextClosing(this.window, requested ?? moment, bridged, until)
      : nextStart(this.window, moment, leadMinutes);
    this.changes = change ?? Number.POSITIVE_INFINITY;
  }
}
