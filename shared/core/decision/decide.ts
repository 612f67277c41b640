import { spanText } from '../basics/duration';
import { REASONS, SIZES } from '../basics/reasons';
import type { HeadroomConfig, Size } from '../config/config';
import { unitsText } from '../config/unit-text';
import { alarmParts } from '../occurrences/alarm-counts';
import { ENOUGH_NODES } from '../occurrences/lead-time';
import { occurrenceKey } from '../occurrences/occurrence-key';
import { countOf, type Occurrence, occurrenceOf, requestTimesOf, shareOf } from '../occurrences/occurrences';
import { boostsNow, countableNodes, surgesNow } from '../record/additions';
import { entryOf, type HeadroomRecord, isExactly, type NodeCount, type Override } from '../record/record';
import { endsOf } from '../windows/edges';
import type { Window } from '../windows/window';
import type { Held } from './held-size';

const MINUTE = 60_000;

/** How many replicas a headroom should have, and why. */
export interface Decision {
  readonly replicas: number;
  /** In the order in which they led to the size. Times are absolute, so that the text stays the same. */
  readonly reasons: readonly string[];
  /** The nodes to add to a count that does not exist yet. */
  readonly uncounted?: number;
  /** Shares of a workload's replicas that the size lacks until they are counted, in words. */
  readonly lacks?: readonly string[];
}

export interface Situation {
  readonly pool: HeadroomConfig;
  readonly record: HeadroomRecord;
  readonly now: number;
  readonly held?: Held | undefined;
  /** It lies ahead: the nodes will have been counted on time. */
  readonly ahead?: boolean | undefined;
}

interface Part {
  readonly replicas: number;
  readonly reason: string;
  /** The share that is missing in it, because its replicas are not counted yet. */
  readonly lacks?: string | undefined;
}

/** Nodes to add to a count: those of a relative window, or of an override or an alarm with `addNodes`. */
interface RelativePart extends Part {
  readonly counted?: NodeCount | undefined;
}

/** What an alarm adds; an alarm with `addNodes` adds it to counts only. */
interface Boost extends Part {
  readonly relative: boolean;
  /** As the part that the others are added to. */
  readonly alone: RelativePart;
}

/**
 * The rules of the size:
 * - max(base, open windows, `atLeast` override) + boosts + surges, between 0 and max;
 * - with a relative window or override: at least the count + (addNodes + what alarms add + surges, up to max);
 * - with a relative alarm: at least its count + (what alarms add + surges, up to max);
 * - an `exactly` override wins over everything but max;
 * - while something is unreadable the last decided size is held.
 */
export function decide(situation: Situation): Decision {
  const { pool, record, now } = situation;
  const { override } = record;
  const pinned = override && isExactly(record, now) && overrideSize(override, pool);
  if (pinned && !pinned.lacks)
    return capped([{ ...pinned, reason: REASONS.override(override, SIZES.exactly(pinned.text)) }], pool);
  const boosts = boostParts(situation);
  const [added, surges] = [boosts.filter(({ relative }) => !relative), surgeParts(pool, record, now)];
  const absolute = capped([...absoluteParts(situation), ...added, ...surges], pool);
  const onTopOf = (part: RelativePart) =>
    overCount(part, [...boosts.filter((boost) => boost.alone !== part), ...surges], pool);
  const relative = [...relativeParts(situation), ...alarmsAlone(boosts)].map(onTopOf);
  const highest = highestOf([absolute, ...relative]);
  const open = relative.reduce((most, one) => ((one.uncounted ?? 0) > (most.uncounted ?? 0) ? one : most), highest);
  return atLeastHeld(open.uncounted === undefined ? highest : withUncounted(highest, open), situation);
}

/** The size so far, and what will be added once the nodes are counted. */
function withUncounted(highest: Decision, { uncounted = 0, reasons }: Decision): Decision {
  const current = highest.replicas > 0 ? highest.reasons : [];
  return { replicas: highest.replicas, uncounted, reasons: [...new Set([...current, ...reasons])] };
}

