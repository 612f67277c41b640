import type { NodeRef } from '../facts';

const HOUR = 3_600_000;

/** What the nodes of one NodePool have cost. */
export interface PoolCost {
  readonly nodePool: string;
  readonly nodeHours: number;
  readonly spotNodeHours: number;
  readonly dollars: number;
}

/** Adds up node-hours and prices, from the launch of an instance until its end. */
export class CostLedger {
  private readonly running = new Map<string, { readonly ref: NodeRef; readonly since: number }>();
  private readonly settled = new Map<string, { nodeHours: number; spotNodeHours: number; dollars: number }>();

  start(ref: NodeRef, at: number): void {
    this.running.set(ref.instanceId, { ref, since: at });
  }

  stop(ref: NodeRef, at: number): void {
    const entry = this.running.get(ref.instanceId);
    if (!entry) return;
    this.running.delete(ref.instanceId);
    book(this.settled, ref, at - entry.since);
  }

  /** The cost so far, by NodePool. */
  costs(now: number): readonly PoolCost[] {
    const totals = new Map([...this.settled].map(([name, total]) => [name, { ...total }]));
    for (const { ref, since } of this.running.values()) book(totals, ref, now - since);
    return [...totals].map(([nodePool, total]) => ({ nodePool, ...total }));
  }
}

function book(
  totals: Map<string, { nodeHours: number; spotNodeHours: number; dollars: number }>,
  { nodePool, capacityType, pricePerHour }: NodeRef,
  milliseconds: number,
): void {
  const total = totals.get(nodePool) ?? { nodeHours: 0, spotNodeHours: 0, dollars: 0 };
  const hours = milliseconds / HOUR;
  total.nodeHours += hours;
  if (capacityType === 'spot') total.spotNodeHours += hours;
  total.dollars += hours * pricePerHour;
  totals.set(nodePool, total);
}
