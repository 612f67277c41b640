export interface Wait {
  readonly ms: number;
  readonly createdAt: number;
  readonly deployment: string;
}

export interface WaitFigures {
  readonly pods: number;
  readonly medianMs: number;
  readonly p95Ms: number;
  readonly worstMs: number;
}

/** The figures of waits that are sorted, shortest first. */
export function waitFigures(waits: readonly Wait[]): WaitFigures {
  return {
    pods: waits.length,
    medianMs: percentile(waits, 0.5),
    p95Ms: percentile(waits, 0.95),
    worstMs: percentile(waits, 1),
  };
}

/** The wait that this share of the pods does not exceed. */
export function percentile(waits: readonly Wait[], share: number): number {
  return waits[Math.max(0, Math.ceil(waits.length * share) - 1)]?.ms ?? 0;
}
