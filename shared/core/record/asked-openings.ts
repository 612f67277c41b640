import { MAX_ASKED, MAX_BEGUN } from '../basics/record-limits';
import type { NodePoolConfig } from '../config/config';
import { openedAt } from '../windows/is-open';
import type { Window } from '../windows/window';
import { leadTimeOf } from './lead-time';
import { countOf, type Opening, openingKey, startIn, wantedOpenings, windowIn } from './openings';
import { type AskedRecord, entryOf, type HeadroomRecord } from './record';

const MINUTE = 60_000;
/** Openings that are found later than this were not there before: a deploy brought them. */
const FOUND_WITHIN = 10 * MINUTE;
/** A window that this config does not name may be that of a newer one: in a deploy old and new functions run side by side. */
const UNNAMED_FOR = 60 * MINUTE;

/** An opening that was asked for, with what is known of it. */
export interface AskedOpening extends AskedRecord {
  readonly window: string;
  readonly start: number;
}

/** Notes every opening that is asked for from now on, and what its lead time followed; the first note stays. */
export function recordAsked(record: HeadroomRecord, pool: NodePoolConfig, now: number): HeadroomRecord {
  const { nodes, took } = leadTimeOf(pool, record);
  const basis = { ...(nodes !== undefined && { nodes }), ...(took !== undefined && { took }) };
  const asked: Record<string, AskedRecord> = { ...record.asked };
  for (const opening of wantedOpenings(record, pool, now)) {
    const key = openingKey(opening.window, opening.start);
    const isNew = !Object.hasOwn(asked, key) && opening.start > now - FOUND_WITHIN;
    if (isNew && opens(opening)) asked[key] = { at: now, ...basis };
  }
  const { asked: _before, ...rest } = record;
  const kept = worthKeeping(asked, pool.windows, now);
  return kept.length === 0 ? rest : { ...rest, asked: Object.fromEntries(kept) };
}

/** A start while the window is open opens nothing. */
function opens({ window, start }: Pick<Opening, 'window' | 'start'>): boolean {
  return openedAt(window, start) === start;
}

/** The last ones that have begun, and the next ones that are to come. */
function worthKeeping(
  asked: Readonly<Record<string, AskedRecord>>,
  windows: readonly Window[],
  now: number,
): [string, AskedRecord][] {
  const known = Object.entries(asked).filter(([key]) => isNamed(key, windows) || startIn(key) > now - UNNAMED_FOR);
  const inOrder = known.sort(([a], [b]) => startIn(a) - startIn(b));
  const coming = inOrder.filter(([key]) => startIn(key) > now);
  const begun = inOrder.filter(([key, one]) => startIn(key) <= now && isToldOf(key, one, windows));
  return [...begun.slice(-MAX_BEGUN), ...coming].slice(0, MAX_ASKED);
}

function isNamed(key: string, windows: readonly Window[]): boolean {
  return windows.some(({ name }) => name === windowIn(key));
}

/** A deploy may have taken an opening back before it was seen to be ready or late. */
function isToldOf(key: string, { ready, why }: AskedRecord, windows: readonly Window[]): boolean {
  if (ready !== undefined || why !== undefined) return true;
  return windows.some((window) => window.name === windowIn(key) && opens({ window, start: startIn(key) }));
}

/** What was asked for and is an opening of these windows, the newest first. */
export function askedOpenings(
  { asked = {} }: Pick<HeadroomRecord, 'asked'>,
  windows: readonly Window[],
): readonly AskedOpening[] {
  const named = Object.entries(asked).filter(([key]) => isNamed(key, windows));
  const told = named.filter(([key, one]) => isToldOf(key, one, windows));
  const all = told.map(([key, one]) => ({ ...one, window: windowIn(key), start: startIn(key) }));
  return all.sort((a, b) => b.start - a.start || (a.window < b.window ? -1 : 1));
}

/** An opening whose nodes have not been seen to be ready. */
export interface Unready {
  readonly opening: Opening;
  /** How many replicas the window itself asks for. */
  readonly wanted: number;
  readonly asked: AskedRecord;
}

/** The openings that are asked for and were never seen to be ready. */
export function unreadyOpenings(record: HeadroomRecord, pool: NodePoolConfig, now: number): readonly Unready[] {
  if (!record.asked) return [];
  const { asked: known } = record;
  return wantedOpenings(record, pool, now).flatMap((opening) => {
    const asked = entryOf(known, openingKey(opening.window, opening.start));
    const wanted = sizeOf(opening, record, pool);
    return asked && asked.ready === undefined && wanted !== undefined ? [{ opening, wanted, asked }] : [];
  });
}

/** Without boosts and surges; `undefined` while the nodes that it adds to are not counted. */
function sizeOf(opening: Opening, record: HeadroomRecord, { max }: NodePoolConfig): number | undefined {
  const { replicas, relative } = opening.window;
  if (!relative) return Math.min(replicas, max);
  const counted = countOf(record, opening);
  return counted && counted.nodes + Math.min(replicas, max);
}

/** Whether an opening had its nodes in time. Nobody looks more often than the heartbeat, so that a minute is no delay. */
export type Verdict =
  | { readonly kind: 'coming' | 'never' }
  /** So long before its start, or after it. */
  | { readonly kind: 'ready' | 'late' | 'lateSoFar'; readonly ms: number };

export function verdictOf({ window, start, ready }: AskedOpening, windows: readonly Window[], now: number): Verdict {
  if (ready !== undefined) {
    const late = ready - start;
    return late < MINUTE ? { kind: 'ready', ms: Math.max(0, -late) } : { kind: 'late', ms: late };
  }
  if (start > now) return { kind: 'coming' };
  const isOpen = windows.some((one) => one.name === window && openedAt(one, now) === start);
  return isOpen ? { kind: 'lateSoFar', ms: now - start } : { kind: 'never' };
}
