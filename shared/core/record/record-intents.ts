import { MAX_COUNTED } from '../basics/record-limits';
import type { NodePoolConfig } from '../config/config';
import { MAX_EVENT_AHEAD_MS } from '../events/believed-time';
import { ANNOTATIONS } from '../manifests/annotations';
import type { AlarmReading, LiveHeadroom, NodeStart } from '../ports/ports';
import type { Window } from '../windows/window';
import { keepMessages, withPeaks } from './announced';
import type { Intent } from './intent';
import { isSame, latestOverride, type OverrideOrRelease } from './latest-override';
import { mergeIntents, pruneRecord } from './merge-intent';
import { withStarts } from './node-starts';
import { recordOccurrences } from './occurrences';
import { entryOf, type HeadroomRecord, type NodeCount, type Override } from './record';
import { readRecord } from './record-codec';
import { recordRequested } from './requested-occurrences';

/** The record of one headroom with the current intents merged in. */
export interface Recorded {
  readonly record: HeadroomRecord;
  /** Announced peaks that are lost, because there are too many. */
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
  readonly pool: NodePoolConfig;
}

export interface FirstVerdict {
  readonly window: string;
  readonly start: number;
  readonly ready: boolean;
  /** Why it is, or was, late. */
  readonly why?: string;
}

export interface RecordInput {
  readonly pool: NodePoolConfig;
  readonly live: Pick<LiveHeadroom, 'annotations' | 'replicas'> | undefined;
  readonly intents: readonly Intent[];
  /** Absent if CloudWatch was not read or did not answer. */
  readonly readings?: ReadonlyMap<string, AlarmReading> | undefined;
  /** The node starts of the NodePool, if they were read. */
  readonly starts?: readonly NodeStart[] | undefined;
  readonly now: number;
}

/** Merges the intents and CloudWatch's readings into the record of the Deployment's annotation. */
export function recordIntents({ pool: deployed, live, intents, readings, starts, now }: RecordInput): RecordedPool {
  const read = readRecord(live?.annotations[ANNOTATIONS.record]);
  const before = believable(read.record, readings, now);
  const all = [
    ...readingIntents(deployed, readings, before, now),
    ...intents.filter((one) => !isOutranked(one, readings)),
  ];
  const { record: merged, dropped } = keepMessages(mergeIntents(before, all), deployed, now);
  const pool = withPeaks(deployed, merged);
  const requested = intents.flatMap(overridesIn);
  const latest = latestOverride(merged);
  const unreadable = read.quarantined ?? live?.annotations[ANNOTATIONS.quarantined];
  const quarantined = takesOver(requested, latest) ? undefined : unreadable;
  const lostCounts = read.lostCounts || isRecordGone(live);
  const assume = live && lostCounts ? assumedFrom(lastDecided(live, pool), now) : undefined;
  const learned =
    starts && starts.length > 0 ? { ...merged, nodeStarts: withStarts(merged.nodeStarts ?? {}, starts) } : merged;
  const counted = recordOccurrences(recordRequested(learned, pool, now), pool, now, assume);
  return {
    record: pruneRecord(counted, pool, now, before.surges),
    pool,
    held: live && quarantined !== undefined ? lastDecided(live, pool) : 0,
    ...(quarantined !== undefined && { quarantined }),
    ...(dropped.length > 0 && { droppedPeaks: dropped }),
    ...overrideOutcome(requested, latest, before, now),
  };
}

/** CloudWatch's own states of the configured alarms; one that no longer exists counts as OK. */
function readingIntents(
  pool: NodePoolConfig,
  readings: ReadonlyMap<string, AlarmReading> | undefined,
  record: HeadroomRecord,
  now: number,
): Intent[] {
  if (!readings) return [];
  return pool.alarms.flatMap(({ alarmName }): Intent[] => {
    const reading = readings.get(alarmName);
    const known = entryOf(record.alarms, alarmName);
    if (reading) return [{ kind: 'alarm', nodePool: pool.name, alarmName, ...reading }];
    if (known?.state !== 'ALARM') return [];
    // With the old time, so that a reading that comes back with the same state wins again.
    return [{ kind: 'alarm', nodePool: pool.name, alarmName, state: 'OK', at: known.at, goneSince: now }];
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

/** The size that Headstart itself decided last; a size that was set by hand counts only up to max. */
export function lastDecided(
  { annotations, replicas }: Pick<LiveHeadroom, 'annotations' | 'replicas'>,
  { max }: NodePoolConfig,
): number {
  const decided = annotations[ANNOTATIONS.decided] ?? '';
  return /^\d{1,9}$/.test(decided) ? Math.min(Number(decided), MAX_COUNTED + max) : Math.min(replicas, max);
}

/** Whether the record was removed: Headstart has decided before, so there was one. */
function isRecordGone(live: RecordInput['live']): boolean {
  return live?.annotations[ANNOTATIONS.decided] !== undefined && !live.annotations[ANNOTATIONS.record];
}

/** A lost count is derived from the decided size: counting again would include the nodes that the occurrence added. */
function assumedFrom(decided: number, at: number): (window: Window) => NodeCount {
  return ({ replicas }) => ({ nodes: Math.max(0, decided - replicas), at, assumed: true });
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
