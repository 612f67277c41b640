import { PermanentError } from '../basics/errors';
import { attempt, type Failure } from '../basics/failures';
import { type Parsed, type Rejection, rejectionOf } from '../events/deliveries';
import type { HeadstartEvent } from '../events/event';
import type { Cluster } from '../ports/ports';
import { type Asked, type Context, intentsFor } from './intents-for';

/** An event with what it asks for. */
export interface AskedEvent extends Asked {
  readonly id: string;
  readonly event: HeadstartEvent;
}

export interface AskedEvents {
  readonly asked: readonly AskedEvent[];
  readonly rejected: readonly Rejection[];
  /** The NodeClaims could not be read, so that nobody knows whose nodes go. */
  readonly unread?: Failure;
}

/** The intents of all events; one look at the NodeClaims serves a whole batch of interruptions. */
export async function intentsOf(
  parsed: Parsed,
  { config, receivedAt }: Pick<Context, 'config' | 'receivedAt'>,
  cluster: Cluster,
): Promise<AskedEvents> {
  const failures: Failure[] = [];
  const interrupted = parsed.events.some(({ event }) => event.kind === 'interruption');
  const claims = interrupted ? await attempt('reading the NodeClaims', cluster.listNodeClaims(), failures) : [];
  const [unread] = failures;
  const context = { config, receivedAt, claims: new Map((claims ?? []).map((claim) => [claim.instanceId, claim])) };
  const rejected = [...parsed.rejected];
  const asked: AskedEvent[] = [];
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

const NOTHING: Asked = { intents: [], foreign: [] };
