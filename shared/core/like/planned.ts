import type { HeadroomConfig } from '../config/config';
import type { LikeHeadroom } from './keep-like';
import { inPausePods } from './pods-to-pause-pods';
import { shapeOf } from './shape';
import type { WorkloadObject } from './workload';

/** A headroom with every share taken of the workload's current replicas, or why that is not possible. */
export function plannedWith(
  pool: LikeHeadroom,
  object: WorkloadObject,
  namespace: string,
): { readonly pool: HeadroomConfig } | { readonly problem: string } {
  const { like, nodePool } = pool;
  const shaping = shapeOf(object, { like, namespace, nodePool });
  if ('problem' in shaping) return shaping;
  const { shape, replicas } = shaping;
  const planned = inPausePods(pool, shape, { workload: '', shape, base: { replicas } });
  const { shaped } = planned;
  if (!shaped) return { pool: planned };
  const sizeOf: typeof shaped.sizeOf = (asked, of = { replicas }, countedAt) => shaped.sizeOf(asked, of, countedAt);
  return { pool: { ...planned, shaped: { ...shaped, sizeOf, unitsOf: (asked) => sizeOf(asked).replicas } } };
}
