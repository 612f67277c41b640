import type { Config } from '../../../shared/core/config/config';
import { dollars, moneyText } from '../../../shared/drawing/amounts';
import { type Meter, roundedCost } from '../../simulator/run/meter';
import { type ClusterContent, clusterView } from '../snapshot/cluster-view';
import { totalOf } from '../snapshot/headroom-total';
import type { PoolHistories } from '../snapshot/pool-histories';
import type { ViewFacts } from '../snapshot/pool-view';
import { type CapacityContent, withWhy } from '../snapshot/shortage';
import type { ClockView, Moment, Snapshot } from '../snapshot/snapshot';

export interface SourceFacts extends Pick<Snapshot, 'decisions'>, Pick<ViewFacts, 'isFiring'> {
  readonly config: Config;
  readonly meter: Meter;
}

type Common = Pick<
  Snapshot,
  | 'clusterName'
  | 'clock'
  | 'pools'
  | 'headroom'
  | 'nodes'
  | 'pods'
  | 'hidden'
  | 'decisions'
  | 'cost'
  | 'month'
  | 'waiting'
>;

export function commonView(
  { config, decisions, isFiring, meter }: SourceFacts,
  histories: PoolHistories,
  content: Omit<ClusterContent, 'config' | 'now'> & CapacityContent,
  clock: Omit<ClockView, 'timeZone' | 'severalZones' | 'next'>,
): Common {
  const { now } = clock;
  const { hidden, ...view } = clusterView({ ...content, now, config });
  const cost = roundedCost(meter.cost(now));
  const pools = histories.views(now, { isFiring, costOf: costText(meter, config) });
  const next = pools
    .map(nextOf)
    .reduce((first, one) => (one && (!first || one.at < first.at) ? one : first), undefined);
  const month = histories.monthlyCost(now);
  return {
    clusterName: config.cluster.name,
    clock: { ...clock, ...zoneOf(config), ...(next && { next }) },
    pools: pools.map((pool) => withWhy(pool, config, content, now)),
    headroom: totalOf(pools),
    ...view,
    ...(hidden.nodes + hidden.pods > 0 && { hidden }),
    decisions,
    waiting: { with: meter.waitFigures(now) },
    cost,
    ...(month && { month: moneyText(month) }),
  };
}

/** Idle nodes belong to the NodePool: of several headrooms on it the first tells what they have cost. */
function costText(meter: Meter, { headrooms }: Config): NonNullable<ViewFacts['costOf']> {
  const first = new Map(headrooms.map(({ nodePool, name }) => [nodePool, name] as const).reverse());
  return ({ name, nodePool, twins = [] }) => {
    const cost = first.get(nodePool) === name ? meter.headroomCost([nodePool, ...twins]) : 0;
    return cost < 0.005 ? undefined : `${cost < 100 ? `$${cost.toFixed(2)}` : dollars(cost)} so far`;
  };
}

/** The page's time zone: that of the first window. */
function zoneOf({ headrooms }: Config): { timeZone?: string; severalZones?: true } {
  const zones = new Set(headrooms.flatMap(({ windows }) => windows.map(({ timezone }) => timezone)));
  const [first] = zones;
  return { ...(first !== undefined && { timeZone: first }), ...(zones.size > 1 && { severalZones: true }) };
}

function nextOf({ name, next }: Snapshot['pools'][number]): Moment | undefined {
  return next && { at: next.at, label: `${name}: ${next.edge}` };
}
