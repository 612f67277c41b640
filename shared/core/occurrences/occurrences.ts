import { EVENT_PREFIX } from '../basics/names';
import { LAST_TIME, MAX_COUNTED, recordable } from '../basics/record-limits';
import type { HeadroomConfig } from '../config/config';
import { type CountRecord, entryOf, type HeadroomRecord, type NodeCount, type ShareRecord } from '../record/record';
import { endsOf, startsOf } from '../windows/edges';
import { leadingStart, openedAt } from '../windows/is-open';
import { leadOf, type Window } from '../windows/window';
import { alarmParts, recordAlarmCounts } from './alarm-counts';
import { countIn, inheritedCount, standingCounts } from './inherited-counts';
import { leadTimeOf } from './lead-time';
import { occurrenceKey, windowIn } from './occurrence-key';
import { isUncountedOverride, recordOverrideCount } from './override-count';

const MINUTE = 60_000;
/** A few heartbeats: a count after that is late. */
const COUNTED_WITHIN = 5 * MINUTE;
/** More than clocks differ by, and more than a tick may be ahead. */
const KEPT_FOR = 5 * MINUTE;
/** Two for each relative window that a NodePool may have: one open and one requested. */
export const MAX_OCCURRENCES = 50;

export interface Occurrence {
  readonly window: Window;
  readonly start: number;
  /** Its start less the lead time, or when it was requested, if that was earlier. */
  readonly requestedAt: number;
  /** It was written when its lead time had begun, so that its nodes could not be ready in time: it gets no verdict. */
  readonly isKnownLate: boolean;
}

/** When the occurrences of a NodePool's windows are requested. */
export interface RequestTimes {
  /** In minutes. */
  readonly leadOf: (window: Window) => number;
  /** Occurrences that stay requested even if a learned lead time has become shorter since. */
  readonly requested?: HeadroomRecord['requests'] | undefined;
}

export function requestTimesOf(pool: HeadroomConfig, record: HeadroomRecord): RequestTimes {
  return {
    leadOf: (window) => leadOf(window, leadTimeOf(pool, record, window).minutes),
    ...(pool.autoLead && { requested: record.requests }),
  };
}

/** The occurrence that a window's nodes are wanted for: the open one, else the one whose lead time has begun. */
export function occurrenceOf(window: Window, now: number, times: RequestTimes): Occurrence | undefined {
  return occurrencesOf(window, now, times)[0];
}

function occurrencesOf(window: Window, now: number, times: RequestTimes): Occurrence[] {
  const { requested = {} } = times;
  const leadMinutes = times.leadOf(window);
  const leading = leadingStart(window, now, leadMinutes) ?? requestedStart(window, now, times);
  return [openedAt(window, now), leading].flatMap((start) => {
    if (start === undefined) return [];
    // The heartbeat records a learned lead time a moment after it has begun.
    const recordedAt = entryOf(requested, occurrenceKey(window, start))?.at;
    const dueAt = start - leadMinutes * MINUTE;
    const { since } = window.live ?? {};
    // A lead time that grows once it was requested makes it no later.
    const isKnownLate = since !== undefined && since > dueAt && !(recordedAt !== undefined && recordedAt >= since);
    return [{ window, start, requestedAt: Math.min(recordedAt ?? start, dueAt), isKnownLate }];
  });
}

/** The next start of a window, if it was requested with a longer lead time. */
export function requestedStart(window: Window, now: number, { requested }: RequestTimes): number | undefined {
  if (!requested || !Object.keys(requested).some((key) => key.startsWith(`${window.name}@`))) return undefined;
  const start = startsOf(window).next(now);
  return start !== undefined && Object.hasOwn(requested, occurrenceKey(window, start)) ? start : undefined;
}

/** The occurrences of all windows that are open or requested now. */
export function wantedOccurrences(record: HeadroomRecord, pool: HeadroomConfig, now: number): Occurrence[] {
  const times = requestTimesOf(pool, record);
  return pool.windows.flatMap((window) => occurrencesOf(window, now, times));
}

/**
 * The count that an occurrence adds to: its own, or the lowest of those that were active when it was
 * requested, so that windows never add up. `undefined` while the nodes are not counted.
 */
export function countOf(
  record: HeadroomRecord,
  pool: Pick<HeadroomConfig, 'alarms'>,
  { window, start, requestedAt }: Occurrence,
): NodeCount | undefined {
  const own = entryOf(record.counts ?? {}, occurrenceKey(window, start));
  return own ?? inheritedCount(standingCounts(record, pool, requestedAt));
}

