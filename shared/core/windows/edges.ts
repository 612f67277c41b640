import { type ClockChange, clockChangeOn } from './clock-change';
import { firstAfter, lastUpTo, nextLocal, previousLocal } from './cron-times';
import { type EdgeRule, edgeRules, instantsAround } from './day-edges';
import { localMillis, type Window } from './window';
import { endInstant, startInstant, toLocal } from './zone';

const DAY = 86_400_000;

/** The instants of one kind of edge (starts or ends) of one window. */
export interface Edges {
  /** The last edge at or before the instant. */
  previous(instant: number): number | undefined;
  /** The first edge after the instant. */
  next(instant: number): number | undefined;
}

export function startsOf(window: Window): Edges {
  if (window.kind === 'once') return singleEdge(startInstant(window.timezone, localMillis(window.from)));
  return new RepeatedEdges(edgeRules(window).starts);
}

export function endsOf(window: Window): Edges {
  if (window.kind === 'once') return singleEdge(endInstant(window.timezone, localMillis(window.to)));
  return new RepeatedEdges(edgeRules(window).ends);
}

function singleEdge(edge: number): Edges {
  return {
    previous: (instant) => (edge <= instant ? edge : undefined),
    next: (instant) => (edge > instant ? edge : undefined),
  };
}

interface Direction {
  readonly nearest: typeof lastUpTo;
  readonly nearestLocal: typeof previousLocal;
  /** Where to continue if a clock change has no edge. */
  readonly beyond: (change: ClockChange) => number;
}

const BACK: Direction = { nearest: lastUpTo, nearestLocal: previousLocal, beyond: ({ from }) => from - 1 };
const AHEAD: Direction = { nearest: firstAfter, nearestLocal: nextLocal, beyond: ({ to }) => to - 1 };

/** On most days edges are found by local time; around a clock change their instants are sorted first. */
class RepeatedEdges implements Edges {
  constructor(private readonly rule: EdgeRule) {}

  previous(instant: number): number | undefined {
    return this.find(instant, BACK);
  }

  next(instant: number): number | undefined {
    return this.find(instant, AHEAD);
  }

  private find(instant: number, { nearest, nearestLocal, beyond }: Direction): number | undefined {
    const { cron, timezone, skips, toInstant } = this.rule;
    let local = toLocal(timezone, instant);
    for (;;) {
      const change = this.changeAt(local);
      const around = change && nearest(instantsAround(this.rule, change), instant);
      if (around !== undefined) return around;
      const found = nearestLocal(cron, change ? beyond(change) : local, skips);
      if (found === undefined) return undefined;
      if (!this.changeAt(found)) return toInstant(timezone, found);
      local = found;
    }
  }

  private changeAt(local: number): ClockChange | undefined {
    return clockChangeOn(this.rule.timezone, Math.floor(local / DAY) * DAY);
  }
}
