export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Filled in while metrics are read. */
export interface Range {
  min: number;
  max: number;
}

/** What the metrics show of one headroom in a period; one without a value is left out. */
export interface Period {
  readonly at: number;
  readonly ms: number;
  readonly desired: Range;
  readonly ready: Range;
}

export interface LogLine {
  readonly at: number;
  readonly message: string;
  readonly [field: string]: unknown;
}

export const MESSAGES = {
  decided: 'headroom decided',
  ready: 'headroom ready for its window',
  late: 'window began without its headroom',
  override: 'override received',
  interrupted: 'nodes are about to be interrupted',
  taken: 'work took headroom',
  /** A heartbeat without knowledge of what work took. */
  unread: 'reading preemptions failed',
} as const;

/** When a pod was created, and after how many whole seconds it had a node. */
export interface PodWait {
  readonly at: number;
  readonly seconds: number;
  /** `shop/checkout` */
  readonly workload?: string;
  /** Requests, in cores and bytes, where the wait was long. */
  readonly cpu?: number;
  readonly memory?: number;
}

/** How many nodes of a floor ran work at a moment. */
export interface NodesWithWork {
  readonly at: number;
  readonly nodes: number;
}

export interface History {
  /** By headroom, in order of time. */
  readonly periods: ReadonlyMap<string, readonly Period[]>;
  /** In order of time. */
  readonly lines: readonly LogLine[];
  /** Since when no line is missing. */
  readonly loggedFrom: number;
  /** Seconds that the newest nodes took to start, by headroom; absent if the record was not read. */
  readonly starts?: ReadonlyMap<string, readonly number[]> | undefined;
  /** By NodePool, in order of time; absent if nobody asked Prometheus. */
  readonly waits?: ReadonlyMap<string, readonly PodWait[]> | undefined;
  /** By floor, minute by minute; absent if nobody asked Prometheus. */
  readonly work?: ReadonlyMap<string, readonly NodesWithWork[]> | undefined;
}

/** The items of a list in order of time that are in [from, to). */
export function between<T>(items: readonly T[], { from, to }: Span, timeOf: (item: T) => number): readonly T[] {
  return items.slice(firstFrom(items, from, timeOf), firstFrom(items, to, timeOf));
}

/** The index of the first item that is not before a time. */
export function firstFrom<T>(items: readonly T[], time: number, timeOf: (item: T) => number): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (timeOf(items[middle] as T) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * A heartbeat may come a minute late, so that a period has no value: nothing was reconciled in it, and the one before
 * stands. After more than two heartbeats without a value nothing is known.
 */
export function withoutSmallGaps(periods: readonly Period[], heartbeatMs: number): readonly Period[] {
  return periods.map((period, index) => {
    const ms = (periods[index + 1]?.at ?? period.at) - period.at;
    return ms > period.ms && ms <= period.ms + 2 * heartbeatMs ? { ...period, ms } : period;
  });
}
