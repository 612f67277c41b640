import type { Override } from '../core/record/record';

/** A size that may still depend on nodes to be counted: `6`, `+6`, `10 +4`. */
export function plannedText({
  replicas,
  uncounted,
}: {
  readonly replicas: number;
  readonly uncounted?: number | undefined;
}): string {
  if (uncounted === undefined) return String(replicas);
  return replicas === 0 ? `+${uncounted}` : `${replicas} +${uncounted}`;
}

/** `at least 6`, `exactly 0`, `6 more than the 10 nodes there were: 16`. */
export function overrideSize({ mode, replicas, counted }: Pick<Override, 'mode' | 'replicas' | 'counted'>): string {
  if (mode !== 'addNodes') return `${mode === 'exactly' ? 'exactly' : 'at least'} ${replicas}`;
  if (!counted) return `${replicas} more nodes than there are`;
  const were = counted.nodes === 1 ? '1 node there was' : `${counted.nodes} nodes there were`;
  return `${replicas} more than the ${were}: ${counted.nodes + replicas}`;
}
