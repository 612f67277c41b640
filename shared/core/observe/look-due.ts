import type { Config } from '../config/config';

/** How long nodes take changes with their image, not by the minute. */
const LOOK_EVERY_SECONDS = 600;

/**
 * Whether this heartbeat is the one in about ten minutes that looks at how long nodes took. The clock alone says
 * so, because nothing remembers the last look.
 */
export function isLookDue({ heartbeatSeconds }: Pick<Config, 'heartbeatSeconds'>, now: number): boolean {
  const beats = Math.max(1, Math.round(LOOK_EVERY_SECONDS / heartbeatSeconds));
  return Math.floor(now / (heartbeatSeconds * 1_000)) % beats === 0;
}
