export interface RetryPolicy<E> {
  /** How long to wait after the failure of try number `attempt` (1, 2, ...); `undefined` gives up. */
  readonly delayMs: (error: E, attempt: number) => number | undefined;
  readonly sleep: (ms: number) => Promise<void>;
}

/** Tries until it works or the policy gives up, then throws the last error. Each try gets the previous error. */
export async function retry<T, E = unknown>(
  work: (previous: E | undefined) => Promise<T>,
  { delayMs, sleep }: RetryPolicy<E>,
): Promise<T> {
  let previous: E | undefined;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(previous);
    } catch (error) {
      previous = error as E;
      const delay = delayMs(previous, attempt);
      if (delay === undefined) throw error;
      await sleep(delay);
    }
  }
}

/** The first delay, doubled for every further try, up to a maximum. */
export function doubling(firstMs: number, attempt: number, maxMs = Number.POSITIVE_INFINITY): number {
  return Math.min(firstMs * 2 ** (attempt - 1), maxMs);
}
