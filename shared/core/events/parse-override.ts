import { formatDuration, parseDuration } from '../basics/duration';
import { InvalidOverrideError } from '../basics/errors';
import { MAX_OVERRIDE_TEXT } from '../basics/record-limits';
import { shareIn } from '../basics/share';
import { believedTime } from './believed-time';
import type { OverrideEvent, OverrideRequest, ReleaseRequest } from './event';
import { isNoDay, quote, zonedTime } from './event-fields';

const MAX_SECONDS = 86_400;
const MODES = ['atLeast', 'exactly', 'addNodes'] as const;
const OTHER_KEYS = ['headroom', 'for', 'until', 'at', 'reason', 'by', 'release', 'status'];
/** Enough to see the mistake, and bounded. */
const MAX_KEYS_LISTED = 5;

type Raw = Readonly<Record<string, unknown>>;

export function isStatusQuestion(raw: unknown): boolean {
  return typeof raw === 'object' && raw !== null && (raw as Raw).status === true;
}

export function isConfigQuestion(raw: unknown): boolean {
  return typeof raw === 'object' && raw !== null && (raw as Raw).config === true;
}

/** Parses a manual invoke; the error of an invalid one says what to write instead. */
export function parseOverride(raw: unknown, receivedAt: number): OverrideEvent {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw))
    throw new InvalidOverrideError('override is not a JSON object');
  const request = raw as Raw;
  const known: readonly string[] = [...MODES, ...OTHER_KEYS];
  const unknown = Object.keys(request).filter((key) => !known.includes(key));
  if (unknown.length > 0)
    throw new InvalidOverrideError(`override has unknown keys ${keyList(unknown)}; known are ${known.join(', ')}`);
  const { headroom } = request;
  const at = overrideTime(request, receivedAt);
  return {
    kind: 'override',
    headroom: typeof headroom === 'string' && headroom !== '' ? headroom : undefined,
    ask: request.release === true ? releaseRequest(request, at) : overrideRequest(request, at, receivedAt),
  };
}

function keyList(keys: readonly string[]): string {
  const listed = keys.slice(0, MAX_KEYS_LISTED).map((key) => key.slice(0, 40));
  const more = keys.length - listed.length;
  return `${listed.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** The override's own time, so that a repeated or late delivery counts once and as of when it was sent. */
function overrideTime({ at }: Raw, receivedAt: number): number {
  return at === undefined ? receivedAt : believedTime(instantOf(at, 'at'), receivedAt);
}

function releaseRequest(request: Raw, at: number): ReleaseRequest {
  const { by, reason } = request;
  if (MODES.some((mode) => request[mode] !== undefined))
    throw new InvalidOverrideError('release does not go with atLeast, exactly or addNodes; write one of them');
  return { kind: 'release', at, by: textOf(by, 'by', 'unknown'), reason: textOf(reason, 'reason', 'no reason given') };
}

function overrideRequest(request: Raw, at: number, receivedAt: number): OverrideRequest {
  const { reason, by } = request;
  const [mode, ...others] = MODES.filter((one) => request[one] !== undefined);
  if (!mode || others.length > 0)
    throw new InvalidOverrideError('override needs one of atLeast, exactly and addNodes (or release: true)');
  const size = request[mode];
  const share = mode === 'addNodes' ? undefined : shareIn(size);
  const replicas = share === undefined ? size : 0;
  if (typeof replicas !== 'number' || !Number.isInteger(replicas) || replicas < 0)
    throw new InvalidOverrideError(`${mode} must be a whole number of 0 or more, got ${quote(replicas)}`);
  return {
    kind: 'override',
    mode,
    replicas,
    ...(share !== undefined && { share }),
    until: untilOf(request, at, receivedAt),
    at,
    by: textOf(by, 'by', 'unknown'),
    reason: textOf(reason, 'reason', 'no reason given'),
  };
}

function untilOf({ for: length, until }: Raw, at: number, now: number): number {
  if ((length === undefined) === (until === undefined))
    throw new InvalidOverrideError(
      'override needs an expiry: write for (such as "30m") or until (such as "2026-11-27T09:30:00Z")',
    );
  const end = length === undefined ? instantOf(until, 'until') : at + secondsOf(length) * 1_000;
  if (end <= now)
    throw new InvalidOverrideError(
      `the override is over already: until ${quote(until ?? new Date(end).toISOString())} is not in the future`,
    );
  if (end > at + MAX_SECONDS * 1_000)
    throw new InvalidOverrideError(
      `an override lasts at most ${formatDuration(MAX_SECONDS)}, got ${quote(length ?? until)}; what is permanent belongs in base`,
    );
  return end;
}

function secondsOf(value: unknown): number {
  const seconds = typeof value === 'string' ? parseDuration(value) : undefined;
  if (seconds === undefined || seconds === 0)
    throw new InvalidOverrideError(`for must be a duration such as "30m", got ${quote(value)}`);
  return seconds;
}

function instantOf(value: unknown, key: string): number {
  const instant = zonedTime(value);
  if (isNoDay(value)) throw new InvalidOverrideError(`${key} must be a day of the calendar, got ${quote(value)}`);
  if (instant === undefined)
    throw new InvalidOverrideError(
      `${key} must be a time with its zone, such as "2026-11-27T09:30:00Z", got ${quote(value)}`,
    );
  return instant;
}

function textOf(value: unknown, key: string, otherwise: string): string {
  if (value === undefined || value === '') return otherwise;
  if (typeof value !== 'string') throw new InvalidOverrideError(`${key} must be text, got ${quote(value)}`);
  return value.slice(0, MAX_OVERRIDE_TEXT);
}
