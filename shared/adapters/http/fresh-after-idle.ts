/** A load balancer forgets a connection after minutes; a process that slept so long cannot have noticed. */
const MAX_IDLE_MS = 30_000;

/** Something that pools connections, kept between invocations for as long as its connections can be trusted. */
export interface FreshAfterIdle<T> {
  /** The one that is kept, or a new one after a pause in which the process may have slept. */
  get(now: number): T;
  /** Its connections turned out to be dead: the next `get` makes a new one. */
  drop(used: T): void;
}

export function freshAfterIdle<T>(make: () => T, retire: (old: T) => void): FreshAfterIdle<T> {
  let kept: { readonly value: T; usedAt: number } | undefined;
  const drop = (used: T) => {
    // Another call may have dropped it already, and what is kept by now is newer.
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
