import { assertNever } from '../basics/exhaustive';
import type { InterruptionsConfig, NodePoolConfig } from '../config/config';
import type { Intent } from './intent';
import type { AlarmRecord, HeadroomRecord, SurgeRecord } from './record';

type AlarmIntent = Extract<Intent, { kind: 'alarm' }>;

/**
 * Records an intent. Each rule gives the same record however often and in
 * whatever order the intents come:
 * - an alarm keeps its newest state and the latest time at which it left ALARM;
 * - a surge keeps its latest `until`;
 * - of two overrides the newer one stays.
 */
export function mergeIntent(record: HeadroomRecord, intent: Intent): HeadroomRecord {
  switch (intent.kind) {
    case 'alarm': {
      const alarms = { ...record.alarms, [intent.alarmName]: laterAlarm(record.alarms[intent.alarmName], intent) };
      return { ...record, alarms };
    }
    case 'surge': {
      const { instanceId, cause, until } = intent;
      const known = record.surges[instanceId];
      return known && known.until >= until
        ? record
        : { ...record, surges: { ...record.surges, [instanceId]: { cause, until } } };
    }
    case 'override':
      return record.override && record.override.at > intent.override.at
        ? record
        : { ...record, override: intent.override };
    case 'release': {
      const { override: _released, ...rest } = record;
      return rest;
    }
    default:
      return assertNever(intent);
  }
}

function laterAlarm(known: AlarmRecord | undefined, intent: AlarmIntent): AlarmRecord {
  const newer = known === undefined || intent.goneSince !== undefined || isNewer(intent, known);
  const { state, at } = newer ? intent : known;
  const ended = latest(known?.ended, intent.goneSince ?? endedBy(known, intent));
  return { state, at, ...(ended !== undefined && { ended }) };
}

/** On one instant ALARM wins: headroom is never lost to a tie. */
function isNewer(a: { at: number; state: string }, b: { at: number; state: string }): boolean {
  return a.at > b.at || (a.at === b.at && a.state === 'ALARM');
}

/** When the alarm left ALARM: the event says where it came from, a reading is compared with what was known. */
function endedBy(before: AlarmRecord | undefined, { state, previous, at }: AlarmIntent): number | undefined {
  if (state === 'ALARM') return undefined;
  const wasAlarm = previous ? previous === 'ALARM' : before?.state === 'ALARM' && before.at < at;
  return wasAlarm ? at : undefined;
}

function latest(...times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}

/** Drops what has expired, what the config no longer names, and surges beyond those that can count. */
export function pruneRecord(record: HeadroomRecord, pool: NodePoolConfig, now: number): HeadroomRecord {
  const watched = new Set(pool.alarms.map(({ alarmName }) => alarmName));
  const alarms = Object.entries(record.alarms).filter(([name]) => watched.has(name));
  const live = Object.entries(record.surges).filter(([, { until }]) => until > now);
  return {
    ...(record.override && record.override.until > now && { override: record.override }),
    alarms: Object.fromEntries(alarms),
    surges: Object.fromEntries(countable(live, pool.interruptions)),
  };
}

/** The longest-lived surges first, by id where they tie, so that every order of events keeps the same ones. */
function countable(
  surges: readonly [string, SurgeRecord][],
  config: InterruptionsConfig | undefined,
): readonly [string, SurgeRecord][] {
  if (!config || config.surge === 0) return [];
  const ranked = [...surges].sort(([a, x], [b, y]) => y.until - x.until || (a < b ? -1 : 1));
  return ranked.slice(0, Math.ceil(config.max / config.surge));
}
