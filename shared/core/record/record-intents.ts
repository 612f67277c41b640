import { MAX_COUNTED, recordable } from '../basics/record-limits';
import type { HeadroomConfig } from '../config/config';
import { MAX_EVENT_AHEAD_MS } from '../events/believed-time';
import { ANNOTATIONS } from '../manifests/annotations';
import type { AlarmReading, CurrentHeadroom, NodeStart } from '../ports/ports';
import { additionsNow } from './additions';
import { keepMessages, refuseOutranked, splitAhead, withPeaks } from './announced';
import type { Intent } from './intent';
import { isSame, latestOverride, type OverrideOrRelease } from './latest-override';
import { mergeIntents, pruneRecord } from './merge-intent';
import { withStarts } from './node-starts';
import { mostUncounted, recordOccurrences } from './occurrences';
import { entryOf, type HeadroomRecord, type NodeCount, type Override } from './record';
import { readRecord } from './record-codec';
import { recordRequested } from './requested-occurrences';

/** The record of one headroom with the current intents merged in. */
export interface Recorded {
  readonly record: HeadroomRecord;
  /** Announced peaks that are lost, because there are too many or they are dated ahead. */
  readonly droppedPeaks?: readonly string[];
  /** The part of the annotation that cannot be read, kept for a person to inspect. */
  readonly quarantined?: string;
  /** The last decided size, held while something cannot be read; 0 otherwise. */
  readonly held: number;
  /** Why it is held, if not because of the record. */
  readonly heldBecause?: string;
  /** Windows whose nodes were counted in the middle of an occurrence, because its count was lost or the window is new. */
  readonly countedLate?: readonly string[];
  /** What is known now for the first time: that an occurrence is ready, or that it began without its nodes. */
  readonly verdicts?: readonly FirstVerdict[];
  /** The override that was replaced or released. */
  readonly replaced?: Override;
  /** The newer override or release that counts instead of the requested one. */
  readonly supersededBy?: OverrideOrRelease;
}

/** With the NodePool that counts: the deployed one, live schedules and announced peaks on top. */
export interface RecordedPool extends Recorded {
  readonly pool: HeadroomConfig;
}

export interface FirstVerdict {
  readonly window: string;
  readonly start: number;
  readonly ready: boolean;
  /** Why it is, or was, late. */
  readonly why?: string;
}

/** What shows the last decided size. */
type Decided = Pick<CurrentHeadroom, 'annotations' | 'replicas' | 'scaledBy'>;

export interface RecordInput {
  readonly pool: HeadroomConfig;
  readonly current: Decided | undefined;
  readonly intents: readonly Intent[];
  /** Absent if CloudWatch was not read or did not answer. */
  readonly readings?: ReadonlyMap<string, AlarmReading> | undefined;
  /** The node starts of the NodePool, if they were read. */
  readonly starts?: readonly NodeStart[] | undefined;
  readonly now: number;
  /** Whether a tick has shown that `now` is right, so that what is dated ahead of it can be removed. */
  readonly isClockProven?: boolean;
  /** Whether alarms that the config does not name may be deployed all the same. */
  readonly isLocalConfig?: boolean;
}

