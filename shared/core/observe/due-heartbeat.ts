import type { Config } from '../config/config';
import type { CurrentHeadroom } from '../ports/ports';

/** How long nodes take to start changes slowly. */
const LOOK_EVERY_SECONDS = 600;
/** Two of these heartbeats. */
const STARTED_WITHIN_MS = 2 * LOOK_EVERY_SECONDS * 1_000;

/**
 * Whether this heartbeat reads how long nodes took to start; one in about ten minutes does. It depends on the clock
 * alone, because nothing remembers the last one.
 */
export function isLookDue({ heartbeatSeconds }: Pick<Config, 'heartbeatSeconds'>, now: number): boolean {
  const beats = Math.max(1, Math.round(LOOK_EVERY_SECONDS / heartbeatSeconds));
  return Math.floor(now / (heartbeatSeconds * 1_000)) % beats === 0;
}

/**
 * Whether nodes may have started for a headroom that does not learn from them: it was written a short time ago, as it is
 * with every new size, and whenever work took some of it.
 */
export function mayHaveStarted(current: CurrentHeadroom | undefined, now: number): boolean {
  const { replicas = 0, writtenAt = 0 } = current ?? {};
  return replicas > 0 && now - writtenAt <= STARTED_WITHIN_MS;
}
