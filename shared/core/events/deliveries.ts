import { InvalidEventError, PermanentError } from '../basics/errors';
import type { HeadstartEvent } from './event';
import { show } from './fields';
import type { Parse } from './parse-event';

/** A message as SQS hands it over. */
export interface QueueMessage {
  readonly messageId: string;
  readonly body: string;
}

/** One thing that was delivered: an event by itself, or a message of a batch. */
export interface Delivery {
  /** The message's own id, by which SQS is told what failed. */
  readonly id: string;
  readonly read: () => unknown;
  /** Enough of it to recognise it by in a log line. */
  readonly shown: string;
}

/** A delivery that no retry can mend, and why. */
export interface Rejection {
  readonly id: string;
  readonly reason: string;
  readonly shown: string;
  /** What could have been sent instead. */
  readonly example?: PermanentError['example'];
}

export function rejectionOf(
  { id, shown }: { id: string; shown: string },
  { message, example }: PermanentError,
): Rejection {
  return { id, shown, reason: message, ...(example && { example }) };
}

export interface ParsedEvent {
  readonly id: string;
  readonly event: HeadstartEvent;
  readonly shown: string;
}

export interface Parsed {
  readonly events: readonly ParsedEvent[];
  readonly rejected: readonly Rejection[];
}

/** The messages of a batch from SQS, or the one event that this is. */
export function deliveriesOf(raw: unknown): readonly Delivery[] {
  if (typeof raw !== 'object' || raw === null || !('Records' in raw) || !Array.isArray(raw.Records))
    return [{ id: 'event', read: () => raw, shown: show(raw, 500) }];
  return raw.Records.map((record: { messageId?: unknown; body?: unknown }, index): Delivery => {
    const { messageId, body } = record ?? {};
    return {
      id: typeof messageId === 'string' ? messageId : String(index),
      read: () => jsonOf(body),
      shown: typeof body === 'string' ? body.slice(0, 500) : show(body, 500),
    };
  });
}

/** Parses each delivery on its own: one that cannot be read never costs the others anything. */
export function parseDeliveries(
  deliveries: readonly Delivery[],
  parse: Parse,
  receivedAt: number,
  accepts?: HeadstartEvent['kind'],
): Parsed {
  const events: ParsedEvent[] = [];
  const rejected: Rejection[] = [];
  for (const { id, read, shown } of deliveries) {
    try {
      const event = parse(read(), receivedAt);
      if (event && accepts !== undefined && event.kind !== accepts)
        throw new InvalidEventError(`event is not for this function: expected ${accepts}, got ${event.kind}`);
      if (event) events.push({ id, event, shown });
    } catch (error) {
      if (!(error instanceof PermanentError)) throw error;
      rejected.push(rejectionOf({ id, shown }, error));
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
