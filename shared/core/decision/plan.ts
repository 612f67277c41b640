import type { NodePoolConfig } from '../config/config';
import { EMPTY_RECORD, type HeadroomRecord } from '../record/record';
import { decide } from './decide';
import { decisionsFrom, isSameSize } from './next-decision';

/** From `at` on, until the next step, the config alone asks for so many replicas. */
export interface PlanStep {
  readonly at: number;
  readonly replicas: number;
  readonly reasons: readonly string[];
  /** So many more nodes than there will be. */
  readonly uncounted?: number;
}

/**
 * The size of a NodePool's headroom from `from` to `to`, by the config and the clock alone: the
 * first step stands at `from`, the others where the number of replicas changes. What was counted for an opening
 * may be known.
 */
export function planNodePool(
  pool: NodePoolConfig,
  from: number,
  to: number,
  { openings }: Pick<HeadroomRecord, 'openings'> = {},
): readonly PlanStep[] {
  const situation = { pool, record: { ...EMPTY_RECORD, ...(openings && { openings }) }, now: from };
  const steps: PlanStep[] = [{ at: from, ...decide(situation) }];
  for (const next of decisionsFrom(situation, to)) {
    const last = steps.at(-1);
    if (!last || !isSameSize(last, next)) steps.push(next);
  }
  return steps;
}
