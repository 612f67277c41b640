import { setTimeout as sleep } from 'node:timers/promises';
import { types } from 'node:util';

/** How long to wait for a fact, and how often to look. */
export interface Patience {
  /** What is waited for, for the message; the last error says the rest. */
  readonly what?: string;
  /** @default 60 000 */
  readonly timeoutMs?: number;
  /** @default 100 */
  readonly intervalMs?: number;
}

/** Ends the wait of `eventually` at once: what is waited for can no longer come. */
export class HopelessError extends Error {}

/** Calls until it neither throws nor gives `false` or `undefined`, and gives what it gave. */
export async function eventually<T>(
  look: () => Promise<T | false | undefined> | T | false | undefined,
  { what = 'the expected state', timeoutMs = 60_000, intervalMs = 100 }: Patience = {},
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  let cause: unknown;
  do {
    try {
      const seen = await look();
      if (seen !== false && seen !== undefined) return seen;
      cause = undefined;
    } catch (error) {
      if (error instanceof HopelessError) throw error;
      cause = error;
    }
    await sleep(intervalMs);
  } while (performance.now() < deadline);
  // Not `instanceof`: under Jest, errors of Node.js itself are of another realm.
  const reason = types.isNativeError(cause) ? `: ${cause.message}` : '';
  throw new Error(`waited ${timeoutMs / 1000} s in vain for ${what}${reason}`, { cause });
}
