import type { PoolOutcome } from '../shared/core/bring-to';
import type { Outcome } from '../shared/core/reconcile';

/** One NodePool's decision, as handlers and the command line print it. */
export interface DecisionAnswer {
  readonly nodePool: string;
  readonly replicas: number;
  readonly from: number;
  readonly change: PoolOutcome['change'];
  readonly reasons: readonly string[];
}

export interface Answer {
  readonly at: string;
  readonly decisions: readonly DecisionAnswer[];
  readonly removed?: readonly string[];
}

export function answerOf({ at, nodePools, removed }: Outcome): Answer {
  return {
    at: new Date(at).toISOString(),
    decisions: nodePools.map(decisionAnswer),
    ...(removed.length > 0 && { removed }),
  };
}

export function decisionAnswer({ nodePool, replicas, from, change, reasons }: PoolOutcome): DecisionAnswer {
  return { nodePool, replicas, from, change, reasons };
}
