import { PermanentError } from '../basics/errors';
import { attempt, type Failure } from '../basics/failures';
import { type Parsed, type Rejection, rejectionOf } from '../events/deliveries';
import type { HeadstartEvent } from '../events/event';
import type { NodeClaimLists } from '../observe/node-claims';
import { type Context, type FoundIntents, intentsFor } from './intents-for';

/** An event with its intents. */
export interface EventIntents extends FoundIntents {
  readonly id: string;
  readonly event: HeadstartEvent;
}

export interface ReadEvents {
  readonly events: readonly EventIntents[];
  readonly rejected: readonly Rejection[];
  /** Reading the NodeClaims failed, so interrupted instances have no known NodePool. */
  readonly unread?: Failure;
}

/** The intents of all events; the NodeClaims are read only for interruptions. */
export async function collectIntents(
  parsed: Parsed,
  { config, receivedAt, overrideIntents }: Omit<Context, 'claims'>,
  nodeClaims: Pick<NodeClaimLists, 'named'>,
): Promise<ReadEvents> {
  const failures: Failure[] = [];
  const interrupted = parsed.events.some(({ event }) => event.kind === 'interruption');
  const named = interrupted ? await attempt('reading the NodeClaims', nodeClaims.named(), failures) : undefined;
  const [unread] = failures;
  const context = { config, receivedAt, overrideIntents, claims: named ?? new Map() };
  const rejected = [...parsed.rejected];
  const events: EventIntents[] = [];
  for (const { id, event, excerpt } of parsed.events) {
    try {
      events.push({ id, event, ...(unread ? NOTHING : intentsFor(event, context)) });
    } catch (error) {
      if (!(error instanceof PermanentError)) throw error;
      rejected.push(rejectionOf({ id, excerpt }, error));
    }
  }
  return { events, rejected, ...(unread && { unread }) };
}

const NOTHING: FoundIntents = { intents: [], foreign: [] };
