import { InvalidEventError, messageOf, PermanentError } from './basics/errors';
import type { InterruptionEvent } from './events/event';
import { parseEvent } from './events/parse-event';
import { intentsFor } from './intents/intents-for';
import type { NodeClaimFacts } from './ports/ports';
import { ReconcileError, reconcile } from './reconcile';
import type { Intent } from './record/intent';
import { type Response, responseOf } from './response';
import { shown } from './run';
import type { Service } from './service';

export interface QueueMessage {
  readonly messageId: string;
  readonly body: string;
}

/** What SQS expects: the messages to deliver again. */
export interface BatchResponse extends Partial<Response> {
  readonly batchItemFailures: readonly { readonly itemIdentifier: string }[];
}

/**
 * A batch of notices that nodes will be taken away: one look at the NodeClaims and
 * one reconcile for all. Messages that cannot be read are reported and dropped;
 * only those whose NodePool could not be brought to its size come again.
 */
export async function handleInterruptions(messages: readonly QueueMessage[], service: Service): Promise<BatchResponse> {
  const { config, ports, now } = service;
  const events = messages.flatMap((message) => {
    const event = read(message, service);
    return event ? [{ messageId: message.messageId, event }] : [];
  });
  if (events.length === 0) return { batchItemFailures: [] };

  const asked: Asked[] = events.map(({ messageId }) => ({ messageId }));
  try {
    const claims = await ports.cluster.listNodeClaims();
    for (const [index, { event }] of events.entries()) {
      const one = asked[index];
      if (one) one.intents = intentsOf(event, claims, service);
    }
    const intents = asked.flatMap((one) => one.intents ?? []);
    return { batchItemFailures: [], ...responseOf(await reconcile(config, now(), intents, ports)) };
  } catch (error) {
    ports.metrics.count('errors', 1);
    ports.log.error('interruptions failed', { reason: messageOf(error) });
    return { batchItemFailures: failed(asked, error).map(({ messageId }) => ({ itemIdentifier: messageId })) };
  }
}

interface Asked {
  readonly messageId: string;
  /** Absent while the NodeClaims could not be read. */
  intents?: readonly Intent[];
}

function failed(asked: readonly Asked[], error: unknown): readonly Asked[] {
  if (!(error instanceof ReconcileError)) return asked;
  const pools = new Set(error.failedNodePools);
  return asked.filter(({ intents = [] }) => intents.some(({ nodePool }) => pools.has(nodePool)));
}

function intentsOf(event: InterruptionEvent, claims: readonly NodeClaimFacts[], service: Service): readonly Intent[] {
  const { intents, foreign } = intentsFor(event, service.config, claims);
  if (foreign.length > 0) service.ports.metrics.count('foreignEvents', foreign.length);
  return intents;
}

function read({ body }: QueueMessage, { ports: { log, metrics } }: Service): InterruptionEvent | undefined {
  try {
    const event = parseEvent(parseJson(body));
    return event?.kind === 'interruption' ? event : undefined;
  } catch (error) {
    if (!(error instanceof PermanentError)) throw error;
    metrics.count('rejectedEvents', 1);
    log.error('event rejected', { reason: error.message, event: shown(body) });
    return undefined;
  }
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new InvalidEventError('message is not JSON');
  }
}
