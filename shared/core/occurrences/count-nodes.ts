import type { HeadroomConfig } from '../config/config';
import type { Observed } from '../observe/observe';
import type { HeadroomRecord } from '../record/record';
import { occurrenceKey } from './occurrence-key';
import { isUncounted, type Occurrence, overdueOccurrences, withCount } from './occurrences';

export interface Counted {
  readonly record: HeadroomRecord;
  /** Windows whose nodes were counted in the middle of an occurrence, because its count was lost or the window is new. */
  readonly countedLate: readonly string[];
  /** Why a count is missing. */
  readonly uncountable?: string;
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
  if (!isUncounted(record, pool, now)) return { record, countedLate: [] };
  const nodes = await seen.countNodeClaims(pool);
  if (nodes === undefined) return { record, countedLate: [], uncountable: 'the NodeClaims cannot be counted' };
  const counted = withCount(record, pool, now, nodes);
  // The count of an alarm that is over may be lower, and is from before.
  const isNew = ({ window, start }: Occurrence) => counted.counts?.[occurrenceKey(window, start)]?.at === now;
  const late = overdueOccurrences(record, pool, now).filter(isNew);
  return { record: counted, countedLate: late.map(({ window }) => window.name) };
}
