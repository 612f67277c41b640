import type { HeadroomConfig, InterruptionsConfig } from '../config/config';
import { countableNodes } from './additions';
import { entryOf, type HeadroomRecord, type Release, type SurgeRecord } from './record';

/** How long a release is remembered: no override lasts longer, so a late one cannot come back. */
const RELEASE_KEPT_MS = 24 * 3_600_000;

interface PruneFacts {
  /** The surges that the Deployment has already. */
  readonly stored?: HeadroomRecord['surges'];
  /** Alarms that a local config does not name may be deployed all the same. */
  readonly isLocalConfig?: boolean;
}

/**
 * Drops what has expired, what the config no longer contains, and surges beyond those that can count.
 * Of surges that end together, those that are stored already stay, so that a full record is not written again.
 */
export function pruneRecord(
  record: HeadroomRecord,
  pool: HeadroomConfig,
  now: number,
  { stored = {}, isLocalConfig = false }: PruneFacts = {},
): HeadroomRecord {
  const { override, released, nodeStarts, ...rest } = record;
  const watched = new Set(pool.alarms.map(({ alarmName }) => alarmName));
  const alarms = Object.entries(record.alarms).filter(([name]) => isLocalConfig || watched.has(name));
  const standing = Object.entries(record.surges).filter(([, { until }]) => until > now);
  const current = override && override.until > now ? override : undefined;
  const ended: Release | undefined = override && !current ? { at: override.at } : released;
  return {
    ...rest,
    ...(current && { override: current }),
    ...(!current && ended && ended.at + RELEASE_KEPT_MS > now && { released: ended }),
    alarms: Object.fromEntries(alarms),
    surges: Object.fromEntries(countable(standing, pool.interruptions, stored)),
    ...(nodeStarts && (pool.windows.length > 0 || pool.events) && { nodeStarts }),
  };
}

/**
 * The surges that end last; if they tie, those that are stored, then by id.
 * Without interruptions in the config, surges that another deploy's function recorded stay until they expire.
 */
function countable(
  surges: readonly [string, SurgeRecord][],
  config: InterruptionsConfig | undefined,
  stored: HeadroomRecord['surges'],
): readonly [string, SurgeRecord][] {
  if (!config) return surges;
  const isNew = (id: string) => Number(entryOf(stored, id) === undefined);
  const ranked = [...surges].sort(([a, x], [b, y]) => y.until - x.until || isNew(a) - isNew(b) || (a < b ? -1 : 1));
  return ranked.slice(0, countableNodes(config));
}
