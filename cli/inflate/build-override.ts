import { MAX_SHARE } from '../../shared/core/basics/record-limits';
import { shareIn } from '../../shared/core/basics/share';
import type { HeadroomConfig, LikeWorkload } from '../../shared/core/config/config';
import { sizeText, unitNoun } from '../../shared/core/config/unit-text';
import { nodesFor } from '../../shared/core/karpenter/nodes-for';
import type { Override } from '../../shared/core/record/record';
import { count, dollars } from '../../shared/drawing/amounts';
import { overrideSize } from '../../shared/drawing/size-text';
import { collectErrors } from '../input/collect-errors';
import type { Commands } from '../input/commands';
import { readWholeNumber } from '../input/numbers';
import { readDuration } from '../input/time';
import { InputError } from '../terminal/exit';

const MAX_SECONDS = 86_400;

export interface OverrideOptions {
  readonly nodes?: string;
  readonly slices?: string;
  readonly pods?: string;
  readonly share?: string;
  readonly more?: string;
  readonly for?: string;
  readonly exactly?: boolean;
  readonly reason?: string;
  readonly by?: string;
}

/** The requested size; with `addNodes`, before the existing nodes are counted. */
export type RequestedSize = Pick<Override, 'mode' | 'replicas' | 'share'>;

/** The override that the options describe; throws if they do not fit the NodePool. */
export function buildOverride(
  options: OverrideOptions,
  pool: HeadroomConfig,
  { user, commands }: { readonly user: string; readonly commands: Commands },
) {
  const [requested, seconds] = collectErrors(
    () => withinBounds(requestedSize(options, pool), pool, commands),
    () => secondsOf(options.for),
  );
  // As the handler expects it.
  const request = {
    headroom: pool.name,
    [requested.mode]: requested.share === undefined ? requested.replicas : `${requested.share}%`,
    for: options.for,
    ...(options.reason !== undefined && { reason: options.reason }),
    by: options.by ?? user,
  };
  return { requested, seconds, request };
}

function secondsOf(length: string | undefined): number {
  if (length === undefined)
    throw new InputError('inflate needs an expiry; add --for with a duration of at most 24h, such as --for 30m');
  const seconds = readDuration(length, '--for');
  if (seconds <= MAX_SECONDS) return seconds;
  throw new InputError(`--for is ${JSON.stringify(length)}; write at most 24h, or put permanent headroom in base`);
}

/** Rejects what the function would refuse or what would change nothing, before asking for confirmation. */
function withinBounds(requested: RequestedSize, pool: HeadroomConfig, { headstart, deploy }: Commands): RequestedSize {
  const { mode, replicas, share } = requested;
  if (share !== undefined) return requested;
  const option = optionOf(requested, pool);
  if (replicas > pool.max)
    throw new InputError(
      `${option} ${replicas} is above the max of ${pool.name}; use ${option} ${pool.max}, or raise max in the config and run ${deploy()}`,
    );
  if (mode === 'atLeast' && replicas === 0)
    throw new InputError(
      `${option} 0 asks for at least 0, which changes nothing; add --exactly to hold none, or end an override with ${headstart('release', pool.name)}`,
    );
  return requested;
}

export function optionOf(
  { mode, share }: Pick<RequestedSize, 'mode' | 'share'>,
  { unit, like }: HeadroomConfig,
): string {
  if (like) return share === undefined ? '--pods' : '--share';
  return mode === 'addNodes' ? '--more' : `--${unitNoun(unit)}s`;
}

