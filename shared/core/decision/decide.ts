import type { AlarmConfig, NodePoolConfig } from '../config/config';
import { countableNodes } from '../record/merge-intent';
import { countOf, type Occurrence, occurrenceOf, type RequestTimes, requestTimesOf } from '../record/occurrences';
import { type AlarmRecord, entryOf, type HeadroomRecord, type NodeCount, type Override } from '../record/record';
import { isKnownLate } from '../record/requested-occurrences';
import type { LiveSource, Window } from '../windows/window';
import { announcedText } from './announced-text';
import { localClock, requestedText, utcClock } from './requested-text';

/** How many replicas a headroom should have, and why. */
export interface Decision {
  readonly replicas: number;
  /** In the order in which they led to the size. Times are absolute, so that the text stays the same. */
  readonly reasons: readonly string[];
  /** The nodes to add to a count that does not exist yet. */
  readonly uncounted?: number;
}

export interface Situation {
  readonly pool: NodePoolConfig;
  readonly record: HeadroomRecord;
  readonly now: number;
  /** The last decided size, held while something cannot be read. */
  readonly held?: number | undefined;
  /** Why the size is held, if not because of the record. */
  readonly heldBecause?: string | undefined;
}

interface Part {
  readonly replicas: number;
  readonly reason: string;
}

/** Nodes to add to a count: those of a relative window, or of an override with `addNodes`. */
interface RelativePart extends Part {
  readonly counted?: NodeCount | undefined;
}

/**
 * The rules of the size:
 * - max(base, open windows, `atLeast` override) + boosts + surges, between 0 and max;
 * - with a relative window or override: at least the count + (addNodes + boosts + surges, up to max);
 * - an `exactly` override wins over everything but max;
 * - while something is unreadable the last decided size is held.
 */
export function decide(situation: Situation): Decision {
  const { pool, record, now } = situation;
  if (isExactly(record, now)) return capped(overridePart(record, now), pool);
  const extra = [...boostParts(pool, record, now), ...surgeParts(pool, record, now)];
  const absolute = capped([highestPart(pool, record, now), ...extra], pool);
  const relative = relativeParts(pool, record, now).map((part) => overCount(part, extra, pool));
  const highest = [absolute, ...relative].reduce((best, one) => (one.replicas > best.replicas ? one : best));
  const open = relative.reduce((most, one) => ((one.uncounted ?? 0) > (most.uncounted ?? 0) ? one : most), highest);
  return atLeastHeld(open.uncounted === undefined ? highest : withUncounted(highest, open), situation);
}

/** The size so far, and what will be added once the nodes are counted. */
function withUncounted(highest: Decision, { uncounted = 0, reasons }: Decision): Decision {
  const current = highest.replicas > 0 ? highest.reasons : [];
  return { replicas: highest.replicas, uncounted, reasons: [...new Set([...current, ...reasons])] };
}

/** A relative floor may exceed max, so its held size is not capped. */
function atLeastHeld(decision: Decision, { pool, held = 0, heldBecause }: Situation): Decision {
  const replicas = pool.unit.kind === 'floor' ? held : Math.min(held, pool.max);
  if (replicas <= decision.replicas) return decision;
  const because = heldBecause ?? 'part of the record cannot be read';
  return { ...decision, replicas, reasons: [...decision.reasons, `held at ${replicas}: ${because}`] };
}

function capped(parts: readonly Part[], { max }: NodePoolConfig): Decision {
  const wanted = sum(parts);
  const reasons = parts.map(({ reason }) => reason);
  return wanted > max
    ? { replicas: max, reasons: [...reasons, `capped by max ${max}`] }
    : { replicas: wanted, reasons };
}

/** `max` bounds what is added, not what was there. */
function overCount({ counted, ...part }: RelativePart, extra: readonly Part[], pool: NodePoolConfig): Decision {
  const { replicas, reasons } = capped([part, ...extra], pool);
  return counted ? { replicas: counted.nodes + replicas, reasons } : { replicas: 0, reasons, uncounted: replicas };
}

function highestPart(pool: NodePoolConfig, record: HeadroomRecord, now: number): Part {
  const times = requestTimesOf(pool, record);
  const candidates = [
    { replicas: pool.base, reason: `base${sourceText(pool.liveBase)}: ${pool.base}` },
    ...pool.windows.flatMap((window) => windowPart(window, record, now, times)),
    ...(record.override?.mode === 'addNodes' ? [] : overridePart(record, now)),
  ];
  return candidates.reduce((best, part) => (part.replicas > best.replicas ? part : best));
}

function windowPart(window: Window, record: HeadroomRecord, now: number, times: RequestTimes): Part[] {
  const occurrence = window.relative ? undefined : occurrenceOf(window, now, times);
  if (!occurrence) return [];
  const { replicas } = window;
  return [{ replicas, reason: windowText(occurrence, record, now, String(replicas)) }];
}

