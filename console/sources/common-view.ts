import { floorUses, nodeUses } from '../../shared/core/karpenter/nodes-in-use';
import type { HandlerHost } from '../../simulator/run/handler-host';
import { type ClusterContent, clusterView } from '../snapshot/cluster-view';
import type { PoolHistories } from '../snapshot/pool-histories';
import type { ClockView, Snapshot } from '../snapshot/snapshot';
import { zoneOf } from '../snapshot/zone-of';

type Common = Pick<Snapshot, 'clusterName' | 'clock' | 'pools' | 'nodes' | 'pods' | 'hidden' | 'decisions'>;

/** What the page shows of a simulation and of a real cluster alike. */
export function commonView(
  host: HandlerHost,
  histories: PoolHistories,
  content: Omit<ClusterContent, 'config' | 'now'>,
  clock: Omit<ClockView, 'timeZone' | 'nextEdge'>,
): Common {
  const { config, bus, alarms, decisions } = host;
  const { now } = clock;
  if (config.nodePools.some(({ unit }) => unit.kind === 'floor')) {
    const uses = content.morePods ? undefined : floorUses(content.pods.flatMap(nodeUses));
    histories.observeUses((pool) => uses && (uses.get(pool)?.inUse ?? 0), now);
  }
  const { hidden, ...view } = clusterView({ ...content, now, config });
  return {
    clusterName: config.cluster.name,
    clock: { ...clock, ...zoneOf(config), ...(bus.nextEdge && { nextEdge: bus.nextEdge }) },
    pools: histories.views(now, (alarmName) => alarms.isFiring(alarmName)),
    ...view,
    ...(hidden.nodes + hidden.pods > 0 && { hidden }),
    decisions: decisions.recent,
  };
}
