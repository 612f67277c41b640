import type { NodePoolConfig } from '../config/config';
import { ANNOTATIONS } from '../manifests/pause-deployment';
import type { AlarmReading, LiveHeadroom } from '../ports/ports';
import type { Intent } from './intent';
import { mergeIntent, pruneRecord } from './merge-intent';
import type { HeadroomRecord, Override } from './record';
import { readRecord } from './record-codec';

/** The record of one headroom after the intents of now. */
export interface Recorded {
  readonly record: HeadroomRecord;
  /** The part of the annotation that cannot be read, kept for a person to look at. */
  readonly quarantined?: string;
  /** The size below which it must not fall while part of the record is quarantined. */
  readonly held: number;
  /** The override that an order replaced or released. */
  readonly replaced?: Override;
}

export interface RecordInput {
  readonly pool: NodePoolConfig;
  readonly live: LiveHeadroom | undefined;
  readonly intents: readonly Intent[];
  /** Absent when CloudWatch was not asked or did not answer. */
  readonly readings?: ReadonlyMap<string, AlarmReading> | undefined;
  readonly now: number;
}

/** Merges what was asked, and what CloudWatch says, into what the Deployment's annotation holds. */
export function recordIntents({ pool, live, intents, readings, now }: RecordInput): Recorded {
  const read = readRecord(live?.annotations[ANNOTATIONS.record]);
  const all = [...readingIntents(pool, readings, read.record, now), ...intents];
  const record = pruneRecord(all.reduce(mergeIntent, read.record), pool, now);
  const quarantined = takesOver(intents) ? undefined : (read.quarantined ?? live?.annotations[ANNOTATIONS.quarantined]);
  const replaced = replacedBy(intents, read.record, now);
  return {
    record,
    held: quarantined === undefined ? 0 : (live?.replicas ?? 0),
    ...(quarantined !== undefined && { quarantined }),
    ...(replaced && { replaced }),
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
    const known = record.alarms[alarmName];
    if (reading) return [{ kind: 'alarm', nodePool: pool.name, alarmName, ...reading }];
    if (known?.state !== 'ALARM') return [];
    // With the old time, so that a reading that comes back with the same state wins again.
    return [{ kind: 'alarm', nodePool: pool.name, alarmName, state: 'OK', at: known.at, goneSince: now }];
  });
}

/** A release, and a new pin, are a person's word on the whole headroom: nothing is held back any longer. */
function takesOver(intents: readonly Intent[]): boolean {
  return intents.some(
    (intent) => intent.kind === 'release' || (intent.kind === 'override' && intent.override.mode === 'exactly'),
  );
}

function replacedBy(intents: readonly Intent[], before: HeadroomRecord, now: number): Override | undefined {
  const orders = intents.filter(({ kind }) => kind === 'override' || kind === 'release');
  const { override } = before;
  if (orders.length === 0 || !override || override.until <= now) return undefined;
  // A write whose response was lost is tried again and finds the order itself.
  return orders.some((order) => order.kind === 'override' && order.override.at === override.at) ? undefined : override;
}
