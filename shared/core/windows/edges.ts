import type { CronFields } from './cron';
import { excludes } from './excluded-dates';
import { nextLocal, previousLocal, type SkipsDay } from './occurrences';
import { type CronWindow, localMillis, type Window } from './window';
import { endInstant, shiftNear, startInstant, toLocal } from './zone';

/** The instants of one kind of edge (starts or ends) of one window. */
export interface Edges {
  /** The last edge at or before the instant. */
  previous(instant: number): number | undefined;
  /** The first edge after the instant. */
  next(instant: number): number | undefined;
}

/** When a window starts; the starts of excluded dates do not exist. */
export function startsOf(window: Window): Edges {
  if (window.kind === 'once') return single(startInstant(window.timezone, localMillis(window.from)));
  return repeated(window, window.start, startInstant, (day) => excludes(window, day));
}

/** When a window ends; ends always count. */
export function endsOf(window: Window): Edges {
  if (window.kind === 'once') return single(endInstant(window.timezone, localMillis(window.to)));
  return repeated(window, window.end, endInstant, () => false);
}

function single(edge: number): Edges {
  return {
    previous: (instant) => (edge <= instant ? edge : undefined),
    next: (instant) => (edge > instant ? edge : undefined),
  };
}

type ToInstant = (timezone: string, local: number) => number;

function repeated(window: CronWindow, cron: CronFields, toInstant: ToInstant, skips: SkipsDay): Edges {
  const { timezone } = window;
  const instantOf = (local: number) => toInstant(timezone, local);
  return {
    previous(instant) {
      const margin = shiftNear(timezone, instant);
      return nearest({
        first: () => previousLocal(cron, toLocal(timezone, instant) + margin, skips),
        step: (local) => previousLocal(cron, local - 1, skips),
        instantOf,
        fits: (edge) => edge <= instant,
        better: (a, b) => a > b,
        timezone,
      });
    },
    next(instant) {
      const margin = shiftNear(timezone, instant);
      return nearest({
        first: () => nextLocal(cron, toLocal(timezone, instant) - margin, skips),
        step: (local) => nextLocal(cron, local, skips),
        instantOf,
        fits: (edge) => edge > instant,
        better: (a, b) => a < b,
        timezone,
      });
    },
  };
}

interface Search {
  first(): number | undefined;
  step(local: number): number | undefined;
  instantOf(local: number): number;
  fits(edge: number): boolean;
  better(a: number, b: number): boolean;
  readonly timezone: string;
}

/**
 * Walks local times in order. Near a clock change the order of local times and of
 * instants may differ by as much as the clock moves, so it looks that much further.
 */
function nearest(search: Search): number | undefined {
  let best: number | undefined;
  let [foundAt, margin] = [0, 0];
  for (let local = search.first(); local !== undefined; local = search.step(local)) {
    if (best !== undefined && Math.abs(local - foundAt) > margin) return best;
    const edge = search.instantOf(local);
    if (!search.fits(edge)) continue;
    if (best === undefined) {
      margin = shiftNear(search.timezone, edge);
      if (margin === 0) return edge;
      foundAt = local;
      best = edge;
    } else if (search.better(edge, best)) best = edge;
  }
  return best;
}