/** A relative floor may exceed max, so its held size is not capped. */
function atLeastHeld(decision: Decision, { pool, held }: Situation): Decision {
  if (!held) return decision;
  const replicas = pool.unit.kind === 'floor' ? held.replicas : Math.min(held.replicas, pool.max);
  if (replicas <= decision.replicas) return decision;
  return { ...decision, replicas, reasons: [...decision.reasons, REASONS.held(replicas, held.because)] };
}

function capped(
  parts: readonly Part[],
  { max, shaped }: HeadroomConfig,
  limit: (max: number) => string = REASONS.limited,
): Decision {
  const wanted = parts.reduce((total, { replicas }) => total + replicas, 0);
  const reasons = parts.map(({ reason }) => reason);
  const shares = parts.flatMap(({ lacks = [] }) => lacks);
  const isOver = wanted > max;
  return {
    replicas: isOver ? max : wanted,
    reasons: isOver ? [...reasons, limit(shaped?.max ?? max)] : reasons,
    ...(shares.length > 0 && { lacks: shares }),
  };
}

/** `max` bounds what is added, not what was there. */
function overCount({ counted, ...part }: RelativePart, extra: readonly Part[], pool: HeadroomConfig): Decision {
  const { replicas, reasons } = addedTo(counted, [part, ...extra], pool);
  return counted ? { replicas: counted.nodes + replicas, reasons } : { replicas: 0, reasons, uncounted: replicas };
}

function addedTo(counted: NodeCount | undefined, parts: readonly Part[], pool: HeadroomConfig): Decision {
  const most = counted?.assumed === undefined ? pool.max : Math.max(0, counted.assumed - counted.nodes);
  if (most >= pool.max) return capped(parts, pool, REASONS.addsAtMost);
  return capped(parts, { ...pool, max: most }, REASONS.addsToAssumed);
}

/** The highest of base, windows and an `atLeast` override, and the shares among them that are not counted yet. */
function absoluteParts(situation: Situation): readonly Part[] {
  const { pool, record, now } = situation;
  const { shaped, liveBase } = pool;
  const base = shaped?.base ?? sizeOf({ replicas: pool.base }, pool);
  const parts: Part[] = [
    { ...base, reason: REASONS.base(base.text, liveBase) },
    ...windowParts(situation, ({ relative }) => !relative),
  ];
  const { override } = record;
  if (override && override.until > now && override.mode !== 'addNodes') {
    const size = overrideSize(override, pool);
    const relative = [...relativeParts(situation), ...alarmsAlone(boostParts(situation))];
    const others = [...parts, ...relative.map((part) => overCount(part, [], pool))];
    const from = Math.min(highestOf(others).replicas, size.replicas) * (shaped?.pods ?? 1);
    parts.push({ ...size, reason: REASONS.override(override, SIZES.raised(from, size.text)) });
  }
  const highest = highestOf(parts);
  return parts.filter((part) => part === highest || part.lacks);
}

/** Of equal ones the first. */
function highestOf<T extends { readonly replicas: number }>(all: readonly T[]): T {
  return all.reduce((best, one) => (one.replicas > best.replicas ? one : best));
}

function sizeOf(
  asked: { readonly replicas: number; readonly share?: number | undefined; readonly pods?: number | undefined },
  { shaped, unit }: HeadroomConfig,
  of?: { readonly replicas: number },
  countedAt?: number,
): Size {
  return shaped?.sizeOf(asked, of, countedAt) ?? { replicas: asked.replicas, text: unitsText(asked.replicas, unit) };
}

function overrideSize({ replicas, share, of }: Override, { shaped }: HeadroomConfig): Size {
  return shaped?.sizeOf({ share, pods: replicas }, of) ?? { replicas, text: String(replicas) };
}

