import { InvalidOrderError } from '../basics/errors';
import type { Config, NodePoolConfig } from '../config/config';
import { formatDuration, parseDuration } from '../config/duration';
import type { Intent } from '../record/intent';

const MAX_SECONDS = 86_400;
const MAX_TEXT = 200;
const EXAMPLE = '{"nodePool": "default", "atLeast": 6, "for": "30m", "reason": "flash sale", "by": "ana"}';
const KNOWN_KEYS = ['nodePool', 'atLeast', 'exactly', 'for', 'until', 'reason', 'by', 'release', 'status'];

/** What a person asks of the inflate function. */
export type Order =
  | { readonly kind: 'status' }
  | { readonly kind: 'change'; readonly nodePools: readonly string[]; readonly intents: readonly Intent[] };

/** Reads a manual invoke; an order that cannot be carried out says what to write instead. */
export function parseOrder(raw: unknown, config: Config, now: number): Order {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) throw wrong('order is not a JSON object');
  const order = raw as Record<string, unknown>;
  const unknown = Object.keys(order).filter((key) => !KNOWN_KEYS.includes(key));
  if (unknown.length > 0)
    throw wrong(`order has unknown keys ${unknown.join(', ')}; known are ${KNOWN_KEYS.join(', ')}`);
  if (order.status === true) return { kind: 'status' };
  const pools = poolsOf(order, config);
  const nodePools = pools.map(({ name }) => name);
  if (order.release === true && (order.atLeast !== undefined || order.exactly !== undefined))
    throw wrong('release does not go with atLeast or exactly; write one of them');
  if (order.release === true)
    return { kind: 'change', nodePools, intents: nodePools.map((nodePool) => ({ kind: 'release', nodePool })) };
  return { kind: 'change', nodePools, intents: pools.map((pool) => overrideIntent(order, pool, now)) };
}

function poolsOf({ nodePool, atLeast }: Record<string, unknown>, { nodePools }: Config): readonly NodePoolConfig[] {
  const names = nodePools.map(({ name }) => name).join(', ');
  if (typeof nodePool !== 'string' || nodePool === '') throw wrong(`order names no nodePool; write one of ${names}`);
  if (nodePool === '*') {
    if (atLeast !== undefined)
      throw wrong('nodePool "*" goes with exactly or release only; write one nodePool for atLeast');
    return nodePools;
  }
  const pool = nodePools.find(({ name }) => name === nodePool);
  if (!pool) throw wrong(`nodePool ${JSON.stringify(nodePool)} is not in the config; write one of ${names}`);
  return [pool];
}

function overrideIntent(order: Record<string, unknown>, pool: NodePoolConfig, now: number): Intent {
  const { atLeast, exactly, reason, by } = order;
  if ((atLeast === undefined) === (exactly === undefined))
    throw wrong('order needs one of atLeast and exactly (or release: true)');
  const mode = atLeast === undefined ? 'exactly' : 'atLeast';
  const replicas = atLeast ?? exactly;
  if (typeof replicas !== 'number' || !Number.isInteger(replicas) || replicas < 0)
    throw wrong(`${mode} must be a whole number of 0 or more, got ${JSON.stringify(replicas)}`);
  if (replicas > pool.max)
    throw wrong(
      `${mode} ${replicas} is above max ${pool.max} of ${pool.name}; write at most ${pool.max}, or raise max in the config and deploy`,
    );
  const until = untilOf(order, now);
  const override = {
    mode,
    replicas,
    until,
    at: now,
    by: textOf(by, 'by', 'unknown'),
    reason: textOf(reason, 'reason', 'no reason given'),
  } as const;
  return { kind: 'override', nodePool: pool.name, override };
}

function untilOf({ for: length, until }: Record<string, unknown>, now: number): number {
  if ((length === undefined) === (until === undefined))
    throw wrong('order needs an expiry: write for (such as "30m") or until (such as "2026-11-27T09:30:00Z")');
  const end = length === undefined ? instantOf(until) : now + secondsOf(length) * 1_000;
  if (end <= now) throw wrong(`until ${JSON.stringify(until)} is not in the future`);
  if (end > now + MAX_SECONDS * 1_000)
    throw wrong(
      `an order lasts at most ${formatDuration(MAX_SECONDS)}, got ${JSON.stringify(length ?? until)}; what is permanent belongs in base`,
    );
  return end;
}

function secondsOf(value: unknown): number {
  const seconds = typeof value === 'string' ? parseDuration(value) : undefined;
  if (seconds === undefined || seconds === 0)
    throw wrong(`for must be a duration such as "30m", got ${JSON.stringify(value)}`);
  return seconds;
}

/** A time without a zone would mean another moment on another machine. */
function instantOf(value: unknown): number {
  const zoned = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T.*(Z|[+-]\d{2}:?\d{2})$/.test(value);
  const instant = zoned ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(instant))
    throw wrong(`until must be a time with its zone, such as "2026-11-27T09:30:00Z", got ${JSON.stringify(value)}`);
  return instant;
}

function textOf(value: unknown, key: string, otherwise: string): string {
  if (value === undefined || value === '') return otherwise;
  if (typeof value !== 'string') throw wrong(`${key} must be text, got ${JSON.stringify(value)}`);
  return value.slice(0, MAX_TEXT);
}

function wrong(message: string): InvalidOrderError {
  return new InvalidOrderError(`${message}; for example ${EXAMPLE}`);
}
