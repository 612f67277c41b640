/** Load balancers drop idle connections after minutes, and a frozen process does not notice. */
const MAX_IDLE_MS = 30_000;

/** A connection pool that is kept between invocations while its connections can be trusted. */
export interface FreshAfterIdle<T> {
  /** The kept one, or a new one after a pause in which the process may have been frozen. */
  get(now: number): T;
  /** Its connections turned out to be dead: the next `get` makes a new one. */
  drop(used: T): void;
}

export function freshAfterIdle<T>(make: () => T, retire: (old: T) => void): FreshAfterIdle<T> {
  let kept: { readonly value: T; usedAt: number } | undefined;
  const drop = (used: T) => {
    // Another call may have dropped it already; the kept one is newer.
    if (kept?.value !== used) return;
    kept = undefined;
    retire(used);
  };
  return {
    get: (now) => {
      if (kept && Math.abs(now - kept.usedAt) > MAX_IDLE_MS) drop(kept.value);
      kept ??= { value: make(), usedAt: now };
      kept.usedAt = now;
      return kept.value;
    },
    drop,
  };
}
