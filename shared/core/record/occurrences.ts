import { LAST_TIME } from '../basics/record-limits';
import type { NodePoolConfig } from '../config/config';
import { endsOf, startsOf } from '../windows/edges';
import { leadingStart, openedAt } from '../windows/is-open';
import type { Window } from '../windows/window';
import { leadTimeOf } from './lead-time';
import { type CountRecord, entryOf, type HeadroomRecord, type NodeCount } from './record';

const MINUTE = 60_000;
/** A few heartbeats. */
const COUNTED_WITHIN = 5 * MINUTE;
/** More than clocks differ, and than a tick is believed ahead. */
const KEPT_FOR = 5 * MINUTE;
/** Two for each relative window that a NodePool may have: one that stands and one that is asked for. */
export const MAX_OCCURRENCES = 50;

/** One occurrence of a window. */
export interface Occurrence {
  readonly window: Window;
  readonly start: number;
  /** When it is first wanted: its start, less the lead time. */
  readonly requestedAt: number;
}

/** When the openings of a NodePool's windows are asked for. */
export interface Requesting {
  readonly leadMinutes: number;
  /** Openings that were asked for and stay so, whatever the lead time has become since: only a learned one changes by itself. */
  readonly asked?: HeadroomRecord['asked'] | undefined;
}

export function requestingOf(
  pool: Pick<NodePoolConfig, 'leadMinutes' | 'autoLead'>,
  record: HeadroomRecord,
): Requesting {
  return { leadMinutes: leadTimeOf(pool, record).minutes, ...(pool.autoLead && { asked: record.asked }) };
}

/** The occurrence that a window's nodes are wanted for: the one that stands, else the one whose lead time has begun. */
export function occurrenceOf(window: Window, now: number, asking: Requesting): Occurrence | undefined {
  return occurrencesOf(window, now, asking)[0];
}

function occurrencesOf(window: Window, now: number, asking: Requesting): Occurrence[] {
  const { leadMinutes, asked = {} } = asking;
  const leading = leadingStart(window, now, leadMinutes) ?? requestedStart(window, now, asking);
  return [openedAt(window, now), leading].flatMap((start) => {
    if (start === undefined) return [];
    // The heartbeat that notes a learned lead time comes a moment after it has begun.
    const notedAt = entryOf(asked, occurrenceKey(window, start))?.at ?? start;
    return [{ window, start, requestedAt: Math.min(notedAt, start - leadMinutes * MINUTE) }];
  });
}

/** The next start of a window, where it was asked for with a longer lead time. */
export function requestedStart(window: Window, now: number, { asked }: Requesting): number | undefined {
  if (!asked || !Object.keys(asked).some((key) => key.startsWith(`${window.name}@`))) return undefined;
  const start = startsOf(window).next(now);
  return start !== undefined && Object.hasOwn(asked, occurrenceKey(window, start)) ? start : undefined;
}

/** The openings of all windows that are wanted now. */
export function wantedOccurrences(record: HeadroomRecord, pool: NodePoolConfig, now: number): Occurrence[] {
  const asking = requestingOf(pool, record);
  return pool.windows.flatMap((window) => occurrencesOf(window, now, asking));
}

/**
 * The nodes that an occurrence counts from: its own count, or the lowest count of what stood when it
 * was first wanted, so that windows never add up. `undefined` while nobody has counted.
 */
export function countOf(record: HeadroomRecord, occurrence: Occurrence): NodeCount | undefined {
  return (
    entryOf(record.openings ?? {}, occurrenceKey(occurrence.window, occurrence.start)) ?? inherited(record, occurrence)
  );
}

function inherited({ openings = {}, override }: HeadroomRecord, { requestedAt }: Occurrence): NodeCount | undefined {
  const counts = Object.values(openings).filter(({ until }) => until >= requestedAt);
  const ordered = override?.counted && override.until >= requestedAt ? [override.counted] : [];
  return [...counts, ...ordered].reduce<NodeCount | undefined>(
    (lowest, count) => (lowest && lowest.nodes <= count.nodes ? lowest : count),
    undefined,
  );
}

