import { formatDuration, parseDuration } from '../basics/duration';
import { InvalidOverrideError } from '../basics/errors';
import { MAX_OVERRIDE_TEXT } from '../basics/record-limits';
import { believedTime } from './believed-time';
import type { OverrideEvent, OverrideRequest, ReleaseRequest } from './event';
import { show } from './fields';

const MAX_SECONDS = 86_400;
const MODES = ['atLeast', 'exactly', 'addNodes'] as const;
const OTHER_KEYS = ['nodePool', 'for', 'until', 'at', 'reason', 'by', 'release', 'status'];
/** Enough to see the mistake, however large the order is. */
const MAX_KEYS_SHOWN = 5;

type Raw = Readonly<Record<string, unknown>>;

/** A question is the one order that changes nothing. */
export function isStatusQuestion(raw: unknown): boolean {
  return typeof raw === 'object' && raw !== null && (raw as Raw).status === true;
}

/** Whether a person asks which config is deployed. */
export function isConfigQuestion(raw: unknown): boolean {
  return typeof raw === 'object' && raw !== null && (raw as Raw).config === true;
}

/** Reads a manual invoke; an order that cannot be carried out says what to write instead. */
export function parseOverride(raw: unknown, receivedAt: number): OverrideEvent {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw))
    throw new InvalidOverrideError('order is not a JSON object');
  const order = raw as Raw;
  const known: readonly string[] = [...MODES, ...OTHER_KEYS];
  const unknown = Object.keys(order).filter((key) => !known.includes(key));
  if (unknown.length > 0)
    throw new InvalidOverrideError(`order has unknown keys ${shownKeys(unknown)}; known are ${known.join(', ')}`);
  const { nodePool } = order;
  const at = overrideTime(order, receivedAt);
  return {
    kind: 'order',
    nodePool: typeof nodePool === 'string' && nodePool !== '' ? nodePool : undefined,
    ask: order.release === true ? releaseRequest(order, at) : overrideRequest(order, at, receivedAt),
  };
}

function shownKeys(keys: readonly string[]): string {
  const shown = keys.slice(0, MAX_KEYS_SHOWN).map((key) => key.slice(0, 40));
  const more = keys.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** An order's own time, so that one that is delivered twice or late counts once and as of when it was given. */
function overrideTime({ at }: Raw, receivedAt: number): number {
  return at === undefined ? receivedAt : believedTime(instantOf(at, 'at'), receivedAt);
}

function releaseRequest(order: Raw, at: number): ReleaseRequest {
  const { by, reason } = order;
  if (MODES.some((mode) => order[mode] !== undefined))
    throw new InvalidOverrideError('release does not go with atLeast, exactly or addNodes; write one of them');
  return { kind: 'release', at, by: textOf(by, 'by', 'unknown'), reason: textOf(reason, 'reason', 'no reason given') };
}

function overrideRequest(order: Raw, at: number, receivedAt: number): OverrideRequest {
  const { reason, by } = order;
  const [mode, ...others] = MODES.filter((one) => order[one] !== undefined);
  if (!mode || others.length > 0)
    throw new InvalidOverrideError('order needs one of atLeast, exactly and addNodes (or release: true)');
  const replicas = order[mode];
  if (typeof replicas !== 'number' || !Number.isInteger(replicas) || replicas < 0)
    throw new InvalidOverrideError(`${mode} must be a whole number of 0 or more, got ${show(replicas)}`);
  return {
    kind: 'override',
    mode,
    replicas,
    until: untilOf(order, at, receivedAt),
    at,
    by: textOf(by, 'by', 'unknown'),
    reason: textOf(reason, 'reason', 'no reason given'),
  };
}

function untilOf({ for: length, until }: Raw, at: number, now: number): number {
  if ((length === undefined) === (until === undefined))
    throw new InvalidOverrideError(
      'order needs an expiry: write for (such as "30m") or until (such as "2026-11-27T09:30:00Z")',
    );
  const end = length === undefined ? instantOf(until, 'until') : at + secondsOf(length) * 1_000;
  if (end <= now)
    throw new InvalidOverrideError(
      `the order is over already: until ${show(until ?? new Date(end).toISOString())} is not in the future`,
    );
  if (end > at + MAX_SECONDS * 1_000)
    throw new InvalidOverrideError(
      `an order lasts at most ${formatDuration(MAX_SECONDS)}, got ${show(length ?? until)}; what is permanent belongs in base`,
    );
  return end;
}

function secondsOf(value: unknown): number {
  const seconds = typeof value === 'string' ? parseDuration(value) : undefined;
  if (seconds === undefined || seconds === 0)
    throw new InvalidOverrideError(`for must be a duration such as "30m", got ${show(value)}`);
  return seconds;
}

/** A time without a zone would mean another moment on another machine. */
function instantOf(value: unknown, key: string): number {
  const zoned = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T.*(Z|[+-]\d{2}:?\d{2})$/.test(value);
  const instant = zoned ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(instant))
    throw new InvalidOverrideError(
      `${key} must be a time with its zone, such as "2026-11-27T09:30:00Z", got ${show(value)}`,
    );
  return instant;
}

function textOf(value: unknown, key: string, otherwise: string): string {
  if (value === undefined || value === '') return otherwise;
  if (typeof value !== 'string') throw new InvalidOverrideError(`${key} must be text, got ${show(value)}`);
  return value.slice(0, MAX_OVERRIDE_TEXT);
}
