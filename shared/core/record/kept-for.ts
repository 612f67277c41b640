import type { HeadroomConfig } from '../config/config';
import type { HeadroomRecord } from './record';
import type { StoredRecord } from './record-codec';

/**
 * What was kept for another NodePool does not count: counts, interruption surges and node starts are dropped, so that
 * every relative part that is open counts again. Overrides stand.
 */
export function keptFor(
  stored: StoredRecord,
  { name, nodePool }: Pick<HeadroomConfig, 'name' | 'nodePool'>,
): StoredRecord {
  const { nodePool: known = name, ...rest } = stored.record;
  const record = { ...rest, ...(nodePool !== name && { nodePool }) };
  if (known === nodePool || stored.lostNodePool) return { ...stored, record };
  return { ...stored, record: withoutNodes(record), lostCounts: false, lostAlarms: false };
}

function withoutNodes({
  counts: _counts,
  nodeStarts: _starts,
  override,
  alarms,
  ...rest
}: HeadroomRecord): HeadroomRecord {
  const states = Object.entries(alarms).map(([name, one]) => [name, uncounted(one)]);
  return {
    ...rest,
    ...(override && { override: uncounted(override) }),
    alarms: Object.fromEntries(states),
    surges: {},
  };
}

function uncounted<T extends { readonly counted?: unknown }>({ counted: _, ...rest }: T): Omit<T, 'counted'> {
  return rest;
}
