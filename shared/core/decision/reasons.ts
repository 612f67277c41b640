import { spanText, utcMinute } from '../basics/duration';
import { LIVE_SCHEDULES } from '../basics/names';
import { ENOUGH_NODES } from '../record/lead-time';
import type { NodeCount, Override } from '../record/record';
import type { LiveSource } from '../windows/window';

/**
 * Every sentence in which a decision gives its reasons; docs/reasons.md lists them (`npm run docs:reasons`). They are
 * stored, so their times are instants in UTC, which stay the same; what shows them writes them in the reader's zone.
 */
export const REASONS = {
  base: (size: string, live?: LiveSource) => `base${sourceText(live)}: ${size}`,
  window: ({ name, live, start, isOpen, isKnownLate }: WindowFacts, size: string, requested = '') =>
    `${name}${sourceText(live)} ${isOpen ? 'open since' : 'opens'} ${utcMinute(start)}${isKnownLate ? ', written too late for its lead time' : ''}: ${size}${requested}`,
  override: ({ by, until, reason }: Pick<Override, 'by' | 'until' | 'reason'>, size: string) =>
    `Override by ${by}: ${size} until ${utcMinute(until)} (${reason})`,
  alarm: (name: string, add: number, until: number) =>
    `alarm ${name}: +${add} ${until === Number.POSITIVE_INFINITY ? 'while in ALARM' : `until ${utcMinute(until)}`}`,
  surge: ({ notices, isFull, causes, add, isMost, until }: SurgeFacts) =>
    `${notices}${isFull ? ' or more' : ''} ${causeText(causes)} ${notices === 1 ? 'notice' : 'notices'}: +${add}${isMost ? ' (the maximum)' : ''} until ${utcMinute(until)}`,
  limited: (max: number) => `limited to max ${max}`,
  addsAtMost: (max: number) => `adds at most ${max} (max)`,
  held: (replicas: number, because = 'part of the record cannot be read') => `held at ${replicas}: ${because}`,
  scaledByHand: (replicas: number, by = 'hand') =>
    `scaled by ${by} to ${replicas}, undone: use inflate for an emergency`,
  liveRefused: (at: string, counting: string | undefined, problem: string) =>
    `live schedules of ${at} refused, ${countingText(counting)}: ${problem}`,
  liveGone: (since: string, counting: string | undefined) =>
    `ConfigMap ${LIVE_SCHEDULES} gone since ${since}, ${countingText(counting)} for two minutes`,
  liveUncounted: (problem: string) => `live schedules do not count: ${problem}`,
} as const;

/** The sizes and additions within these sentences. */
export const SIZES = {
  /** The first number is the size without the override. */
  raised: (from: number, to: number) => `${from} → ${to}`,
  exactly: (replicas: number) => `exactly ${replicas}`,
  counted: ({ nodes, assumed }: Pick<NodeCount, 'nodes' | 'assumed'>, adds: number) =>
    `${nodes} ${nodes === 1 ? 'node' : 'nodes'} + ${adds} = ${nodes + adds}${assumed ? `, with the ${nodes} that the last decided size allows for` : ''}`,
  uncounted: (adds: number) => `+${adds} ${adds === 1 ? 'node' : 'nodes'}; baseline not counted yet`,
  countedAt: (adds: number, at: number) =>
    `+${adds} ${adds === 1 ? 'node' : 'nodes'}; baseline counted at ${utcMinute(at)}`,
  requestedAtFirst: (minutes: number, nodes: number) =>
    `, requested ${aheadText(minutes)}: the start value, with ${nodes} of ${ENOUGH_NODES} nodes known`,
  requested: (minutes: number, nodes: number, took: number) =>
    `, requested ${aheadText(minutes)}: 95 % of ${nodes} nodes took ${took < minutes ? 'less' : `up to ${spanText(took)}`}`,
} as const;

export interface WindowFacts {
  readonly name: string;
  readonly live?: LiveSource | undefined;
  readonly start: number;
  readonly isOpen: boolean;
  /** It was written when its lead time had begun. */
  readonly isKnownLate?: boolean;
}

export interface SurgeFacts {
  readonly notices: number;
  /** Only as many are stored as can count, so there may be more. */
  readonly isFull: boolean;
  readonly causes: readonly string[];
  readonly add: number;
  /** `interruptions.max` is reached. */
  readonly isMost: boolean;
  readonly until: number;
}

/** Where something comes from that was not deployed. */
function sourceText(live: LiveSource | undefined): string {
  return live ? ` (live since ${utcMinute(live.since)} by ${live.by})` : '';
}

/** `capacityReservation` in words; notices of several causes are just interruptions. */
function causeText(causes: readonly string[]): string {
  const [cause = '', ...others] = new Set(causes);
  return others.length > 0 ? 'interruption' : cause.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function countingText(since: string | undefined): string {
  return since === undefined ? 'what is deployed counts' : `those of ${since} count`;
}

function aheadText(minutes: number): string {
  return minutes > 0 ? `${spanText(minutes)} ahead` : 'after its start';
}
