import { MAX_COUNTED } from '../basics/record-limits';
import type { NodePoolConfig } from '../config/config';
import { MAX_EVENT_AHEAD_MS } from '../events/believed-time';
import { ANNOTATIONS } from '../manifests/annotations';
import type { AlarmReading, LiveHeadroom, NodeStart } from '../ports/ports';
import type { Window } from '../windows/window';
import type { Intent } from './intent';
import { isSame, latestOverride, type OverrideOrRelease } from './latest-override';
import { mergeIntent, pruneRecord } from './merge-intent';
import { withStarts } from './node-starts';
import { recordOccurrences } from './occurrences';
import { entryOf, type HeadroomRecord, type NodeCount, type Override } from './record';
import { readRecord } from './record-codec';
import { recordRequested } from './requested-occurrences';

/** The record of one headroom after the intents of now. */
export interface Recorded {
  readonly record: HeadroomRecord;
  /** The part of the annotation that cannot be read, kept for a person to look at. */
  readonly quarantined?: string;
  /** The last decided size, held while something cannot be read; 0 otherwise. */
  readonly held: number;
  /** Why it is held, where that is not the record. */
  readonly heldBecause?: string;
  /** Windows whose nodes were counted in the middle of an occurrence: its earlier count is gone, or it is new. */
  readonly countedLate?: readonly string[];
  /** By how many milliseconds the openings were late whose nodes are now seen to be ready for the first time. */
  readonly lateBy?: readonly number[];
  /** The override that an order replaced or released. */
  readonly replaced?: Override;
  /** The newer word that stands instead of what was ordered. */
  readonly supersededBy?: OverrideOrRelease;
}

export interface RecordInput {
  readonly pool: NodePoolConfig;
  readonly live: Pick<LiveHeadroom, 'annotations' | 'replicas'> | undefined;
  readonly intents: readonly Intent[];
  /** Absent when CloudWatch was not asked or did not answer. */
  readonly readings?: ReadonlyMap<string, AlarmReading> | undefined;
  /** The NodeClaims of the NodePool, where they were looked at. */
  readonly starts?: readonly NodeStart[] | undefined;
  readonly now: number;
}

/** Merges what was asked, and what CloudWatch says, into what the Deployment's annotation holds. */
export function recordIntents({ pool, live, intents, readings, starts, now }: RecordInput): Recorded {
  const read = readRecord(live?.annotations[ANNOTATIONS.record]);
  const before = believable(read.record, readings, now);
  const all = [...readingIntents(pool, readings, before, now), ...intents.filter((one) => !isOutranked(one, readings))];
  const merged = all.reduce(mergeIntent, before);
  const ordered = intents.flatMap(wordsOf);
  const standing = latestOverride(merged);
  const unreadable = read.quarantined ?? live?.annotations[ANNOTATIONS.quarantined];
  const quarantined = takesOver(ordered, standing) ? undefined : unreadable;
  const lostCounts = read.lostCounts || isRecordGone(live);
  const assume = live && lostCounts ? assumedFrom(lastDecided(live, pool), now) : undefined;
  const learned =
    starts && starts.length > 0 ? { ...merged, nodeStarts: withStarts(merged.nodeStarts ?? {}, starts) } : merged;
  const opened = recordOccurrences(recordRequested(learned, pool, now), pool, now, assume);
  return {
    record: pruneRecord(opened, pool, now),
    held: live && quarantined !== undefined ? lastDecided(live, pool) : 0,
    ...(quarantined !== undefined && { quarantined }),
    ...overrideOutcome(ordered, standing, before, now),
  };
}

/** CloudWatch's own word on the configured alarms; one that no longer exists counts as OK. */
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

/** Without alarm states that lie in the future, where CloudWatch itself says what is true. */
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

/** A release, and a new pin, are a person's word on the whole headroom: nothing is held back any longer. */
function takesOver(ordered: readonly OverrideOrRelease[], standing: OverrideOrRelease | undefined): boolean {
  if (!standing || (standing.override && standing.override.mode !== 'exactly')) return false;
  return ordered.some((word) => isSame(word, standing));
}

/** The size that Headstart itself decided last; what somebody set by hand is not held above max. */
export function lastDecided(
  { annotations, replicas }: Pick<LiveHeadroom, 'annotations' | 'replicas'>,
  { max }: NodePoolConfig,
): number {
  const decided = annotations[ANNOTATIONS.decided] ?? '';
  return /^\d{1,9}$/.test(decided) ? Math.min(Number(decided), MAX_COUNTED + max) : Math.min(replicas, max);
}

/** Headstart decided once, and somebody took the record away since. */
function isRecordGone(live: RecordInput['live']): boolean {
  return live?.annotations[ANNOTATIONS.decided] !== undefined && !live.annotations[ANNOTATIONS.record];
}

/** A lost count is not counted again, for the nodes that its occurrence brought would count too: what was decided tells it. */
function assumedFrom(decided: number, at: number): (window: Window) => NodeCount {
  return ({ replicas }) => ({ nodes: Math.max(0, decided - replicas), at, assumed: true });
}

/** What became of an order: the override that it ended, or the newer word that stands instead of it. */
function overrideOutcome(
  ordered: readonly OverrideOrRelease[],
  standing: OverrideOrRelease | undefined,
  { override }: HeadroomRecord,
  now: number,
): { replaced?: Override; supersededBy?: OverrideOrRelease } {
  if (ordered.length === 0 || !standing) return {};
  if (!ordered.some((word) => isSame(word, standing))) return { supersededBy: standing };
  // A write whose response was lost is tried again and finds the order itself.
  const isItself = override && ordered.some((word) => isSame(word, { override }));
  return override && override.until > now && !isItself ? { replaced: override } : {};
}

function wordsOf(intent: Intent): OverrideOrRelease[] {
  if (intent.kind === 'override') return [{ override: intent.override }];
  return intent.kind === 'release' ? [{ released: intent.release }] : [];
}
