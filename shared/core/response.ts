import type { PoolOutcome } from './apply/reconcile-node-pool';
import type { Outcome } from './reconcile';

/** One NodePool's decision, as handlers and the command line print it. */
export interface DecisionResponse {
  readonly nodePool: string;
  readonly replicas: number;
  readonly from: number;
  readonly change: PoolOutcome['change'];
  readonly reasons: readonly string[];
}

export interface Response {
  readonly at: string;
  readonly decisions: readonly DecisionResponse[];
  readonly removed?: readonly string[];
}

export function responseOf({ at, nodePools, removed }: Outcome): Response {
  return {
    at: new Date(at).toISOString(),
    decisions: nodePools.map(decisionResponse),
    ...(removed.length > 0 && { removed }),
  };
}

export function decisionResponse({ nodePool, replicas, from, change, reasons }: PoolOutcome): DecisionResponse {
  return { nodePool, replicas, from, change, reasons };
}
