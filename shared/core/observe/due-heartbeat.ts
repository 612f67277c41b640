import type { Config } from '../config/config';

/** How long nodes take to start changes slowly. */
const LOOK_EVERY_SECONDS = 600;

/**
 * Whether this heartbeat reads how long nodes took to start; one in about ten minutes does. It depends on the clock
 * alone, because nothing remembers the last one.
 */
export function isLookDue({ heartbeatSeconds }: Pick<Config, 'heartbeatSeconds'>, now: number): boolean {
  const beats = Math.max(1, Math.round(LOOK_EVERY_SECONDS / heartbeatSeconds));
  return Math.floor(now / (heartbeatSeconds * 1_000)) % beats === 0;
}
