import { recordable } from '../basics/record-limits';
import type { HeadroomConfig } from '../config/config';
import { MAX_EVENT_AHEAD_MS } from '../events/believed-time';
import type { AlarmReading } from '../ports/ports';
import { type AlarmRecord, entryOf, type HeadroomRecord, type Override } from '../record/record';
import type { StoredRecord } from '../record/record-codec';
import { keepMessages, refuseOutranked, splitAhead } from './announced';
import type { Intent } from './intent';
import { isSame, latestOverride, mergeIntents, type OverrideOrRelease } from './newest-wins';

/** By alarm name; absent if CloudWatch was not read or did not answer. */
type Readings = ReadonlyMap<string, AlarmReading> | undefined;

export interface EventFacts {
  readonly intents: readonly Intent[];
  readonly readings?: Readings;
  /** Whether a tick has shown that `now` is right, so that what is dated ahead of it can be removed. */
  readonly isClockProven?: boolean;
}

/** The record with the new intents in it. */
export interface RecordedIntents {
  readonly record: HeadroomRecord;
  readonly quarantined: string | undefined;
  /** Announced peaks that are lost, because there are too many or they are dated ahead. */
  readonly droppedPeaks: readonly string[];
  readonly overridden: Overridden;
}

/** What became of a requested override or release; neither if none was requested. */
export interface Overridden {
  /** The override that was replaced or released. */
  readonly replaced?: Override;
  /** The newer override or release that counts instead of the requested one. */
  readonly supersededBy?: OverrideOrRelease;
}

/** Merges what events ask for and what CloudWatch says of the alarms into the record. */
export function recordIntents(
  stored: Pick<StoredRecord, 'record' | 'quarantined'>,
  pool: HeadroomConfig,
  now: number,
  { intents, readings, isClockProven = false }: EventFacts,
): RecordedIntents {
  const { record: plausible, ahead } = isClockProven
    ? splitAhead(stored.record, now)
    : { record: stored.record, ahead: [] };
  refuseOutranked(intents, plausible, now);
  const before = believable(plausible, readings, now);
  const fromEvents = intents.filter((one) => !isOutranked(one, readings));
  const merged = mergeIntents(before, [...readingIntents(pool, readings, before, now), ...fromEvents]);
  const { record, dropped } = keepMessages(merged, pool, now);
  const requested = intents.flatMap(overridesIn);
  const latest = latestOverride(record);
  return {
    record,
    quarantined: takesOver(requested, latest) ? undefined : stored.quarantined,
    droppedPeaks: [...ahead, ...dropped],
    overridden: overriddenBy(requested, latest, before, now),
  };
}

/** CloudWatch's own states of the configured alarms; one that no longer exists counts as OK. */
function readingIntents(pool: HeadroomConfig, readings: Readings, record: HeadroomRecord, now: number): Intent[] {
  if (!readings) return [];
  return pool.alarms.flatMap(({ alarmName }): Intent[] => {
    const reading = readings.get(alarmName);
    const known = entryOf(record.alarms, alarmName);
    if (reading) return [{ kind: 'alarm', headroom: pool.name, alarmName, ...reading, at: recordable(reading.at) }];
    if (known?.state !== 'ALARM') return [];
    // With the old time, so that a reading that comes back with the same state wins again.
    return [{ kind: 'alarm', headroom: pool.name, alarmName, state: 'OK', at: known.at, goneSince: now }];
  });
}

function isOutranked(intent: Intent, readings: Readings): boolean {
  return intent.kind === 'alarm' && intent.doubtful === true && readings?.has(intent.alarmName) === true;
}

/** Without alarm states that are dated in the future, if CloudWatch has a reading to replace them. */
function believable(record: HeadroomRecord, readings: Readings, now: number): HeadroomRecord {
  const alarms = Object.entries(record.alarms).flatMap(([name, known]): [string, AlarmRecord][] => {
    if (known.at <= now + MAX_EVENT_AHEAD_MS || !readings?.has(name)) return [[name, known]];
    const { counted } = known;
    return counted ? [[name, { state: 'INSUFFICIENT_DATA', at: 0, counted }]] : [];
  });
  return { ...record, alarms: Object.fromEntries(alarms) };
}

/** A release or a new pin decides the whole size, so nothing is held any longer. */
function takesOver(requested: readonly OverrideOrRelease[], latest: OverrideOrRelease | undefined): boolean {
  if (!latest || (latest.override && latest.override.mode !== 'exactly')) return false;
  return requested.some((one) => isSame(one, latest));
}

function overriddenBy(
  requested: readonly OverrideOrRelease[],
  latest: OverrideOrRelease | undefined,
  { override }: HeadroomRecord,
  now: number,
): Overridden {
  if (requested.length === 0 || !latest) return {};
  if (!requested.some((one) => isSame(one, latest))) return { supersededBy: latest };
  // A retry after a lost response finds the override already recorded.
  const isItself = override && requested.some((one) => isSame(one, { override }));
  return override && override.until > now && !isItself ? { replaced: override } : {};
}

function overridesIn(intent: Intent): OverrideOrRelease[] {
  if (intent.kind === 'override') return [{ override: intent.override }];
  return intent.kind === 'release' ? [{ released: intent.release }] : [];
}