/** Whether somebody has to count the nodes before the size can be decided. */
export function isUncounted(record: HeadroomRecord, pool: NodePoolConfig, now: number): boolean {
  if (pool.unit.kind !== 'floor') return false;
  if (isUncountedOverride(record)) return true;
  return relativeOccurrences(record, pool, now).some((occurrence) => countOf(record, occurrence) === undefined);
}

/** The windows of openings without a count that were first wanted so long ago that somebody must have counted once. */
export function overdueCounts(record: HeadroomRecord, pool: NodePoolConfig, now: number): readonly string[] {
  const overdue = relativeOccurrences(record, pool, now).filter(
    ({ requestedAt }) => requestedAt < now - COUNTED_WITHIN,
  );
  return overdue.filter((occurrence) => countOf(record, occurrence) === undefined).map(({ window }) => window.name);
}

/** Counts for all that has no count yet; the first count stays, whoever comes later. */
export function withCount(record: HeadroomRecord, pool: NodePoolConfig, now: number, nodes: number): HeadroomRecord {
  const counted = { nodes, at: now };
  const { override } = record;
  const ordered = override && isUncountedOverride(record) ? { override: { ...override, counted } } : {};
  return { ...recordOccurrences(record, pool, now, () => counted), ...ordered };
}

/** Every occurrence with its count, kept until its end; `count` counts for those that have none. */
export function recordOccurrences(
  record: HeadroomRecord,
  pool: NodePoolConfig,
  now: number,
  count?: (window: Window) => NodeCount,
): HeadroomRecord {
  const openings: Record<string, CountRecord> = { ...record.openings };
  for (const occurrence of relativeOccurrences(record, pool, now)) {
    const key = occurrenceKey(occurrence.window, occurrence.start);
    const known = entryOf(openings, key);
    const counted = countOf(record, occurrence) ?? count?.(occurrence.window);
    // A deploy may have moved the end while the window stands.
    const until = Math.max(known?.until ?? 0, endsOf(occurrence.window).next(occurrence.start) ?? LAST_TIME);
    if (counted) openings[key] = { ...known, ...countIn(counted), until };
  }
  const { openings: _before, ...rest } = record;
  const live = unfinished(openings, now);
  return live.length === 0 ? rest : { ...rest, openings: Object.fromEntries(live) };
}

function isUncountedOverride({ override }: HeadroomRecord): boolean {
  return override?.mode === 'addNodes' && override.counted === undefined;
}

function countIn({ nodes, at, assumed }: NodeCount): NodeCount {
  return { nodes, at, ...(assumed && { assumed }) };
}

/** Not yet over, by any function's clock: one that is behind must not count again. The newest, should there be too many. */
function unfinished(openings: Readonly<Record<string, CountRecord>>, now: number): [string, CountRecord][] {
  const live = Object.entries(openings).filter(([, { until }]) => until + KEPT_FOR > now);
  return live.sort(([, a], [, b]) => b.at - a.at).slice(0, MAX_OCCURRENCES);
}

/** Those of the windows that add nodes. */
function relativeOccurrences(record: HeadroomRecord, pool: NodePoolConfig, now: number): Occurrence[] {
  return wantedOccurrences(record, { ...pool, windows: pool.windows.filter(({ relative }) => relative) }, now);
}

/** What an occurrence of a window is known by in the record: `lunch@2026-11-17T02:30:00.000Z`. */
export function occurrenceKey({ name }: Window, start: number): string {
  return `${name}@${new Date(start).toISOString()}`;
}

/** A name may have any character, and the time has none like this. */
export function windowIn(key: string): string {
  return key.slice(0, key.lastIndexOf('@'));
}

export function startIn(key: string): number {
  return Date.parse(key.slice(key.lastIndexOf('@') + 1));
}
