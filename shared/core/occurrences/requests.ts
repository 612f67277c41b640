import { MAX_BEGUN, MAX_REQUESTED } from '../basics/record-limits';
import type { HeadroomConfig, Size } from '../config/config';
import type { NodeStart } from '../ports/ports';
import { entryOf, type HeadroomRecord, type RequestRecord } from '../record/record';
import { openedAt } from '../windows/is-open';
import type { Window } from '../windows/window';
import { leadTimeOf } from './lead-time';
import { withStarts } from './node-starts';
import { occurrenceKey, startIn, windowIn } from './occurrence-key';
import { countOf, type Occurrence, shareOf, wantedOccurrences } from './occurrences';

const MINUTE = 60_000;
/** An occurrence that is first seen later than this after its start was added by a deploy. */
const FOUND_WITHIN = 10 * MINUTE;
/** An unknown window may be one of a newer config: during a deploy old and new functions run side by side. */
const UNNAMED_FOR = 60 * MINUTE;

export interface RequestedOccurrence extends RequestRecord {
  readonly window: string;
  readonly start: number;
}

/** Records when each occurrence was first requested, and the basis of its lead time, which new node starts change. */
export function recordRequests(
  recorded: HeadroomRecord,
  pool: HeadroomConfig,
  now: number,
  { starts = [] }: { readonly starts?: readonly NodeStart[] | undefined } = {},
): HeadroomRecord {
  const record =
    starts.length > 0 ? { ...recorded, nodeStarts: withStarts(recorded.nodeStarts ?? {}, starts) } : recorded;
  const requests: Record<string, RequestRecord> = { ...record.requests };
  for (const occurrence of wantedOccurrences(record, pool, now)) {
    const key = occurrenceKey(occurrence.window, occurrence.start);
    const known = entryOf(requests, key);
    if (occurrence.isKnownLate) {
      if (known && known.ready === undefined) delete requests[key];
    } else if (!known && occurrence.start > now - FOUND_WITHIN && opens(occurrence))
      requests[key] = { at: now, ...basisOf(pool, record) };
  }
  const { requests: _before, ...rest } = record;
  const kept = worthKeeping(requests, pool.windows, now);
  return kept.length === 0 ? rest : { ...rest, requests: Object.fromEntries(kept) };
}

/** What a learned lead time is based on. */
function basisOf(pool: HeadroomConfig, record: HeadroomRecord): Pick<RequestRecord, 'nodes' | 'took'> {
  const { nodes, took } = leadTimeOf(pool, record);
  return { ...(nodes !== undefined && { nodes }), ...(took !== undefined && { took }) };
}

/** Whether a start opens its window; a start while the window is open does not. */
function opens({ window, start }: Pick<Occurrence, 'window' | 'start'>): boolean {
  return openedAt(window, start) === start;
}

/** The last occurrences that have begun, and the next ones. */
function worthKeeping(
  requests: Readonly<Record<string, RequestRecord>>,
  windows: readonly Window[],
  now: number,
): [string, RequestRecord][] {
  const known = Object.entries(requests).filter(([key]) => isNamed(key, windows) || startIn(key) > now - UNNAMED_FOR);
  // Of two that began together always the same one goes, or each heartbeat would write the other.
  const inOrder = known.sort(([a], [b]) => startIn(a) - startIn(b) || (a < b ? -1 : 1));
  const coming = inOrder.filter(([key]) => startIn(key) > now);
  const begun = inOrder.filter(([key, one]) => startIn(key) <= now && isReportable(key, one, windows));
  return [...begun.slice(-MAX_BEGUN), ...coming].slice(0, MAX_REQUESTED);
}

function isNamed(key: string, windows: readonly Window[]): boolean {
  return windows.some(({ name }) => name === windowIn(key));
}

/** An occurrence without a verdict counts only if its window still has it: a deploy may have removed it. */
function isReportable(key: string, { ready, why }: RequestRecord, windows: readonly Window[]): boolean {
  if (ready !== undefined || why !== undefined) return true;
  return windows.some((window) => window.name === windowIn(key) && opens({ window, start: startIn(key) }));
}

/** The requested occurrences of these windows, the newest first. */
export function requestedOccurrences(
  { requests = {} }: Pick<HeadroomRecord, 'requests'>,
  windows: readonly Window[],
): readonly RequestedOccurrence[] {
  const named = Object.entries(requests).filter(([key]) => isNamed(key, windows));
  const reportable = named.filter(([key, one]) => isReportable(key, one, windows));
  const all = reportable.map(([key, one]) => ({ ...one, window: windowIn(key), start: startIn(key) }));
  return all.sort((a, b) => b.start - a.start || (a.window < b.window ? -1 : 1));
}

/** An occurrence whose nodes have not been ready yet. */
export interface Unready {
  readonly occurrence: Occurrence;
  /** How many replicas the window alone needs. */
  readonly wanted: number;
  readonly request: RequestRecord;
}

export function unreadyOccurrences(record: HeadroomRecord, pool: HeadroomConfig, now: number): readonly Unready[] {
  if (!record.requests) return [];
  const { requests } = record;
  return wantedOccurrences(record, pool, now).flatMap((occurrence) => {
    const request = entryOf(requests, occurrenceKey(occurrence.window, occurrence.start));
    const wanted = sizeOf(occurrence, record, pool);
    return request && request.ready === undefined && wanted !== undefined ? [{ occurrence, wanted, request }] : [];
  });
}

/** Without boosts and surges; `undefined` while what it is counted from is not known. */
function sizeOf(occurrence: Occurrence, record: HeadroomRecord, pool: HeadroomConfig): number | undefined {
  const { max } = pool;
  const { window } = occurrence;
  const sized: Partial<Size> = pool.shaped?.sizeOf(window, shareOf(record, occurrence)) ?? window;
  const { replicas = 0, lacks } = sized;
  if (!window.relative) return lacks ? undefined : Math.min(replicas, max);
  const counted = countOf(record, pool, occurrence);
  return counted && Math.min(counted.nodes + Math.min(replicas, max), counted.assumed ?? Number.POSITIVE_INFINITY);
}

/** Whether an occurrence had its nodes in time. Less than a minute is not late: the heartbeat sees no finer. */
export type Verdict =
  | { readonly kind: 'coming' | 'never' }
  /** How long before its start, or after it. */
  | { readonly kind: 'ready' | 'late' | 'lateSoFar'; readonly ms: number };

export function verdictOf(
  { window, start, ready }: RequestedOccurrence,
  windows: readonly Window[],
  now: number,
): Verdict {
  if (ready !== undefined) {
    const late = ready - start;
    return late < MINUTE ? { kind: 'ready', ms: Math.max(0, -late) } : { kind: 'late', ms: late };
  }
  if (start > now) return { kind: 'coming' };
  const isOpen = windows.some((one) => one.name === window && openedAt(one, now) === start);
  return isOpen ? { kind: 'lateSoFar', ms: now - start } : { kind: 'never' };
}