/** What its share is taken of; `undefined` while the replicas are not counted. */
export function shareOf({ shares = {} }: HeadroomRecord, { window, start }: Occurrence): ShareRecord | undefined {
  return entryOf(shares, occurrenceKey(window, start));
}

/** Whether the nodes must be counted before the size can be decided. */
export function isUncounted(record: HeadroomRecord, pool: HeadroomConfig, now: number): boolean {
  if (pool.unit.kind !== 'floor') return false;
  if (isUncountedOverride(record, pool) || alarmParts(record, pool, now).some((part) => part.isUncounted)) return true;
  return relativeOccurrences(record, pool, now).some((occurrence) => countOf(record, pool, occurrence) === undefined);
}

/** The occurrences that have no count although they were requested some time ago. */
export function overdueOccurrences(record: HeadroomRecord, pool: HeadroomConfig, now: number): readonly Occurrence[] {
  const overdue = relativeOccurrences(record, pool, now).filter(
    ({ requestedAt }) => requestedAt < now - COUNTED_WITHIN,
  );
  return overdue.filter((occurrence) => countOf(record, pool, occurrence) === undefined);
}

/** Sets the count of everything that has none yet; an earlier count stays. */
export function withCount(record: HeadroomRecord, pool: HeadroomConfig, now: number, nodes: number): HeadroomRecord {
  const count = { nodes: Math.min(nodes, MAX_COUNTED), at: now };
  const counted = recordOverrideCount(recordOccurrences(record, pool, now, count), pool, count);
  return recordAlarmCounts(counted, pool, now, count);
}

/**
 * Records the count of every relative occurrence until its end; `count` supplies missing ones. An assumed count stands
 * for one that was lost, which may have been lower than the one that would be inherited.
 */
export function recordOccurrences(
  record: HeadroomRecord,
  pool: HeadroomConfig,
  now: number,
  count?: NodeCount,
): HeadroomRecord {
  const counts: Record<string, CountRecord> = { ...record.counts };
  for (const occurrence of relativeOccurrences(record, pool, now)) {
    const key = occurrenceKey(occurrence.window, occurrence.start);
    const known = entryOf(counts, key);
    const counted = known ?? inheritedCount(standingCounts(record, pool, occurrence.requestedAt), count);
    // A deploy may have moved the end while the window is open.
    const end = recordable(endsOf(occurrence.window).next(occurrence.start) ?? LAST_TIME);
    const until = Math.max(known?.until ?? 0, end);
    if (counted) counts[key] = { ...known, ...countIn(counted), until };
  }
  const { counts: _before, ...rest } = record;
  const standing = unfinished(counts, now);
  return standing.length === 0 ? rest : { ...rest, counts: Object.fromEntries(standing) };
}

/** The most nodes that an occurrence without a count of its own adds. */
export function mostUncounted(record: HeadroomRecord, pool: HeadroomConfig, now: number): number {
  const { counts = {} } = record;
  const lost = relativeOccurrences(record, pool, now).filter(
    ({ window, start }) => !Object.hasOwn(counts, occurrenceKey(window, start)),
  );
  return Math.max(0, ...lost.map(({ window }) => window.replicas));
}

/** Those that are not over by any function's clock, since one that is behind must not count again; the newest if too many. */
function unfinished(counts: Readonly<Record<string, CountRecord>>, now: number): [string, CountRecord][] {
  const standing = Object.entries(counts).filter(([, { until }]) => until + KEPT_FOR > now);
  return standing
    .filter((one) => !standing.some((other) => replaces(other, one)))
    .sort(([, a], [, b]) => b.at - a.at)
    .slice(0, MAX_OCCURRENCES);
}

/** An announced peak that every event makes longer begins anew each time: its last occurrence has the count of all. */
function replaces([key, { nodes, until }]: [string, CountRecord], [old, before]: [string, CountRecord]): boolean {
  if (!key.startsWith(EVENT_PREFIX) || windowIn(key) !== windowIn(old) || nodes > before.nodes) return false;
  return until > before.until || (until === before.until && key > old);
}

function relativeOccurrences(record: HeadroomRecord, pool: HeadroomConfig, now: number): Occurrence[] {
  return wantedOccurrences(record, { ...pool, windows: pool.windows.filter(({ relative }) => relative) }, now);
}
