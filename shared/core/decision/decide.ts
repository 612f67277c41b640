import type { AlarmConfig, NodePoolConfig } from '../config/config';
import { countableNodes } from '../record/merge-intent';
import { type AlarmRecord, entryOf, type HeadroomRecord } from '../record/record';
import { leadingStart, openedAt } from '../windows/is-open';
import type { Window } from '../windows/window';
import { toLocal } from '../windows/zone';

/** How many replicas a headroom should have, and why. */
export interface Decision {
  readonly replicas: number;
  /** In the order in which they led to the size; times are absolute, so that the text is stable. */
  readonly reasons: readonly string[];
}

export interface Situation {
  readonly pool: NodePoolConfig;
  readonly record: HeadroomRecord;
  readonly now: number;
  /** The last decided size, held while part of the record cannot be read. */
  readonly held?: number | undefined;
}

interface Part {
  readonly replicas: number;
  readonly reason: string;
}

/**
 * All policy of the size:
 * - max(base, open windows, `atLeast` override) + boosts + surges, between 0 and max;
 * - an `exactly` override wins over all but max;
 * - while part of the record is unreadable the last decided size is held, up to max.
 */
export function decide(situation: Situation): Decision {
  const { pool, record, now } = situation;
  const pinned = isExactly(record, now);
  const parts = pinned ? overridePart(record, now) : addedUp(pool, record, now);
  const wanted = parts.reduce((sum, { replicas }) => sum + replicas, 0);
  const reasons = parts.map(({ reason }) => reason);
  const capped = Math.min(wanted, pool.max);
  if (wanted > pool.max) reasons.push(`capped by max ${pool.max}`);
  const held = pinned ? 0 : Math.min(situation.held ?? 0, pool.max);
  if (held > capped) reasons.push(`held at ${held}: part of the record cannot be read`);
  return { replicas: Math.max(capped, held), reasons };
}

function addedUp(pool: NodePoolConfig, record: HeadroomRecord, now: number): Part[] {
  const candidates = [
    { replicas: pool.base, reason: `base: ${pool.base}` },
    ...pool.windows.flatMap((window) => windowPart(window, now, pool.leadMinutes)),
    ...overridePart(record, now),
  ];
  const highest = candidates.reduce((best, part) => (part.replicas > best.replicas ? part : best));
  return [highest, ...boostParts(pool, record, now), ...surgeParts(pool, record, now)];
}

function windowPart(window: Window, now: number, leadMinutes: number): Part[] {
  const { name, replicas, timezone } = window;
  const opened = openedAt(window, now);
  if (opened !== undefined)
    return [{ replicas, reason: `${name} open since ${localClock(timezone, opened)}: ${replicas}` }];
  const start = leadingStart(window, now, leadMinutes);
  return start === undefined ? [] : [{ replicas, reason: `${name} opens ${localClock(timezone, start)}: ${replicas}` }];
}

function isExactly({ override }: HeadroomRecord, now: number): boolean {
  return override?.mode === 'exactly' && override.until > now;
}

function overridePart({ override }: HeadroomRecord, now: number): Part[] {
  if (!override || override.until <= now) return [];
  const { mode, replicas, by, reason, until } = override;
  const order = mode === 'exactly' ? 'pinned to exactly' : 'inflated to at least';
  return [{ replicas, reason: `${order} ${replicas} by ${by} until ${utcClock(until)}: ${reason}` }];
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

/** While in ALARM there is no end; after it the hold counts from the moment at which it left ALARM. */
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
  return [{ replicas, reason: `surge for ${nodes} being taken away: +${replicas} until ${utcClock(last)}` }];
}

/** Only as many nodes are stored as can count, so that more of them may be on their way out. */
function nodesText(stored: number, full: boolean): string {
  if (full) return `${stored} or more nodes`;
  return stored === 1 ? '1 node' : `${stored} nodes`;
}

function localClock(timezone: string, instant: number): string {
  return new Date(toLocal(timezone, instant)).toISOString().slice(11, 16);
}

function utcClock(instant: number): string {
  return `${new Date(instant).toISOString().slice(0, 16)}Z`;
}
