import { messageOf, PermanentError } from './basics/errors';
import type { Service } from './service';

/** What a handler answers for an event that no retry can mend. */
export interface Rejected {
  readonly rejected: string;
}

/**
 * The one place that knows how Lambda retries: a permanent error is reported,
 * counted and dropped, anything else is counted and thrown so that Lambda tries
 * again and in the end hands the event to the dead-letter queue.
 */
export async function run<T>(service: Service, event: unknown, work: () => Promise<T>): Promise<T | Rejected> {
  try {
    return await work();
  } catch (error) {
    const { log, metrics } = service.ports;
    if (error instanceof PermanentError) {
      metrics.count('rejectedEvents', 1);
      log.error('event rejected', { reason: error.message, event: shown(event) });
      return { rejected: error.message };
    }
    metrics.count('errors', 1);
    log.error('event failed', { reason: messageOf(error) });
    throw error;
  }
}

/** Enough of the event to recognise it by. */
export function shown(event: unknown): string {
  return (JSON.stringify(event) ?? String(event)).slice(0, 500);
}
