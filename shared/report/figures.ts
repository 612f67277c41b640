import type { HeadroomConfig } from '../core/config/config';
import { nodesFor } from '../core/karpenter/nodes-for';
import { exact, type Money } from '../pricing/money';
import type { NodePrice } from '../pricing/node-price';
import { between, firstFrom, type NodesWithWork, type Period, type Span } from './history';
import type { Take } from './takes';

const [MINUTE, HOUR] = [60_000, 3_600_000];

/** A stretch of time, and the nodes in it that were there before the headroom. */
export interface Stretch extends Span {
  readonly existing?: number | undefined;
}

/** A stretch of time in which the headroom had at most this size. */
export interface Size extends Span {
  readonly most: number;
}

export interface Known {
  readonly pool: HeadroomConfig;
  readonly price?: NodePrice | undefined;
  readonly sizes: readonly Size[];
  readonly takes?: readonly Take[] | undefined;
  /** Of a floor. */
  readonly work?: readonly NodesWithWork[] | undefined;
}

/** What was held and taken in some time; the names say which bound each figure is. */
export interface Figures {
  readonly replicaHoursAtMost: number;
  /** Absent for slices without minNode. */
  readonly nodeHoursAtMost?: number;
  readonly costAtMost?: Money;
  /** How many units work took, and how many pods took them; absent for floors. */
  readonly takenAtLeast?: number;
  readonly podsAtLeast?: number;
  /** Of a floor's nodes, beyond those that were there before it: the hours in which they ran work, and how many at once. */
  readonly workedNodeHours?: number;
  readonly mostNodesWithWork?: number;
}

/** A size stands until the next reconcile, whose value may be in the next period. */
export function sizesOf(periods: readonly Period[]): readonly Size[] {
  const sizes: { from: number; to: number; most: number }[] = [];
  for (const [index, { at, ms, desired }] of periods.entries()) {
    const most = Math.max(desired.max, periods[index - 1]?.desired.max ?? 0);
    const last = sizes.at(-1);
    if (last?.to === at && last.most === most) last.to = at + ms;
    else sizes.push({ from: at, to: at + ms, most });
  }
  return sizes;
}

/** Stretches that do not overlap. What was taken counts only where it lies within one of them. */
export function figuresIn(stretches: readonly Stretch[], { pool, price, sizes, takes, work }: Known): Figures {
  const nodes = nodesFor(pool);
  const parts = stretches.flatMap((stretch) => partsOf(stretch, sizes));
  const hours = (value: (replicas: number) => number) =>
    exact(parts.reduce((sum, { ms, replicas }) => sum + (ms / HOUR) * value(replicas), 0));
  const cost = (end: 'low' | 'high') => hours((replicas) => price?.hourly(replicas)[end] ?? 0);
  const within =
    takes &&
    stretches.flatMap((stretch) => between(takes, stretch, ({ from }) => from).filter(({ to }) => to <= stretch.to));
  return {
    replicaHoursAtMost: hours((replicas) => replicas),
    ...(nodes && { nodeHoursAtMost: hours(nodes) }),
    ...(price && { costAtMost: { ...price.perHour, low: cost('low'), high: cost('high') } }),
    ...(within && {
      takenAtLeast: within.reduce((sum, { units }) => sum + units, 0),
      podsAtLeast: within.reduce((sum, { pods }) => sum + pods, 0),
    }),
    ...(work && workIn(stretches, work)),
  };
}

/** Nothing is known of a time in which Prometheus has seen no pod of the floor. */
function workIn(stretches: readonly Stretch[], work: readonly NodesWithWork[]): Partial<Figures> {
  const nodes = stretches.flatMap(({ existing = 0, ...span }) =>
    between(work, span, ({ at }) => at).map((one) => Math.max(0, one.nodes - existing)),
  );
  if (nodes.length === 0) return {};
  const sum = nodes.reduce((total, one) => total + one, 0);
  return { workedNodeHours: exact((sum * MINUTE) / HOUR), mostNodesWithWork: Math.max(...nodes) };
}

function partsOf({ from, to, existing = 0 }: Stretch, sizes: readonly Size[]) {
  const [first, end] = [firstFrom(sizes, from + 1, (size) => size.to), firstFrom(sizes, to, (size) => size.from)];
  return sizes.slice(first, end).map((size) => ({
    ms: Math.min(to, size.to) - Math.max(from, size.from),
    replicas: Math.max(0, size.most - existing),
  }));
}
