export interface Range {
  readonly min: number;
  readonly max: number;
}

/** What the metrics show of one headroom in a period. A period without a value is left out. */
export interface Period {
  readonly at: number;
  readonly ms: number;
  readonly desired: Range;
  readonly ready: Range;
}

/** A line of the functions' log, with the time at which it was written. */
export interface LogLine {
  readonly at: number;
  readonly message: string;
  readonly [field: string]: unknown;
}

/** Everything that a report is made of. */
export interface History {
  /** By NodePool, in order of time. */
  readonly periods: ReadonlyMap<string, readonly Period[]>;
  readonly lines: readonly LogLine[];
}

/** The messages that a report reads. */
export const MESSAGES = {
  decided: 'headroom decided',
  ready: 'headroom ready for its window',
  late: 'window began without its headroom',
  order: 'order received',
  interrupted: 'nodes are about to be interrupted',
} as const;

/** A figure says whether it is exact or a bound. */
export type Bound = { readonly exact: number } | { readonly atLeast: number } | { readonly atMost: number };

/**
 * A heartbeat may come a minute late, and then a period has no value: nothing was reconciled in it, so that the one
 * before stands. After more than two heartbeats without a value, nothing is known.
 */
export function withoutSmallGaps(periods: readonly Period[], heartbeatMs: number): readonly Period[] {
  return periods.map((period, index) => {
    const ms = (periods[index + 1]?.at ?? period.at) - period.at;
    return ms > period.ms && ms <= period.ms + 2 * heartbeatMs ? { ...period, ms } : period;
  });
}
