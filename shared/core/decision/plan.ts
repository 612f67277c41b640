import type { HeadroomConfig } from '../config/config';
import { unshaped } from '../like/share-sizes';
import { EMPTY_RECORD } from '../record/record';
import { decide, type Situation } from './decide';
import { decisionsFrom, isSameSize } from './next-decision';

/** The size from `at` until the next step. */
export interface PlanStep {
  readonly at: number;
  readonly replicas: number;
  readonly reasons: readonly string[];
  /** The nodes to add to those that there will be. */
  readonly uncounted?: number;
  /** Shares of a workload that are not counted, in words: the size is larger than it says. */
  readonly lacks?: readonly string[];
}

/**
 * The size of a NodePool's headroom from `from` to `to`, by the config, the clock and the record. The first step is
 * at `from`, the others where the size changes. Without a record it follows from the config alone.
 */
export function planNodePool(
  pool: HeadroomConfig,
  from: number,
  to: number,
  recorded: Omit<Situation, 'pool' | 'now'> = { record: EMPTY_RECORD },
): readonly PlanStep[] {
  const situation = { ...recorded, pool: unshaped(pool), now: from, ahead: true };
  const steps: PlanStep[] = [{ at: from, ...decide(situation) }];
  for (const next of decisionsFrom(situation, to)) {
    const last = steps.at(-1);
    if (!last || !isSameSize(last, next)) steps.push(next);
  }
  return steps;
}