function relativeParts(situation: Situation): RelativePart[] {
  const { pool, record, now } = situation;
  // A deploy may have turned a floor into room while an override is active.
  if (pool.unit.kind !== 'floor') return [];
  const parts = windowParts(situation, ({ relative }) => relative === true);
  const { override } = record;
  if (override?.mode !== 'addNodes' || override.until <= now) return parts;
  const { replicas, counted } = override;
  return [...parts, { replicas, counted, reason: REASONS.override(override, addedText(replicas, counted)) }];
}

/** The chosen windows that are open or requested. */
function windowParts({ pool, record, now, ahead }: Situation, chosen: (window: Window) => boolean): RelativePart[] {
  const times = requestTimesOf(pool, record);
  return pool.windows.filter(chosen).flatMap((window) => {
    const occurrence = occurrenceOf(window, now, times);
    if (!occurrence) return [];
    const { replicas, relative } = window;
    const { start, requestedAt } = occurrence;
    const counted = relative && countOf(record, pool, occurrence);
    const countedAt = ahead ? requestedAt : undefined;
    const sized = relative
      ? { replicas, text: addedText(replicas, counted, countedAt) }
      : sizeOf(window, pool, shareOf(record, occurrence), countedAt);
    const size = sized.text;
    const facts = { ...window, start, isOpen: start <= now, isKnownLate: occurrence.isKnownLate };
    const requested = requestedText(record, occurrence);
    const peak = window.live?.announced && { ...facts, live: window.live, end: endsOf(window).next(start) ?? start };
    const reason = peak ? REASONS.peak(peak, size, requested) : REASONS.window(facts, size, requested);
    return [{ ...sized, counted, reason }];
  });
}

function addedText(adds: number, counted: NodeCount | undefined, countedAt?: number): string {
  return counted ? SIZES.counted(counted, adds) : SIZES.uncounted(adds, countedAt);
}

/** When an occurrence was requested, and why then; empty if the lead time is configured. */
function requestedText({ requests = {} }: HeadroomRecord, { window, start }: Occurrence): string {
  const { at = 0, nodes, took } = entryOf(requests, occurrenceKey(window, start)) ?? {};
  if (nodes === undefined) return '';
  const before = Math.ceil((start - at) / MINUTE);
  const basis =
    took === undefined
      ? SIZES.startValue(nodes, ENOUGH_NODES)
      : SIZES.learned(nodes, took < before ? 'less' : `up to ${spanText(took)}`);
  return SIZES.requested(before, basis);
}

function boostParts({ pool, record, now }: Situation): Boost[] {
  const counts = new Map(alarmParts(record, pool, now).map(({ alarm, counted }) => [alarm, counted]));
  return boostsNow(pool, record, now).map(({ alarm, until }) => {
    const { name, alarmName, add, relative = false } = alarm;
    const counted = counts.get(alarm);
    const of = entryOf(record.alarms, alarmName)?.of;
    const { text = add, ...size } = pool.shaped?.sizeOf({ ...alarm, replicas: add }, of) ?? { replicas: add };
    const alone = { ...size, counted, reason: REASONS.alarm(name, addedText(add, counted), until) };
    return { ...size, relative, alone, reason: REASONS.alarm(name, `+${text}`, until) };
  });
}

function alarmsAlone(boosts: readonly Boost[]): RelativePart[] {
  return boosts.filter(({ relative }) => relative).map(({ alone }) => alone);
}

function surgeParts(pool: HeadroomConfig, record: HeadroomRecord, now: number): Part[] {
  const { surges, add } = surgesNow(pool, record, now);
  const { interruptions } = pool;
  if (!interruptions || add === 0) return [];
  const facts = {
    notices: surges.length,
    isFull: surges.length >= countableNodes(interruptions),
    causes: surges.map(({ cause }) => cause),
    add: pool.shaped?.sizeOf({ replicas: add }).text ?? add,
    isMost: add === interruptions.max,
    until: Math.max(...surges.map(({ until }) => until)),
  };
  // How many pause pods they are is not known without the workload's shape.
  return [{ replicas: pool.shaped?.pods === 0 ? 0 : add, reason: REASONS.surge(facts) }];
}