function windowText(occurrence: Occurrence, record: HeadroomRecord, now: number, size: string): string {
  const asked = requestedText(record, occurrence);
  if (occurrence.window.live?.announced) return `${announcedText(occurrence, size)}${asked}`;
  return `${occurrenceText(occurrence, now)}: ${size}${asked}`;
}

function relativeParts(pool: NodePoolConfig, record: HeadroomRecord, now: number): RelativePart[] {
  // A deploy may have turned a floor into room while an override is active.
  if (pool.unit.kind !== 'floor') return [];
  const windows = pool.windows.filter(({ relative }) => relative);
  const times = requestTimesOf(pool, record);
  const parts = windows.flatMap((window): RelativePart[] => {
    const occurrence = occurrenceOf(window, now, times);
    if (!occurrence) return [];
    const { replicas, timezone } = window;
    const counted = countOf(record, occurrence);
    const text = relativeText(replicas, counted, (instant) => localClock(timezone, instant));
    return [{ replicas, counted, reason: windowText(occurrence, record, now, text) }];
  });
  const { override } = record;
  if (override?.mode !== 'addNodes' || override.until <= now) return parts;
  const { replicas, counted } = override;
  return [...parts, { replicas, counted, reason: overrideText(override) }];
}

function occurrenceText(occurrence: Occurrence, now: number): string {
  const { window, start } = occurrence;
  const opening = `${start > now ? 'opens' : 'open since'} ${localClock(window.timezone, start)}`;
  const late = isKnownLate(occurrence) ? ', written too late for its lead time' : '';
  return `${window.name}${sourceText(window.live)} ${opening}${late}`;
}

/** Where something comes from that was not deployed. */
function sourceText(live: LiveSource | undefined): string {
  return live ? ` (live since ${utcClock(live.since)} by ${live.by})` : '';
}

function relativeText(adds: number, counted: NodeCount | undefined, clock: (instant: number) => string): string {
  if (!counted) return `${adds} more nodes than there are, not counted yet`;
  const { nodes, at, assumed } = counted;
  const when = assumed ? 'that the last decided size allows for' : `at ${clock(at)}`;
  return `${adds} more than the ${nodes} ${nodes === 1 ? 'node' : 'nodes'} ${when}: ${nodes + adds}`;
}

export function isExactly({ override }: HeadroomRecord, now: number): boolean {
  return override?.mode === 'exactly' && override.until > now;
}

function overridePart({ override }: HeadroomRecord, now: number): Part[] {
  if (!override || override.until <= now) return [];
  return [{ replicas: override.replicas, reason: overrideText(override) }];
}

const MODES = { exactly: 'pinned to exactly', atLeast: 'inflated to at least' };

function overrideText({ mode, replicas, counted, by, reason, until }: Override): string {
  const size =
    mode === 'addNodes' ? `inflated by ${relativeText(replicas, counted, utcClock)},` : `${MODES[mode]} ${replicas}`;
  return `${size} by ${by} until ${utcClock(until)}: ${reason}`;
}

function sum(parts: readonly Part[]): number {
  return parts.reduce((total, { replicas }) => total + replicas, 0);
}

function boostParts({ alarms }: NodePoolConfig, record: HeadroomRecord, now: number): Part[] {
  return alarms.flatMap((alarm) => {
    const known = entryOf(record.alarms, alarm.alarmName);
    const until = known && boostUntil(alarm, known);
    if (until === undefined || until <= now) return [];
    const how = until === Number.POSITIVE_INFINITY ? 'while in ALARM' : `until ${utcClock(until)}`;
    return [{ replicas: alarm.add, reason: `alarm ${alarm.name}: +${alarm.add} ${how}` }];
  });
}

/** No end while in ALARM; afterwards the hold counts from the moment at which the alarm left ALARM. */
export function boostUntil(alarm: AlarmConfig, known: AlarmRecord): number | undefined {
  if (known.state === 'ALARM') return Number.POSITIVE_INFINITY;
  return known.ended === undefined ? undefined : known.ended + alarm.holdSeconds * 1_000;
}

function surgeParts({ interruptions }: NodePoolConfig, record: HeadroomRecord, now: number): Part[] {
  if (!interruptions) return [];
  const live = Object.values(record.surges).filter(({ until }) => until > now);
  const replicas = Math.min(live.length * interruptions.surge, interruptions.max);
  if (replicas === 0) return [];
  const last = Math.max(...live.map(({ until }) => until));
  const nodes = nodesText(live.length, live.length >= countableNodes(interruptions));
  return [{ replicas, reason: `interruption surge for ${nodes}: +${replicas} until ${utcClock(last)}` }];
}

/** Only as many nodes are stored as can count, so there may be more. */
function nodesText(stored: number, full: boolean): string {
  if (full) return `${stored} or more nodes`;
  return stored === 1 ? '1 node' : `${stored} nodes`;
}
