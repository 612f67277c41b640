import type { HeadroomConfig } from '../core/config/config';
import { parseQuantity } from '../core/config/schema/quantity';
import type { Size } from './figures';
import { between, firstFrom, type PodWait, type Span } from './history';

/** Preemption alone takes a few seconds in a large burst; a pod that waits longer had no room. */
export const STILL_WAITED_SECONDS = 10;

/** Both ends of a wait are whole seconds, so that less than one may look like 1. */
export interface Waits {
  readonly pods: number;
  readonly underASecondAtLeast: number;
  /** Seconds: nine of ten waited at most so long, and the longest. Absent without pods. */
  readonly p90?: number;
  readonly longest?: number;
  readonly stillWaited: readonly StillWaited[];
  /** The highest size that would have been enough, where it was not, the headroom has the NodePool for itself, and requests are known. */
  readonly enough?: Enough;
}

/** The pods of a workload that waited longer than preemption takes. */
export interface StillWaited extends Span {
  /** `shop/checkout` */
  readonly workload: string;
  readonly pods: number;
  readonly longest: number;
}

export interface Enough {
  readonly at: number;
  readonly size: number;
  readonly instead: number;
  /** Pods that request more than a unit, which no size helps. */
  readonly larger: number;
}

/** What pods waited that were created within these times, and what would have been enough for them. */
export function waitsIn(
  waits: readonly PodWait[],
  spans: readonly Span[],
  {
    pool,
    sizes,
  }:
    | { readonly pool: HeadroomConfig; readonly sizes: readonly Size[] }
    | { readonly pool?: never; readonly sizes?: never },
): Waits {
  const pods = spans.flatMap((span) => between(waits, span, ({ at }) => at));
  const seconds = pods.map((one) => one.seconds).sort((a, b) => a - b);
  const slow = pods.filter((one) => one.seconds > STILL_WAITED_SECONDS);
  const enough = pool && enoughFor(slow, pool, sizes);
  return {
    pods: pods.length,
    underASecondAtLeast: seconds.filter((one) => one <= 0).length,
    ...(seconds.length > 0 && { p90: seconds[Math.ceil(seconds.length * 0.9) - 1] ?? 0, longest: seconds.at(-1) ?? 0 }),
    stillWaited: byWorkload(slow),
    ...(enough && { enough }),
  };
}

function byWorkload(pods: readonly PodWait[]): readonly StillWaited[] {
  const found = new Map<string, StillWaited>();
  for (const { at, seconds, workload = 'unknown' } of pods) {
    const { pods = 0, longest = 0, from = at, to = at } = found.get(workload) ?? {};
    const times = { from: Math.min(from, at), to: Math.max(to, at) };
    found.set(workload, { workload, pods: pods + 1, longest: Math.max(longest, seconds), ...times });
  }
  return [...found.values()].sort((a, b) => b.pods - a.pods || (a.workload < b.workload ? -1 : 1));
}

/**
 * While a pod waits for a node, so much more headroom would have had room for it; its node, when it comes, would have held
 * the pause pods again. The most at one moment is therefore enough, if nodes start as they did.
 */
function enoughFor(pods: readonly PodWait[], pool: HeadroomConfig, sizes: readonly Size[]): Enough | undefined {
  const shareOf = shareOfUnit(pool);
  if (!shareOf || pods.some(({ cpu, memory }) => cpu === undefined && memory === undefined)) return undefined;
  let most: Enough | undefined;
  let pending: PodWait[] = [];
  const larger = pods.filter((pod) => pool.unit.kind !== 'slice' && shareOf(pod) > 1).length;
  const inOrder = pods.filter((pod) => pool.unit.kind === 'slice' || shareOf(pod) <= 1).sort((a, b) => a.at - b.at);
  for (const pod of inOrder) {
    pending = [...pending.filter(({ at, seconds }) => at + seconds * 1_000 > pod.at), pod];
    const instead = sizeAt(sizes, pod.at);
    const size = instead + (pool.unit.kind === 'slice' ? slicesFor : nodesFor)(pending.map(shareOf));
    if (!most || size > most.size) most = { at: pod.at, size, instead, larger };
  }
  const [first] = pods;
  return most ?? (first && { at: first.at, size: sizeAt(sizes, first.at), instead: sizeAt(sizes, first.at), larger });
}

/** How much of a unit a pod takes: of the room on a node, or of the node of a floor. */
function shareOfUnit({ unit, minNode }: HeadroomConfig): ((pod: PodWait) => number) | undefined {
  const isFloor = unit.kind === 'floor';
  const cpu = isFloor ? minNode?.cpu : parseQuantity(unit.requests.cpu ?? '');
  const memory = isFloor
    ? minNode?.memoryMiB && minNode.memoryMiB * 2 ** 20
    : parseQuantity(unit.requests.memory ?? '');
  if (!cpu && !memory) return undefined;
  return (pod) => Math.max(cpu ? (pod.cpu ?? 0) / cpu : 0, memory ? (pod.memory ?? 0) / memory : 0);
}

function slicesFor(shares: readonly number[]): number {
  return shares.reduce((sum, share) => sum + Math.max(1, Math.ceil(share - 1e-9)), 0);
}

/** First fit, the largest first. */
function nodesFor(shares: readonly number[]): number {
  const nodes: number[] = [];
  for (const share of [...shares].sort((a, b) => b - a)) {
    const index = nodes.findIndex((used) => used + share <= 1 + 1e-9);
    if (index < 0) nodes.push(share);
    else nodes[index] = (nodes[index] ?? 0) + share;
  }
  return nodes.length;
}

function sizeAt(sizes: readonly Size[], at: number): number {
  const size = sizes[firstFrom(sizes, at + 1, ({ to }) => to)];
  return size && size.from <= at ? size.most : 0;
}
