import type { HeadroomConfig } from '../config/config';
import type { HeadroomRecord, NodeCount } from '../record/record';
import { countIn, inheritedCount, standingCounts } from './inherited-counts';

/** Whether the nodes must be counted for an override with `addNodes`. */
export function isUncountedOverride(record: HeadroomRecord, pool: HeadroomConfig): boolean {
  return needsCount(record, pool) && recordOverrideCount(record, pool) === record;
}

/** Records the count that an override with `addNodes` adds to; `count` supplies a missing one. */
export function recordOverrideCount(record: HeadroomRecord, pool: HeadroomConfig, count?: NodeCount): HeadroomRecord {
  const { override } = record;
  if (!override || !needsCount(record, pool)) return record;
  const counted = inheritedCount(standingCounts(record, pool, override.at), count);
  return counted ? { ...record, override: { ...override, counted: countIn(counted) } } : record;
}

function needsCount({ override }: HeadroomRecord, { unit }: HeadroomConfig): boolean {
  return unit.kind === 'floor' && override?.mode === 'addNodes' && override.counted === undefined;
}
