import type { NodePoolConfig } from '../config/config';
import { EMPTY_RECORD } from '../record/record';
import { decide, type Situation } from './decide';
import { decisionsFrom, isSameSize } from './next-decision';

/** From `at` on, until the next step, so many replicas are asked for. */
export interface PlanStep {
  readonly at: number;
  readonly replicas: number;
  readonly reasons: readonly string[];
  /** So many more nodes than there will be. */
  readonly uncounted?: number;
}

/**
 * The size of a NodePool's headroom from `from` to `to`, by the config, the clock and what is recorded: the
 * first step stands at `from`, the others where the number of replicas changes. Without a record it is the plan that
 * the config alone makes.
 */
export function planNodePool(
  pool: NodePoolConfig,
  from: number,
  to: number,
  recorded: Omit<Situation, 'pool' | 'now'> = { record: EMPTY_RECORD },
): readonly PlanStep[] {
  const situation = { ...recorded, pool, now: from };
  const steps: PlanStep[] = [{ at: from, ...decide(situation) }];
  for (const next of decisionsFrom(situation, to)) {
    const last = steps.at(-1);
    if (!last || !isSameSize(last, next)) steps.push(next);
  }
  return steps;
}
