import type { PoolOutcome } from './apply/reconcile-node-pool';
import { messageOf } from './basics/errors';
import { nextDecision } from './decision/next-decision';
import { parseOrder } from './intents/orders';
import { ReconcileError, reconcile } from './reconcile';
import type { Override } from './record/record';
import { type DecisionResponse, decisionResponse } from './response';
import type { Service } from './service';
import { type PoolStatus, statusOf } from './status';

/** The answer to an order: the decision, when it will change by itself, and what was replaced. */
export interface OrderDecision extends DecisionResponse {
  readonly ready: number;
  readonly shortfall: number;
  readonly next?: { readonly at: string; readonly replicas: number };
  readonly replaced?: Omit<Override, 'until' | 'at'> & { readonly until: string; readonly at: string };
}

export type OrderResponse =
  | { readonly at: string; readonly decisions: readonly OrderDecision[]; readonly alsoFailed?: string }
  | { readonly at: string; readonly status: readonly PoolStatus[] };

/** A person's emergency order, or a question. */
export async function handleOrder(raw: unknown, service: Service): Promise<OrderResponse> {
  const { config, ports } = service;
  const now = service.now();
  const order = parseOrder(raw, config, now);
  const at = new Date(now).toISOString();
  if (order.kind === 'status') return { at, status: await statusOf(config, now, ports.cluster) };

  let alsoFailed: string | undefined;
  const outcome = await reconcile(config, now, order.intents, ports).catch((error: unknown) => {
    // What was ordered took effect; another NodePool's trouble is reported beside it.
    const others =
      error instanceof ReconcileError && !error.failedNodePools.some((name) => order.nodePools.includes(name));
    if (!others) throw error;
    alsoFailed = messageOf(error);
    ports.metrics.count('errors', 1);
    ports.log.error('reconcile failed beside an order', { reason: alsoFailed });
    return error.outcome;
  });
  const ordered = outcome.nodePools.filter(({ nodePool }) => order.nodePools.includes(nodePool));
  return { at, decisions: ordered.map((one) => orderDecision(one, service, now)), ...(alsoFailed && { alsoFailed }) };
}

function orderDecision(outcome: PoolOutcome, { config }: Service, now: number): OrderDecision {
  const { nodePool, replicas, ready, record, replaced } = outcome;
  const pool = config.nodePools.find(({ name }) => name === nodePool);
  const next = pool && nextDecision({ pool, record, now });
  return {
    ...decisionResponse(outcome),
    ready,
    shortfall: Math.max(0, replicas - ready),
    ...(next && { next: { at: new Date(next.at).toISOString(), replicas: next.replicas } }),
    ...(replaced && {
      replaced: { ...replaced, until: new Date(replaced.until).toISOString(), at: new Date(replaced.at).toISOString() },
    }),
  };
}
