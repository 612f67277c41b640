import type { NodePoolConfig } from '../config/config';
import { EMPTY_RECORD } from '../record/record';
import { decide } from './decide';
import { decisionsFrom } from './next-decision';

/** From `at` on, until the next step, the config alone asks for so many replicas. */
export interface PlanStep {
  readonly at: number;
  readonly replicas: number;
  readonly reasons: readonly string[];
}

/**
 * The size of a NodePool's headroom from `from` to `to`, by the config and the clock alone: the
 * first step stands at `from`, the others where the number of replicas changes.
 */
export function planNodePool(pool: NodePoolConfig, from: number, to: number): readonly PlanStep[] {
  const situation = { pool, record: EMPTY_RECORD, now: from };
  const steps: PlanStep[] = [{ at: from, ...decide(situation) }];
  for (const next of decisionsFrom(situation, to)) if (next.replicas !== steps.at(-1)?.replicas) steps.push(next);
  return steps;
}
