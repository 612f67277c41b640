import { assertNever } from '../basics/exhaustive';
import type { HeadroomConfig, InterruptionsConfig } from '../config/config';
import { isNewerMessage } from './announced';
import type { Intent } from './intent';
import { isNewer, latestOverride } from './latest-override';
import { type AlarmRecord, entryOf, type HeadroomRecord, type Release, type SurgeRecord } from './record';

type AlarmIntent = Extract<Intent, { kind: 'alarm' }>;

/** How long a release is remembered: no override lasts longer, so a late one cannot come back. */
const RELEASE_KEPT_MS = 24 * 3_600_000;

/**
 * Records an intent. Repeating or reordering intents gives the same record:
 * - an alarm keeps its newest state and the latest time at which it left ALARM;
 * - a surge keeps its latest `until`, and of two causes with the same end the one that sorts last;
 * - of overrides and releases the newest stays;
 * - of the messages about an announced peak the newest stays.
 */
export function mergeIntent(record: HeadroomRecord, intent: Intent): HeadroomRecord {
  switch (intent.kind) {
    case 'alarm': {
      const known = entryOf(record.alarms, intent.alarmName);
      return { ...record, alarms: { ...record.alarms, [intent.alarmName]: laterAlarm(known, intent) } };
    }
    case 'surge':
    case 'peak':
      return mergeIntents(record, [intent]);
    case 'override':
    case 'release': {
      const incoming = intent.kind === 'override' ? { override: intent.override } : { released: intent.release };
      const latest = latestOverride(record);
      if (latest && !isNewer(incoming, latest)) return record;
      const { override: _override, released: _released, ...rest } = record;
      return { ...rest, ...incoming };
    }
    default:
      return assertNever(intent);
  }
}

/** The same as one after the other; surges and peaks are copied once, because a storm brings a thousand of them. */
export function mergeIntents(record: HeadroomRecord, intents: readonly Intent[]): HeadroomRecord {
  const surges = new Map(Object.entries(record.surges));
  const announced = new Map(Object.entries(record.announced ?? {}));
  let merged = record;
  for (const intent of intents) {
    if (intent.kind === 'surge') {
      const { instanceId, cause, until } = intent;
      const known = surges.get(instanceId);
      if (!known || isLonger(intent, known)) surges.set(instanceId, { ...known, cause, until });
    } else if (intent.kind === 'peak') {
      const { key, ...message } = intent.peak;
      const known = announced.get(key);
      if (!known || isNewerMessage(message, known))
        announced.set(key, { ...(known?.unknown && { unknown: known.unknown }), ...message });
    } else merged = mergeIntent(merged, intent);
  }
  return {
    ...merged,
    surges: Object.fromEntries(surges),
    ...(announced.size > 0 && { announced: Object.fromEntries(announced) }),
  };
}

function isLonger(a: SurgeRecord, b: SurgeRecord): boolean {
  return a.until > b.until || (a.until === b.until && a.cause > b.cause);
}

function laterAlarm(known: AlarmRecord | undefined, intent: AlarmIntent): AlarmRecord {
  const newer = known === undefined || intent.goneSince !== undefined || isNewerState(intent, known);
  const { state, at } = newer ? intent : known;
  const ended = latest(known?.ended, intent.goneSince ?? endedBy(known, intent));
  return { ...known, state, at, ...(ended !== undefined && { ended }) };
}

/** At the same instant ALARM wins, so that a tie never costs headroom. */
function isNewerState(a: { at: number; state: string }, b: { at: number; state: string }): boolean {
  return a.at > b.at || (a.at === b.at && a.state === 'ALARM');
}

/** When the alarm left ALARM: an event carries its previous state, a reading is compared with the record. */
function endedBy(before: AlarmRecord | undefined, { state, previous, at }: AlarmIntent): number | undefined {
  if (state === 'ALARM') return undefined;
  const wasAlarm = previous ? previous === 'ALARM' : before?.state === 'ALARM' && before.at < at;
  return wasAlarm ? at : undefined;
}

function latest(...times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}

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

/** How many nodes can count before `interruptions.max` is reached; no more are stored. */
export function countableNodes({ surge, max }: InterruptionsConfig): number {
  return surge === 0 ? 0 : Math.ceil(max / surge);
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
