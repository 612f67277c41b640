import type { Log } from '../../shared/core/ports/ports';

const MAX_KEPT = 60;

/** A decision that changed something, and what led to it. */
export interface ObservedDecision {
  readonly at: number;
  readonly pool: string;
  readonly trigger: string;
  readonly from: number;
  readonly to: number;
  readonly reasons: readonly string[];
}

interface Decided {
  readonly nodePool: string;
  readonly change: 'created' | 'resized' | 'updated';
  readonly from: number;
  readonly to: number;
  readonly reasons: readonly string[];
  readonly drift?: string;
}

/** What the handlers decided, as their own log tells it. */
export class DecisionLog {
  /** Oldest first; all of them, for a run without a console. */
  readonly all: ObservedDecision[] = [];
  errors = 0;

  constructor(private readonly options: { readonly keepAll?: boolean; readonly acting?: () => boolean } = {}) {}

  /** Newest first. */
  get recent(): readonly ObservedDecision[] {
    return this.all.slice(-MAX_KEPT).reverse();
  }

  /** The log port of one invocation. */
  logFor(trigger: string, now: () => number): Log {
    return {
      info: (message, fields) => {
        if (message === 'headroom decided') this.add(trigger, now(), fields as unknown as Decided);
      },
      warn: () => {},
      error: () => {
        this.errors += 1;
      },
    };
  }

  private add(trigger: string, at: number, { nodePool, change, from, to, reasons, drift = '' }: Decided): void {
    // A record that was tidied up decides nothing.
    if (change === 'updated' && drift.startsWith('metadata')) return;
    const why = change === 'updated' ? [...reasons, `put back what had changed: ${drift}`] : reasons;
    const decision = { at, pool: nodePool, trigger, from, to, reasons: why };
    if (this.isRepeated(decision)) return;
    this.all.push(decision);
    if (!this.options.keepAll && this.all.length > 4 * MAX_KEPT) this.all.splice(0, this.all.length - MAX_KEPT);
  }

  /** While nothing is written, every look decides the same again. */
  private isRepeated({ pool, from, to, reasons }: ObservedDecision): boolean {
    if (this.options.acting?.() ?? true) return false;
    const last = this.all.findLast((decision) => decision.pool === pool);
    return last?.from === from && last.to === to && last.reasons.join() === reasons.join();
  }
}
