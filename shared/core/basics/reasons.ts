import { count } from './count';
import { spanText, utcMinute } from './duration';
import { EVENT_PREFIX, LIVE_SCHEDULES } from './names';

/**
 * Every sentence in which a decision gives its reasons; docs/reasons.md lists them (`npm run docs -- reasons`). They are
 * stored, so their times are instants in UTC, which stay the same; what shows them writes them in the reader's zone.
 */
export const REASONS = {
  base: (size: string, live?: Source) => `base${sourceText(live)}: ${size}`,
  window: ({ name, live, start, isOpen, isKnownLate }: WindowFacts, size: string, requested = '') =>
    `${name}${sourceText(live)} ${isOpen ? 'open since' : 'opens'} ${utcMinute(start)}${isKnownLate ? ', written too late for its lead time' : ''}: ${size}${requested}`,
  peak: ({ name, live, start, end, isKnownLate }: PeakFacts, size: string, requested = '') =>
    `${peakName(name)}: ${size} from ${utcMinute(start)} to ${utcMinute(end)} (announced ${utcMinute(live.since)} by ${live.by}${isKnownLate ? ', too late for its lead time' : ''})${requested}`,
  override: ({ by, until, reason }: OverrideFacts, size: string) =>
    `Override by ${by}: ${size} until ${utcMinute(until)} (${reason})`,
  alarm: (name: string, size: string, until: number) =>
    `alarm ${name}: ${size} ${until === Number.POSITIVE_INFINITY ? 'while in ALARM' : `until ${utcMinute(until)}`}`,
  surge: ({ notices, isFull, causes, add, isMost, until }: SurgeFacts) =>
    `${notices}${isFull ? ' or more' : ''} ${causeText(causes)} ${notices === 1 ? 'notice' : 'notices'}: +${add}${isMost ? ' (the maximum)' : ''} until ${utcMinute(until)}`,
  limited: (max: number) => `limited to max ${max}`,
  addsAtMost: (max: number) => `adds at most ${max} (max)`,
  addsToAssumed: (most: number) => `adds at most ${most}, because the count is not certain`,
  held: (replicas: number, because = 'part of the record cannot be read') => `held at ${replicas}: ${because}`,
  scaledByHand: (replicas: number, by = 'hand') =>
    `scaled by ${by} to ${replicas}, undone: use inflate for an emergency`,
  liveRefused: (at: string, counting: string | undefined, problem: string) =>
    `live schedules of ${at} refused, ${countingText(counting)}: ${problem}`,
  liveUnread: (since: string, counting: string | undefined, problem: string) =>
    `live schedules not read since ${since}, ${countingText(counting)}: ${problem}`,
  liveBroken: (broken: string) => `part of the annotation headstart.dev/live cannot be read: ${broken}`,
  liveGone: (since: string, counting: string | undefined) =>
    `ConfigMap ${LIVE_SCHEDULES} gone since ${since}, ${countingText(counting)} for two minutes`,
  liveUncounted: (problem: string) => `live schedules do not count: ${problem}`,
} as const;

/** The sizes and additions within these sentences. */
export const SIZES = {
  /** The first number is the size without the override. */
  raised: (from: number, to: string) => `${from} → ${to}`,
  exactly: (size: string) => `exactly ${size}`,
  counted: ({ nodes, assumed }: { readonly nodes: number; readonly assumed?: number }, adds: number) =>
    `${count(nodes, 'node')} + ${adds} = ${nodes + adds}${assumed !== undefined ? `, with the ${nodes} that the last decided size allows for` : ''}`,
  uncounted: (adds: number, at?: number) =>
    `+${count(adds, 'node')}; baseline ${at === undefined ? 'not counted yet' : `counted at ${utcMinute(at)}`}`,
  requested: (minutes: number, basis: string) =>
    `, requested ${minutes > 0 ? `${spanText(minutes)} ahead` : 'after its start'}: ${basis}`,
  startValue: (nodes: number, enough: number) => `the start value, with ${nodes} of ${enough} nodes known`,
  learned: (nodes: number, took: string) => `95 % of the last ${nodes} nodes took ${took}`,
} as const;

interface Source {
  readonly since: number;
  readonly by: string;
}

interface OverrideFacts {
  readonly by: string;
  readonly until: number;
  readonly reason: string;
}

interface WindowFacts {
  readonly name: string;
  readonly live?: Source | undefined;
  readonly start: number;
  readonly isOpen: boolean;
  /** It was written when its lead time had begun. */
  readonly isKnownLate?: boolean;
}

/** An announced peak. */
interface PeakFacts extends Omit<WindowFacts, 'isOpen'> {
  readonly live: Source;
  readonly end: number;
}

interface SurgeFacts {
  readonly notices: number;
  /** Only as many are stored as can count, so there may be more. */
  readonly isFull: boolean;
  readonly causes: readonly string[];
  readonly add: number | string;
  /** `interruptions.max` is reached. */
  readonly isMost: boolean;
  readonly until: number;
}

/** The event and the key, if it has one. */
function peakName(window: string): string {
  return window.slice(EVENT_PREFIX.length).replace(/ \*$/, '');
}

/** Where something comes from that was not deployed. */
function sourceText(live: Source | undefined): string {
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
