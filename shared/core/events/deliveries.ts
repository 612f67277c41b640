import { InvalidEventError, PermanentError } from '../basics/errors';
import type { HeadstartEvent } from './event';
import { quote } from './event-fields';
import type { Parse } from './parse-event';

export interface QueueMessage {
  readonly messageId: string;
  readonly body: string;
}

/** One event, or one message of a batch. */
export interface Delivery {
  /** The message's own id, by which failures are reported to SQS. */
  readonly id: string;
  readonly read: () => unknown;
  /** Enough of it to recognise it in a log line. */
  readonly excerpt: string;
}

/** A delivery that no retry can fix, and why. */
export interface Rejection {
  readonly id: string;
  readonly reason: string;
  readonly excerpt: string;
  readonly example?: PermanentError['example'];
}

export function rejectionOf(
  { id, excerpt }: { id: string; excerpt: string },
  { message, example }: PermanentError,
): Rejection {
  return { id, excerpt, reason: message, ...(example && { example }) };
}

export interface ParsedEvent {
  readonly id: string;
  readonly event: HeadstartEvent;
  readonly excerpt: string;
}

export interface Parsed {
  readonly events: readonly ParsedEvent[];
  readonly rejected: readonly Rejection[];
}

/** The messages of an SQS batch, or the single event. */
export function deliveriesOf(raw: unknown): readonly Delivery[] {
  if (typeof raw !== 'object' || raw === null || !('Records' in raw) || !Array.isArray(raw.Records))
    return [{ id: 'event', read: () => raw, excerpt: quote(raw, 500) }];
  return raw.Records.map((record: { messageId?: unknown; body?: unknown }, index): Delivery => {
    const { messageId, body } = record ?? {};
    return {
      id: typeof messageId === 'string' ? messageId : String(index),
      read: () => jsonOf(body),
      excerpt: typeof body === 'string' ? body.slice(0, 500) : quote(body, 500),
    };
  });
}

/** Parses each delivery on its own: one that cannot be read does not affect the others. */
export function parseDeliveries(
  deliveries: readonly Delivery[],
  parse: Parse,
  receivedAt: number,
  accepts?: HeadstartEvent['kind'],
): Parsed {
  const events: ParsedEvent[] = [];
  const rejected: Rejection[] = [];
  for (const { id, read, excerpt } of deliveries) {
    try {
      const event = parse(read(), receivedAt);
      if (event && accepts !== undefined && event.kind !== accepts)
        throw new InvalidEventError(`event is not for this function: expected ${accepts}, got ${event.kind}`);
      if (event) events.push({ id, event, excerpt });
    } catch (error) {
      if (!(error instanceof PermanentError)) throw error;
      rejected.push(rejectionOf({ id, excerpt }, error));
    }
  }
  return { events, rejected };
}

function jsonOf(body: unknown): unknown {
  try {
    if (typeof body === 'string') return JSON.parse(body);
  } catch {}
  throw new InvalidEventError('message is not JSON');
}
