import { assertNever } from '../basics/exhaustive';
import {
  type AlarmRecord,
  entryOf,
  type HeadroomRecord,
  type Override,
  type Release,
  type SurgeRecord,
} from '../record/record';
import { isNewerMessage } from './announced';
import type { Intent } from './intent';

type AlarmIntent = Extract<Intent, { kind: 'alarm' }>;

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
      const { override: replaced, released: _released, ...rest } = record;
      return { ...rest, ...incoming, ...(intent.kind === 'override' && inheriting(intent.override, replaced)) };
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

/** An override with `addNodes` that replaces another one in force adds to the same count. */
function inheriting(override: Override, replaced: Override | undefined): { readonly override?: Override } {
  const inherits = override.mode === 'addNodes' && replaced?.counted && replaced.until >= override.at;
  return inherits ? { override: { ...override, counted: replaced.counted } } : {};
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

/** An override, or the release of one. */
export type OverrideOrRelease =
  | { readonly override: Override; readonly released?: undefined }
  | { readonly released: Release; readonly override?: undefined };

/** The newest override or release of a record. */
export function latestOverride({ override, released }: HeadroomRecord): OverrideOrRelease | undefined {
  if (!override) return released && { released };
  const own: OverrideOrRelease = { override };
  return released && isNewer({ released }, own) ? { released } : own;
}

/**
 * Whether one replaces the other. The later one does; within one millisecond a release replaces an
 * override, and of two of a kind the one whose text sorts last wins, so that all functions agree.
 */
export function isNewer(a: OverrideOrRelease, b: OverrideOrRelease): boolean {
  const [x, y] = [rankOf(a), rankOf(b)];
  if (x.at !== y.at) return x.at > y.at;
  if (x.kind !== y.kind) return x.kind > y.kind;
  return x.text > y.text;
}

export function isSame(a: OverrideOrRelease, b: OverrideOrRelease): boolean {
  return !isNewer(a, b) && !isNewer(b, a);
}

function rankOf({ override, released }: OverrideOrRelease): { at: number; kind: number; text: string } {
  if (!override) return { at: released.at, kind: 1, text: JSON.stringify([released.by ?? '', released.reason ?? '']) };
  const { at, mode, replicas, share, until, by, reason } = override;
  return { at, kind: 0, text: JSON.stringify([until, mode, replicas, by, reason, share]) };
}
