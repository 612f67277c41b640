import type { HeadroomConfig } from '../config/config';
import type { Observed } from '../observe/observe';
import type { HeadroomRecord } from '../record/record';
import { isUncounted, overdueCounts, withCount } from './occurrences';

export interface Counted {
  readonly record: HeadroomRecord;
  /** Windows whose nodes were counted in the middle of an occurrence, because its count was lost or the window is new. */
  readonly countedLate: readonly string[];
  /** A count is missing, and the NodeClaims cannot be read. */
  readonly isUncountable: boolean;
}

/**
 * Counts the nodes for every relative occurrence and override that has no count yet. The count is written together
 * with the size, guarded by the version that was read, so that racing functions agree on the first one.
 */
export async function countNodes(
  record: HeadroomRecord,
  pool: HeadroomConfig,
  now: number,
  seen: Pick<Observed, 'countNodeClaims'>,
): Promise<Counted> {
  if (!isUncounted(record, pool, now)) return { record, countedLate: [], isUncountable: false };
  const nodes = await seen.countNodeClaims(pool);
  if (nodes === undefined) return { record, countedLate: [], isUncountable: true };
  return {
    record: withCount(record, pool, now, nodes),
    countedLate: overdueCounts(record, pool, now),
    isUncountable: false,
  };
}
