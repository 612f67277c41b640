import type { NodePoolConfig } from '../core/config/config';
import { nodesFor } from '../drawing/nodes-for';
import type { Bound, Period } from './history';

const HOUR = 3_600_000;

/** A stretch of time in which the headroom had at most this size. */
export interface Size {
  readonly from: number;
  readonly to: number;
  readonly most: number;
}

/** What was held in some time, as far as there is data. */
export interface Held {
  readonly replicaHours: Bound;
  /** Absent for slices without minNode. */
  readonly nodeHours?: Bound;
  readonly cost?: Bound;
}

/** A size stands until the next reconcile, whose value may be in the next period. */
export function sizesOf(periods: readonly Period[]): readonly Size[] {
  const sizes: { from: number; to: number; most: number }[] = [];
  for (const [index, { at, ms, desired }] of periods.entries()) {
    const most = Math.max(desired.max, periods[index - 1]?.desired.max ?? 0);
    const last = sizes.at(-1);
    if (last?.to === at && last.most === most) last.to = at + ms;
    else sizes.push({ from: at, to: at + ms, most });
  }
  return sizes;
}

/** Replica-hours and node-hours, to be added up. */
export class Holding {
  private replicaHours = 0;
  private nodeHours = 0;
  private readonly nodes: ((replicas: number) => number) | undefined;

  constructor(
    private readonly pool: NodePoolConfig,
    private readonly sizes: readonly Size[],
  ) {
    this.nodes = nodesFor(pool);
  }

  /** Adds a stretch of time; `existing` nodes were there before. */
  add(from: number, to: number, existing = 0): this {
    for (const size of this.sizes) {
      const hours = (Math.min(to, size.to) - Math.max(from, size.from)) / HOUR;
      if (hours <= 0) continue;
      const replicas = Math.max(0, size.most - existing);
      this.replicaHours += hours * replicas;
      this.nodeHours += hours * (this.nodes?.(replicas) ?? 0);
    }
    return this;
  }

  get held(): Held {
    const { price } = this.pool;
    return {
      replicaHours: { atMost: rounded(this.replicaHours) },
      ...(this.nodes && {
        nodeHours: { atMost: rounded(this.nodeHours) },
        ...(price !== undefined && { cost: { atMost: rounded(this.nodeHours * price) } }),
      }),
    };
  }
}

/** Without floating-point noise. */
function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