/** Merges the intents and CloudWatch's readings into the record of the Deployment's annotation. */
export function recordIntents(input: RecordInput): RecordedPool {
  const { pool: deployed, current: live, intents, readings, starts, now } = input;
  const read = readRecord(live?.annotations[ANNOTATIONS.record]);
  const { record: plausible, ahead } = input.isClockProven
    ? splitAhead(read.record, now)
    : { record: read.record, ahead: [] };
  refuseOutranked(intents, plausible, now);
  const before = believable(plausible, readings, now);
  const all = [
    ...readingIntents(deployed, readings, before, now),
    ...intents.filter((one) => !isOutranked(one, readings)),
  ];
  const { record: merged, dropped: tooMany } = keepMessages(mergeIntents(before, all), deployed, now);
  const dropped = [...ahead, ...tooMany];
  const pool = withPeaks(deployed, splitAhead(merged, now).record);
  const requested = intents.flatMap(overridesIn);
  const latest = latestOverride(merged);
  const unreadable = read.quarantined ?? live?.annotations[ANNOTATIONS.quarantined];
  const quarantined = takesOver(requested, latest) ? undefined : unreadable;
  // Every write carries a record, so that a Deployment without one has lost it.
  const lostCounts = read.lostCounts || !live?.annotations[ANNOTATIONS.record];
  const learned =
    starts && starts.length > 0 ? { ...merged, nodeStarts: withStarts(merged.nodeStarts ?? {}, starts) } : merged;
  const requestedNow = recordRequested(learned, pool, now);
  const assumed = live && lostCounts ? assumedFrom(lastDecided(live, pool), requestedNow, pool, now) : undefined;
  const counted = recordOccurrences(requestedNow, pool, now, assumed);
  const pruned = pruneRecord(counted, pool, now, before.surges);
  const record = input.isLocalConfig ? { ...pruned, alarms: counted.alarms } : pruned;
  const firing = Object.keys(record.alarms).find((name) => isForeignAlarm(name, record, pool));
  const isHeld = quarantined !== undefined || firing !== undefined;
  return {
    record,
    pool,
    held: live && isHeld ? lastDecided(live, pool) : 0,
    ...(firing !== undefined && { heldBecause: `${firing} is in ALARM and not in this config` }),
    ...(quarantined !== undefined && { quarantined }),
    ...(dropped.length > 0 && { droppedPeaks: dropped }),
    ...overrideOutcome(requested, latest, before, now),
  };
}

/** CloudWatch's own states of the configured alarms; one that no longer exists counts as OK. */
function readingIntents(
  pool: HeadroomConfig,
  readings: ReadonlyMap<string, AlarmReading> | undefined,
  record: HeadroomRecord,
  now: number,
): Intent[] {
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

function isOutranked(intent: Intent, readings: ReadonlyMap<string, AlarmReading> | undefined): boolean {
  return intent.kind === 'alarm' && intent.doubtful === true && readings?.has(intent.alarmName) === true;
}

/** Without alarm states that are dated in the future, if CloudWatch has a reading to replace them. */
function believable(
  record: HeadroomRecord,
  readings: ReadonlyMap<string, AlarmReading> | undefined,
  now: number,
): HeadroomRecord {
  const alarms = Object.entries(record.alarms).filter(
    ([name, { at }]) => at <= now + MAX_EVENT_AHEAD_MS || !readings?.has(name),
  );
  return { ...record, alarms: Object.fromEntries(alarms) };
}

/** A release or a new pin decides the whole size, so nothing is held any longer. */
function takesOver(requested: readonly OverrideOrRelease[], latest: OverrideOrRelease | undefined): boolean {
  if (!latest || (latest.override && latest.override.mode !== 'exactly')) return false;
  return requested.some((one) => isSame(one, latest));
}

/** The size that Headstart itself decided last, and so the one that stands; one that was set by hand counts only up to max. */
export function lastDecided({ annotations, replicas, scaledBy }: Decided, { max }: HeadroomConfig): number {
  const decided = annotations[ANNOTATIONS.decided] ?? '';
  if (/^\d{1,9}$/.test(decided)) return Math.min(Number(decided), MAX_COUNTED + max);
  return Math.min(replicas, scaledBy === undefined ? MAX_COUNTED + max : max);
}

/** Of a deployed config: what it adds is not known here. */
function isForeignAlarm(name: string, { alarms }: HeadroomRecord, pool: HeadroomConfig): boolean {
  return alarms[name]?.state === 'ALARM' && !pool.alarms.some(({ alarmName }) => alarmName === name);
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

/** The override that a request replaced, or the newer one that counts instead. */
function overrideOutcome(
  requested: readonly OverrideOrRelease[],
  latest: OverrideOrRelease | undefined,
  { override }: HeadroomRecord,
  now: number,
): { replaced?: Override; supersededBy?: OverrideOrRelease } {
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
