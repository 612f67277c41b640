import { setTimeout as sleep } from 'node:timers/promises';

const PATIENCE_MS = 60_000;

/** Waits until something holds, long enough for a busy machine. */
export async function eventually<T>(
  what: string,
  read: () => T | undefined | false | Promise<T | undefined | false>,
): Promise<T> {
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    const value = await read();
    if (value !== undefined && value !== false) return value;
    if (Date.now() > until) throw new Error(`waited in vain: ${what}`);
    await sleep(20);
  }
}
