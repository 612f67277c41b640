import type { NodePoolConfig } from '../../shared/core/config/config';
import { count, dollars } from '../../shared/drawing/amounts';
import { nodesFor } from '../../shared/drawing/nodes-for';
import { readWholeNumber } from '../input/numbers';
import { readDuration } from '../input/time';
import { InputError } from '../terminal/exit';

/** The options of `inflate` that describe the override. */
export interface OverrideOptions {
  readonly nodes?: string;
  readonly slices?: string;
  readonly for?: string;
  readonly exactly?: boolean;
  readonly reason?: string;
  readonly by?: string;
}

export interface BuiltOverride {
  readonly replicas: number;
  readonly seconds: number;
  /** As the handler reads it. */
  readonly order: Readonly<Record<string, unknown>>;
}

/** The override that the options ask for; options that do not fit say what to write instead. */
export function buildOverride(options: OverrideOptions, pool: NodePoolConfig, user: string): BuiltOverride {
  const replicas = sizeOf(options, pool);
  if (options.for === undefined)
    throw new InputError('inflate needs an expiry; add --for with a duration of at most 24h, such as --for 30m');
  const order = {
    nodePool: pool.name,
    [options.exactly ? 'exactly' : 'atLeast']: replicas,
    for: options.for,
    ...(options.reason !== undefined && { reason: options.reason }),
    by: options.by ?? user,
  };
  return { replicas, seconds: readDuration(options.for, '--for'), order };
}

function sizeOf({ nodes, slices }: OverrideOptions, { name, unit }: NodePoolConfig): number {
  const [option, given, other] =
    unit.kind === 'node' ? ['--nodes', nodes, slices] : (['--slices', slices, nodes] as const);
  if (other !== undefined)
    throw new InputError(`the unit of ${name} is a ${unit.kind} (${requestsText(unit)}); use ${option} only`);
  if (given === undefined)
    throw new InputError(
      `inflate needs a size; add ${option}, such as ${option} 6 (one ${unit.kind}: ${requestsText(unit)})`,
    );
  return readWholeNumber(given, option);
}

function requestsText({ requests }: NodePoolConfig['unit']): string {
  return Object.entries(requests)
    .map(([resource, quantity]) => `${resource} ${quantity}`)
    .join(', ');
}

export interface Thresholds {
  readonly nodes: number;
  readonly dollarsPerHour: number;
}

/** What to confirm before a large override; `undefined` when it is small. */
export function largeOverride(
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
  const money = cost === undefined ? '' : ` (${dollars(cost)} per hour)`;
  const bound = tooMany ? `more than ${nodes}` : `more than ${dollars(dollarsPerHour)} per hour`;
  return `this asks for up to ${size}${money}, ${bound}`;
}
