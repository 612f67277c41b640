import { MAX_COUNTED } from '../basics/record-limits';
import type { HeadroomConfig } from '../config/config';
import { additionsNow } from '../record/additions';
import { type Decided, lastDecided } from '../record/last-decided';
import type { HeadroomRecord, NodeCount } from '../record/record';
import { recordAlarmCounts } from './alarm-counts';
import { mostUncounted, recordOccurrences } from './occurrences';
import { recordOverrideCount } from './override-count';

interface KeepInput {
  readonly current: Decided | undefined;
  readonly lostCounts: boolean;
  readonly lostAlarms: boolean;
}

/** Keeps the count of every open occurrence, override and alarm, inherited or derived where it has none of its own. */
export function keepCounts(
  record: HeadroomRecord,
  pool: HeadroomConfig,
  now: number,
  { current, lostCounts, lostAlarms }: KeepInput,
): HeadroomRecord {
  const isLost = lostCounts || lostAlarms;
  const assumed = current && isLost ? assumedFrom(lastDecided(current, pool), record, pool, now) : undefined;
  const kept = recordOverrideCount(recordOccurrences(record, pool, now, lostCounts ? assumed : undefined), pool);
  return recordAlarmCounts(kept, pool, now, lostAlarms ? assumed : undefined);
}

/**
 * A lost count is derived from the decided size, less all that is added to it now: counting again would include the
 * nodes that the occurrence added. What was decided for other reasons, or for boosts and surges that are forgotten, may
 * make it too high. No count leads to more than itself and max, so that what was decided before, or max, is safe.
 */
function assumedFrom(decided: number, record: HeadroomRecord, pool: HeadroomConfig, now: number): NodeCount {
  const added = Math.min(mostUncounted(record, pool, now) + additionsNow(pool, record, now), pool.max);
  const nodes = Math.min(Math.max(0, decided - added), MAX_COUNTED);
  return { nodes, at: now, assumed: Math.max(decided, pool.max) };
}
