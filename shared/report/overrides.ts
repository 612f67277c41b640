import type { NodePoolConfig } from '../core/config/config';
import type { OverrideRequest, ReleaseRequest } from '../core/events/event';
import { type Held, Holding } from './held';
import { type LogLine, MESSAGES } from './history';

/** An override, from its time until it expired, was replaced or was released. */
export interface OverrideReport extends Omit<OverrideRequest, 'kind' | 'until'> {
  readonly until: number;
  /** The most that it can have added: its own size, for its time. */
  readonly held: Held;
}

/** The newest order counts, in whatever order they came; one that was sent again has the same time. */
export function overridesOf(
  pool: NodePoolConfig,
  lines: readonly LogLine[],
  from: number,
  to: number,
): readonly OverrideReport[] {
  const orders = lines
    .filter(({ message }) => message === MESSAGES.order)
    .map(({ ask }) => ask as OverrideRequest | ReleaseRequest)
    .sort((a, b) => a.at - b.at);
  return orders.flatMap((order, index): OverrideReport[] => {
    const next = orders[index + 1]?.at ?? to;
    if (order.kind === 'release' || next === order.at) return [];
    const { kind: _, ...override } = order;
    const until = Math.min(override.until, next, to);
    if (until <= from) return [];
    const size = [{ from: Math.max(from, override.at), to: until, most: override.replicas }];
    return [{ ...override, until, held: new Holding(pool, size).add(from, to).held }];
  });
}
