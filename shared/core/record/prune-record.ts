import type { AlarmConfig, HeadroomConfig, InterruptionsConfig } from '../config/config';
import { alarmCount, countableNodes } from './additions';
import { type AlarmRecord, entryOf, type HeadroomRecord, type Release, type SurgeRecord } from './record';

/** How long a release is remembered: no override lasts longer, so a late one cannot come back. */
const RELEASE_KEPT_MS = 24 * 3_600_000;

/** A count stays a little longer than it stands: a function whose clock is behind must not count again. */
const CLOCKS_DIFFER_MS = 5 * 60_000;

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
  const { override, released, shares, ...rest } = record;
  const alarms = Object.entries(record.alarms).flatMap(([name, known]) => {
    const alarm = pool.alarms.find(({ alarmName }) => alarmName === name);
    const kept = alarm || isLocalConfig ? withStandingCount(known, alarm, now) : withoutAlarm(known, now);
    return kept ? [[name, kept]] : [];
  });
  const standing = Object.entries(record.surges).filter(([, { until }]) => until > now);
  const current = override && override.until > now ? override : undefined;
  const ended: Release | undefined = override && !current ? { at: override.at } : released;
  return {
    ...rest,
    ...(current && { override: current }),
    ...(!current && ended && ended.at + RELEASE_KEPT_MS > now && { released: ended }),
    alarms: Object.fromEntries(alarms),
    surges: Object.fromEntries(countable(standing, pool.interruptions, stored)),
    ...(shares && pool.like && { shares }),
  };
}

function withStandingCount(known: AlarmRecord, alarm: AlarmConfig | undefined, now: number): AlarmRecord {
  const count = alarmCount(alarm, known);
  if (!count || count.keptUntil + CLOCKS_DIFFER_MS > now) return known;
  const { counted: _counted, ...rest } = known;
  return rest;
}

/** Of an alarm that the config no longer contains only its count stands, as if its hold had ended by now. */
function withoutAlarm({ state, at, ended, counted }: AlarmRecord, now: number): AlarmRecord | undefined {
  if (!counted) return undefined;
  const over: AlarmRecord = { state: 'OK', at, ended: (state === 'ALARM' ? undefined : ended) ?? now, counted };
  return withStandingCount(over, undefined, now).counted && over;
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
