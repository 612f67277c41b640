import { PermanentError } from '../basics/errors';
import { attempt, type Failure } from '../basics/failures';
import { type Parsed, type Rejection, rejectionOf } from '../events/deliveries';
import type { HeadstartEvent } from '../events/event';
import type { NodeClaims } from '../observe/node-claims';
import { type Context, intentsFor, type Requested } from './intents-for';

/** An event with what it asks for. */
export interface EventIntents extends Requested {
  readonly id: string;
  readonly event: HeadstartEvent;
}

export interface ReadEvents {
  readonly asked: readonly EventIntents[];
  readonly rejected: readonly Rejection[];
  /** The NodeClaims could not be read, so that nobody knows whose nodes go. */
  readonly unread?: Failure;
}

/** The intents of all events; the NodeClaims are looked at only for interruptions. */
export async function intentsOf(
  parsed: Parsed,
  { config, receivedAt }: Pick<Context, 'config' | 'receivedAt'>,
  nodeClaims: () => Promise<NodeClaims>,
): Promise<ReadEvents> {
  const failures: Failure[] = [];
  const interrupted = parsed.events.some(({ event }) => event.kind === 'interruption');
  const found = interrupted ? await attempt('reading the NodeClaims', nodeClaims(), failures) : undefined;
  const [unread] = failures;
  const context = { config, receivedAt, claims: found?.named ?? new Map() };
  const rejected = [...parsed.rejected];
  const asked: EventIntents[] = [];
  for (const { id, event, shown } of parsed.events) {
    try {
      asked.push({ id, event, ...(unread ? NOTHING : intentsFor(event, context)) });
    } catch (error) {
      if (!(error instanceof PermanentError)) throw error;
      rejected.push(rejectionOf({ id, shown }, error));
    }
  }
  return { asked, rejected, ...(unread && { unread }) };
}

const NOTHING: Requested = { intents: [], foreign: [] };
