import type { OrderDecision } from '../../shared/core/respond';

/** `of ana: at least 6 until 2026-11-16T11:30:00.000Z (flash sale)`. */
export function overrideText({ mode, replicas, by, reason, until }: NonNullable<OrderDecision['replaced']>): string {
  return `of ${by}: ${mode === 'exactly' ? 'exactly' : 'at least'} ${replicas} until ${until} (${reason})`;
}
