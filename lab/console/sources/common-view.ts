import type { Config } from '../../../shared/core/config/config';
import { type ClusterContent, clusterView } from '../snapshot/cluster-view';
import type { PoolHistories } from '../snapshot/pool-histories';
import type { ViewFacts } from '../snapshot/pool-view';
import { type CapacityContent, withWhy } from '../snapshot/shortage';
import { type ClockView, earliest, type Moment, type Snapshot } from '../snapshot/snapshot';

export interface SourceFacts extends Pick<Snapshot, 'decisions'>, Pick<ViewFacts, 'isFiring'> {
  readonly config: Config;
  /** The next edge that a schedule fires. */
  readonly edge?: Moment | undefined;
}

type Common = Pick<Snapshot, 'clusterName' | 'clock' | 'pools' | 'nodes' | 'pods' | 'hidden' | 'decisions'>;

export function commonView(
  { config, decisions, isFiring, edge: scheduled }: SourceFacts,
  histories: PoolHistories,
  content: Omit<ClusterContent, 'config' | 'now'> & CapacityContent,
  clock: Omit<ClockView, 'timeZone' | 'severalZones' | 'next'>,
  priceOf: NonNullable<ViewFacts['priceOf']>,
): Common {
  const { now } = clock;
  const { hidden, ...view } = clusterView({ ...content, now, config });
  const pools = histories.views(now, { isFiring, priceOf });
  // A deployed window may be replaced by a live one, while its schedules still fire.
  const edge = config.cluster.liveSchedules ? undefined : scheduled;
  const next = earliest([edge, histories.nextEnd(now), ...pools.map(plannedMoment)]);
  return {
    clusterName: config.cluster.name,
    clock: { ...clock, ...zoneOf(config), ...(next && { next }) },
    pools: pools.map((pool) => withWhy(pool, config, content, now)),
    ...view,
    ...(hidden.nodes + hidden.pods > 0 && { hidden }),
    decisions,
  };
}

/** The page's time zone: that of the first window. */
function zoneOf({ headrooms }: Config): { timeZone?: string; severalZones?: true } {
  const zones = new Set(headrooms.flatMap(({ windows }) => windows.map(({ timezone }) => timezone)));
  const [first] = zones;
  return { ...(first !== undefined && { timeZone: first }), ...(zones.size > 1 && { severalZones: true }) };
}

/** Not every edge has a schedule; the heartbeat handles the others. */
function plannedMoment({ name, next }: Snapshot['pools'][number]) {
  return next && { at: next.at, label: `${name}: ${next.text}` };
}
