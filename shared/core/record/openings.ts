import { LAST_TIME } from '../basics/record-limits';
import type { NodePoolConfig } from '../config/config';
import { endsOf, startsOf } from '../windows/edges';
import { leadingStart, openedAt } from '../windows/is-open';
import type { Window } from '../windows/window';
import { leadTimeOf } from './lead-time';
import { entryOf, type HeadroomRecord, type NodeCount, type OpeningRecord } from './record';

const MINUTE = 60_000;
/** A few heartbeats. */
const COUNTED_WITHIN = 5 * MINUTE;
/** More than clocks differ, and than a tick is believed ahead. */
const KEPT_FOR = 5 * MINUTE;
/** Two for each relative window that a NodePool may have: one that stands and one that is asked for. */
export const MAX_OPENINGS = 50;

/** One opening of a window. */
export interface Opening {
  readonly window: Window;
  readonly start: number;
  /** When it is first wanted: its start, less the lead time. */
  readonly askedAt: number;
}

/** When the openings of a NodePool's windows are asked for. */
export interface Asking {
  readonly leadMinutes: number;
  /** Openings that were asked for and stay so, whatever the lead time has become since: only a learned one changes by itself. */
  readonly asked?: HeadroomRecord['asked'] | undefined;
}

export function askingOf(pool: Pick<NodePoolConfig, 'leadMinutes' | 'autoLead'>, record: HeadroomRecord): Asking {
  return { leadMinutes: leadTimeOf(pool, record).minutes, ...(pool.autoLead && { asked: record.asked }) };
}

/** The opening that a window's nodes are wanted for: the one that stands, else the one whose lead time has begun. */
export function openingOf(window: Window, now: number, asking: Asking): Opening | undefined {
  return openingsOf(window, now, asking)[0];
}

function openingsOf(window: Window, now: number, asking: Asking): Opening[] {
  const { leadMinutes, asked = {} } = asking;
  const leading = leadingStart(window, now, leadMinutes) ?? askedStart(window, now, asking);
  return [openedAt(window, now), leading].flatMap((start) => {
    if (start === undefined) return [];
    // The heartbeat that notes a learned lead time comes a moment after it has begun.
    const notedAt = entryOf(asked, openingKey(window, start))?.at ?? start;
    return [{ window, start, askedAt: Math.min(notedAt, start - leadMinutes * MINUTE) }];
  });
}

/** The next start of a window, where it was asked for with a longer lead time. */
export function askedStart(window: Window, now: number, { asked }: Asking): number | undefined {
  if (!asked || !Object.keys(asked).some((key) => key.startsWith(`${window.name}@`))) return undefined;
  const start = startsOf(window).next(now);
  return start !== undefined && Object.hasOwn(asked, openingKey(window, start)) ? start : undefined;
}

/** The openings of all windows that are wanted now. */
export function wantedOpenings(record: HeadroomRecord, pool: NodePoolConfig, now: number): Opening[] {
  const asking = askingOf(pool, record);
  return pool.windows.flatMap((window) => openingsOf(window, now, asking));
}

/**
 * The nodes that an opening counts from: its own count, or the lowest count of what stood when it
 * was first wanted, so that windows never add up. `undefined` while nobody has counted.
 */
export function countOf(record: HeadroomRecord, opening: Opening): NodeCount | undefined {
  return entryOf(record.openings ?? {}, openingKey(opening.window, opening.start)) ?? inherited(record, opening);
}

function inherited({ openings = {}, override }: HeadroomRecord, { askedAt }: Opening): NodeCount | undefined {
  const counts = Object.values(openings).filter(({ until }) => until >= askedAt);
  const ordered = override?.counted && override.until >= askedAt ? [override.counted] : [];
  return [...counts, ...ordered].reduce<NodeCount | undefined>(
    (lowest, count) => (lowest && lowest.nodes <= count.nodes ? lowest : count),
    undefined,
  );
}

/** Whether somebody has to count the nodes before the size can be decided. */
export function isUncounted(record: HeadroomRecord, pool: NodePoolConfig, now: number): boolean {
  if (pool.unit.kind !== 'floor') return false;
  if (isUncountedOrder(record)) return true;
  return openingsIn(record, pool, now).some((opening) => countOf(record, opening) === undefined);
}

/** The windows of openings without a count that were first wanted so long ago that somebody must have counted once. */
export function overdueCounts(record: HeadroomRecord, pool: NodePoolConfig, now: number): readonly string[] {
  const overdue = openingsIn(record, pool, now).filter(({ askedAt }) => askedAt < now - COUNTED_WITHIN);
  return overdue.filter((opening) => countOf(record, opening) === undefined).map(({ window }) => window.name);
}

/** Counts for all that has no count yet; the first count stays, whoever comes later. */
export function withCount(record: HeadroomRecord, pool: NodePoolConfig, now: number, nodes: number): HeadroomRecord {
  const counted = { nodes, at: now };
  const { override } = record;
  const ordered = override && isUncountedOrder(record) ? { override: { ...override, counted } } : {};
  return { ...recordOpenings(record, pool, now, () => counted), ...ordered };
}

/** Every opening with its count, kept until its end; `count` counts for those that have none. */
export function recordOpenings(
  record: HeadroomRecord,
  pool: NodePoolConfig,
  now: number,
  count?: (window: Window) => NodeCount,
): HeadroomRecord {
  const openings: Record<string, OpeningRecord> = { ...record.openings };
  for (const opening of openingsIn(record, pool, now)) {
    const key = openingKey(opening.window, opening.start);
    const known = entryOf(openings, key);
    const counted = countOf(record, opening) ?? count?.(opening.window);
    // A deploy may have moved the end while the window stands.
    const until = Math.max(known?.until ?? 0, endsOf(opening.window).next(opening.start) ?? LAST_TIME);
    if (counted) openings[key] = { ...known, ...countIn(counted), until };
  }
  const { openings: _before, ...rest } = record;
  const live = standing(openings, now);
  return live.length === 0 ? rest : { ...rest, openings: Object.fromEntries(live) };
}

function isUncountedOrder({ override }: HeadroomRecord): boolean {
  return override?.mode === 'addNodes' && override.counted === undefined;
}

function countIn({ nodes, at, assumed }: NodeCount): NodeCount {
  return { nodes, at, ...(assumed && { assumed }) };
}

/** Not yet over, by any function's clock: one that is behind must not count again. The newest, should there be too many. */
function standing(openings: Readonly<Record<string, OpeningRecord>>, now: number): [string, OpeningRecord][] {
  const live = Object.entries(openings).filter(([, { until }]) => until + KEPT_FOR > now);
  return live.sort(([, a], [, b]) => b.at - a.at).slice(0, MAX_OPENINGS);
}

/** Those of the windows that add nodes. */
function openingsIn(record: HeadroomRecord, pool: NodePoolConfig, now: number): Opening[] {
  return wantedOpenings(record, { ...pool, windows: pool.windows.filter(({ relative }) => relative) }, now);
}

/** What an opening of a window is known by in the record: `lunch@2026-11-17T02:30:00.000Z`. */
export function openingKey({ name }: Window, start: number): string {
  return `${name}@${new Date(start).toISOString()}`;
}

/** A name may have any character, and the time has none like this. */
export function windowIn(key: string): string {
  return key.slice(0, key.lastIndexOf('@'));
}

export function startIn(key: string): number {
  return Date.parse(key.slice(key.lastIndexOf('@') + 1));
}
