import type { HeadroomOutcome } from '../../../shared/core/apply/apply-decision';
import type { Processed } from '../../../shared/core/outcome';

const MAX_KEPT = 60;

export interface ObservedDecision {
  readonly at: number;
  readonly pool: string;
  readonly trigger: string;
  readonly from: number;
  readonly to: number;
  readonly reasons: readonly string[];
}

export class DecisionHistory {
  /** Oldest first; complete only with `keepAllDecisions`. */
  readonly all: ObservedDecision[] = [];
  errors = 0;

  constructor(private readonly options: { readonly keepAllDecisions?: boolean } = {}) {}

  /** Newest first. */
  get recent(): readonly ObservedDecision[] {
    return this.all.slice(-MAX_KEPT).reverse();
  }

  add(trigger: string, { at, rejected, unread, outcome }: Processed): void {
    const { headrooms = [], failures = [] } = outcome ?? {};
    const unreadable = headrooms.filter((one) => one.unreadable !== undefined);
    this.errors += rejected.length + unreadable.length + (unread || failures.length > 0 ? 1 : 0);
    for (const pool of headrooms.filter(isDecision)) this.all.push(observed(pool, trigger, at));
    if (!this.options.keepAllDecisions && this.all.length > 4 * MAX_KEPT)
      this.all.splice(0, this.all.length - MAX_KEPT);
  }
}

/** An update of metadata alone is not a decision. */
function isDecision({ change, drift = '' }: HeadroomOutcome): boolean {
  return change !== 'none' && !(change === 'updated' && drift.startsWith('metadata'));
}

function observed(outcome: HeadroomOutcome, trigger: string, at: number): ObservedDecision {
  const { headroom, from, replicas, change, drift } = outcome;
  const reasons = change === 'updated' ? [...outcome.reasons, `put back what had changed: ${drift}`] : outcome.reasons;
  return { at, pool: headroom, trigger, from, to: replicas, reasons };
}