function requestedSize(options: OverrideOptions, pool: HeadroomConfig): RequestedSize {
  if (pool.like) return sizeInPods(options, pool.like);
  const { nodes, slices, more, exactly } = options;
  for (const option of ['pods', 'share'] as const)
    if (options[option] !== undefined)
      throw new InputError(
        `--${option} needs a unit that names a workload, and ${pool.name} has none; use ${optionOf({ mode: 'atLeast' }, pool)}`,
      );
  const { name, unit } = pool;
  const what = `the unit of ${name} is a ${unit.kind} (${sizeText(pool)})`;
  const option = `--${unitNoun(unit)}s`;
  const [given, other] = unit.kind === 'slice' ? [slices, nodes] : [nodes, slices];
  if (unit.kind !== 'floor' && more !== undefined)
    throw new InputError(
      `--more adds to the nodes that exist, which only a floor counts; ${what}, so use ${option} with the size that you want in all`,
    );
  if (other !== undefined)
    throw new InputError(`${what}; use ${unit.kind === 'floor' ? '--more or --nodes' : `${option} only`}`);
  if (more !== undefined) {
    if (given !== undefined) throw new InputError('--more and --nodes exclude each other; --nodes counts all nodes');
    if (exactly) throw new InputError('--exactly pins the size in all; use it with --nodes instead of --more');
    return { mode: 'addNodes', replicas: readWholeNumber(more, '--more', { min: 1 }) };
  }
  if (given === undefined) throw new InputError(`inflate needs a size; ${sizeHint(pool, option)}`);
  return { mode: exactly ? 'exactly' : 'atLeast', replicas: readWholeNumber(given, option) };
}

function sizeInPods(options: OverrideOptions, { namespace, name }: LikeWorkload): RequestedSize {
  const { pods, share, exactly } = options;
  const mode = exactly ? 'exactly' : 'atLeast';
  const what = `the unit is a pod of ${namespace}/${name}`;
  if (options.nodes !== undefined || options.slices !== undefined || options.more !== undefined)
    throw new InputError(`${what}; use --pods or --share`);
  if ((pods === undefined) === (share === undefined))
    throw new InputError(`${what}; add either --pods, such as --pods 20, or --share, such as --share 50%`);
  if (pods !== undefined) return { mode, replicas: readWholeNumber(pods, '--pods') };
  const percent = shareIn(share);
  if (percent === undefined)
    throw new InputError(
      `--share is ${JSON.stringify(share)}; write a share from 1% to ${MAX_SHARE}%, such as --share 50%`,
    );
  return { mode, replicas: 0, share: percent };
}

function sizeHint(pool: HeadroomConfig, option: string): string {
  return pool.unit.kind === 'floor'
    ? 'add --more, such as --more 6 (6 more nodes than there are), or --nodes 6 (6 nodes in all)'
    : `add ${option}, such as ${option} 6 (one ${pool.unit.kind}: ${sizeText(pool)})`;
}

/** More than this is confirmed. */
const [LARGE_NODES, LARGE_DOLLARS_PER_HOUR] = [20, 20];

/** The text to confirm a large override, given the number of existing nodes; `undefined` if it is small. */
export function largeOverride(
  requested: RequestedSize,
  pool: HeadroomConfig,
): ((there: number | undefined) => string) | undefined {
  const many = nodesFor(pool)?.(requested.replicas);
  const cost = many === undefined || pool.price === undefined ? undefined : many * pool.price;
  const tooMany = (many ?? requested.replicas) > LARGE_NODES;
  const tooDear = cost !== undefined && cost > LARGE_DOLLARS_PER_HOUR;
  if (!tooMany && !tooDear) return undefined;
  const money = cost === undefined ? '' : ` (${dollars(cost)} per hour)`;
  const bound = tooMany ? `more than ${LARGE_NODES}` : `more than ${dollars(LARGE_DOLLARS_PER_HOUR)} per hour`;
  const size = (there: number | undefined) =>
    pool.like ? count(requested.replicas, 'pod') : sizeInWords(requested, many, there);
  return (there) => `this asks for up to ${size(there)}${money}, ${bound}`;
}

/** `25 nodes`, `25 slices`, `10 nodes + 25 = 35`. */
function sizeInWords({ mode, replicas }: RequestedSize, nodes: number | undefined, there: number | undefined): string {
  if (nodes === undefined) return count(replicas, 'slice');
  if (mode !== 'addNodes') return count(nodes, 'node');
  return overrideSize({ mode, replicas, ...(there !== undefined && { counted: { nodes: there, at: 0 } }) });
}
