import { formatDuration, parseDuration } from '../basics/duration';
import { InvalidOrderError } from '../basics/errors';
import type { OrderEvent, OverrideAsk } from './event';

const MAX_SECONDS = 86_400;
const MAX_TEXT = 200;
const KNOWN_KEYS = ['nodePool', 'atLeast', 'exactly', 'for', 'until', 'reason', 'by', 'release', 'status'];

type Raw = Readonly<Record<string, unknown>>;

/** A question is the one order that changes nothing. */
export function isStatusQuestion(raw: unknown): boolean {
  return typeof raw === 'object' && raw !== null && (raw as Raw).status === true;
}

/** Reads a manual invoke; an order that cannot be carried out says what to write instead. */
export function parseOrder(raw: unknown, receivedAt: number): OrderEvent {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw))
    throw new InvalidOrderError('order is not a JSON object');
  const order = raw as Raw;
  const unknown = Object.keys(order).filter((key) => !KNOWN_KEYS.includes(key));
  if (unknown.length > 0)
    throw new InvalidOrderError(`order has unknown keys ${unknown.join(', ')}; known are ${KNOWN_KEYS.join(', ')}`);
  const { nodePool } = order;
  return {
    kind: 'order',
    nodePool: typeof nodePool === 'string' && nodePool !== '' ? nodePool : undefined,
    ask: order.release === true ? releaseAsk(order) : overrideAsk(order, receivedAt),
  };
}

function releaseAsk({ atLeast, exactly }: Raw): OrderEvent['ask'] {
  if (atLeast !== undefined || exactly !== undefined)
    throw new InvalidOrderError('release does not go with atLeast or exactly; write one of them');
  return { kind: 'release' };
}

function overrideAsk(order: Raw, receivedAt: number): OverrideAsk {
  const { atLeast, exactly, reason, by } = order;
  if ((atLeast === undefined) === (exactly === undefined))
    throw new InvalidOrderError('order needs one of atLeast and exactly (or release: true)');
  const mode = atLeast === undefined ? 'exactly' : 'atLeast';
  const replicas = atLeast ?? exactly;
  if (typeof replicas !== 'number' || !Number.isInteger(replicas) || replicas < 0)
    throw new InvalidOrderError(`${mode} must be a whole number of 0 or more, got ${JSON.stringify(replicas)}`);
  return {
    kind: 'override',
    mode,
    replicas,
    until: untilOf(order, receivedAt),
    at: receivedAt,
    by: textOf(by, 'by', 'unknown'),
    reason: textOf(reason, 'reason', 'no reason given'),
  };
}

function untilOf({ for: length, until }: Raw, now: number): number {
  if ((length === undefined) === (until === undefined))
    throw new InvalidOrderError(
      'order needs an expiry: write for (such as "30m") or until (such as "2026-11-27T09:30:00Z")',
    );
  const end = length === undefined ? instantOf(until) : now + secondsOf(length) * 1_000;
  if (end <= now) throw new InvalidOrderError(`until ${JSON.stringify(until)} is not in the future`);
  if (end > now + MAX_SECONDS * 1_000)
    throw new InvalidOrderError(
      `an order lasts at most ${formatDuration(MAX_SECONDS)}, got ${JSON.stringify(length ?? until)}; what is permanent belongs in base`,
    );
  return end;
}

function secondsOf(value: unknown): number {
  const seconds = typeof value === 'string' ? parseDuration(value) : undefined;
  if (seconds === undefined || seconds === 0)
    throw new InvalidOrderError(`for must be a duration such as "30m", got ${JSON.stringify(value)}`);
  return seconds;
}

/** A time without a zone would mean another moment on another machine. */
function instantOf(value: unknown): number {
  const zoned = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T.*(Z|[+-]\d{2}:?\d{2})$/.test(value);
  const instant = zoned ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(instant))
    throw new InvalidOrderError(
      `until must be a time with its zone, such as "2026-11-27T09:30:00Z", got ${JSON.stringify(value)}`,
    );
  return instant;
}

function textOf(value: unknown, key: string, otherwise: string): string {
  if (value === undefined || value === '') return otherwise;
  if (typeof value !== 'string') throw new InvalidOrderError(`${key} must be text, got ${JSON.stringify(value)}`);
  return value.slice(0, MAX_TEXT);
}
