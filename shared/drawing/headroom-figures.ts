import type { HeadroomConfig, Unit } from '../core/config/config';
import { unitNoun } from '../core/config/unit-text';
import { count } from './amounts';

/** What was seen of a headroom. */
export interface SeenHeadroom {
  readonly wanted: number;
  /** Ready pause pods; more than wanted while a headroom shrinks. */
  readonly readyPods: number;
  /** What work has: of a floor the nodes that run work, of room the pause pods that it has preempted; absent if unknown. */
  readonly taken?: number | undefined;
}

/**
 * What is said of a headroom, the same for every unit (docs/operations.md, "The figures of a headroom"):
 * `wanted = in use + free + missing`. Ready are those whose pause pod runs: of a floor they include those in use, whose
 * work runs beside it; of room they are the free ones, because work takes the pause pod's place.
 */
export interface HeadroomFigures {
  readonly wanted: number;
  readonly ready: number;
  readonly inUse: number;
  readonly free: number;
  /** Neither free nor in use: starting, or not to be had. */
  readonly missing: number;
  /** Still there, and no longer wanted. */
  readonly leaving: number;
  /** It is unknown what work has: `inUse` is 0, and `free` is what is ready. */
  readonly useUnknown?: true;
}

export function figuresOf(kind: Unit['kind'], { wanted, readyPods, taken }: SeenHeadroom): HeadroomFigures {
  const ready = Math.min(readyPods, wanted);
  const inUse = Math.min(taken ?? 0, kind === 'floor' ? ready : wanted - ready);
  const free = kind === 'floor' ? ready - inUse : ready;
  return {
    ...{ wanted, ready, inUse, free, missing: wanted - free - inUse, leaving: readyPods - ready },
    ...(taken === undefined && { useUnknown: true as const }),
  };
}

/** What a headroom is counted in. */
export function nounOf({ unit, like }: Pick<HeadroomConfig, 'unit' | 'like'>): string {
  return like ? 'pause pod' : unitNoun(unit);
}

/** `7 nodes in use, 1 free, 2 missing`; `3 of 6 nodes ready` if nobody knows what work has. */
export function figuresText(
  { wanted, ready, inUse, free, missing, useUnknown }: HeadroomFigures,
  noun: string,
): string {
  if (useUnknown) return `${ready} of ${count(wanted, noun)} ready`;
  const parts = Object.entries({ 'in use': inUse, free, missing }).filter(([, amount]) => amount > 0);
  const [[first, amount] = ['wanted', 0], ...others] = parts;
  return [`${count(amount, noun)} ${first}`, ...others.map(([what, more]) => `${more} ${what}`)].join(', ');
}
