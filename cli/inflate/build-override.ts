import type { NodePoolConfig } from '../../shared/core/config/config';
import { count, dollars } from '../../shared/drawing/amounts';
import { nodesFor } from '../../shared/drawing/plan-model';
import { readWholeNumber } from '../input/numbers';
import { InputError } from '../terminal/exit';

/** What the user wrote behind `inflate POOL`. */
export interface InflateWords {
  readonly nodes?: string;
  readonly slices?: string;
  readonly for?: string;
  readonly exactly?: boolean;
  readonly reason?: string;
  readonly by?: string;
}

/** The order as the handler reads it; what cannot be meant says what to write instead. */
export function orderOf(
  words: InflateWords,
  pool: NodePoolConfig,
  user: string,
): { readonly replicas: number; readonly order: Readonly<Record<string, unknown>> } {
  const replicas = sizeOf(words, pool);
  if (words.for === undefined)
    throw new InputError(`inflate needs an end: add --for with how long, at most 24h, such as --for 30m`);
  const order = {
    nodePool: pool.name,
    [words.exactly ? 'exactly' : 'atLeast']: replicas,
    for: words.for,
    ...(words.reason !== undefined && { reason: words.reason }),
    by: words.by ?? user,
  };
  return { replicas, order };
}

function sizeOf({ nodes, slices }: InflateWords, { name, unit }: NodePoolConfig): number {
  const option = unit.kind === 'node' ? '--nodes' : '--slices';
  const requests = Object.entries(unit.requests).map(([resource, quantity]) => `${resource} ${quantity}`);
  const each = `${unit.kind === 'node' ? 'one pause pod per node' : 'packed slices'} of ${requests.join(', ')}`;
  const [given, other] = unit.kind === 'node' ? [nodes, slices] : [slices, nodes];
  if (other !== undefined && given === undefined)
    throw new InputError(
      `the headroom of ${name} is counted in ${unit.kind}s (${each}); write ${option} instead of ${unit.kind === 'node' ? '--slices' : '--nodes'}`,
    );
  if (other !== undefined)
    throw new InputError(`write ${option} alone; the headroom of ${name} is counted in ${unit.kind}s`);
  if (given === undefined)
    throw new InputError(`inflate needs a size: add ${option} with how many, such as ${option} 6 (${each})`);
  return readWholeNumber(given, option);
}

export interface Thresholds {
  readonly nodes: number;
  readonly dollarsPerHour: number;
}

/** What to ask before a large order; `undefined` when it is small enough to just do. */
export function largeOrder(
  replicas: number,
  pool: NodePoolConfig,
  { nodes, dollarsPerHour }: Thresholds,
): string | undefined {
  const many = nodesFor(pool)?.(replicas);
  const cost = many === undefined || pool.price === undefined ? undefined : many * pool.price;
  const size = many === undefined ? count(replicas, 'slice') : count(many, 'node');
  const tooMany = (many ?? replicas) > nodes;
  const tooDear = cost !== undefined && cost > dollarsPerHour;
  if (!tooMany && !tooDear) return undefined;
  const money = cost === undefined ? '' : ` (${dollars(cost)} an hour)`;
  const bound = tooMany ? `more than ${nodes}` : `more than ${dollars(dollarsPerHour)} an hour`;
  return `that is up to ${size}${money}, ${bound}`;
}
