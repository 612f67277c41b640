import { NOT_SIMULATED } from '../../simulator/engine/simulated-cluster';
import { NODE_CLAIMS, NODES, PODS } from '../../simulator/kube/kinds';
import type { Simulation } from '../../simulator/run/simulation';
import { SCENARIOS } from '../../simulator/scenarios/catalogue';
import { clusterView } from '../snapshot/cluster-view';
import type { PoolHistories } from '../snapshot/pool-histories';
import type { Snapshot } from '../snapshot/snapshot';
import { zoneOf } from '../snapshot/zone-of';

const SIMULATED = [
  'the cluster, its scheduler, its nodes and Karpenter are simulated in this process',
  'EventBridge, CloudWatch and SQS are simulated; the handlers are the real ones',
  'demand is made up by the scenario: pods that ask for exactly one unit each',
];

export interface Pace {
  readonly speed: number;
  readonly paused: boolean;
  readonly configProblems: readonly string[];
}

/** What the page shows of a simulation. */
export function simulationSnapshot(
  simulation: Simulation,
  histories: PoolHistories,
  { speed, paused, configProblems }: Pace,
): Snapshot {
  const { cluster, baseline, host, config, now, scenario } = simulation;
  const { store } = cluster.engine;
  const { hidden, ...view } = clusterView({
    nodes: store.list(NODES),
    nodeClaims: store.list(NODE_CLAIMS),
    pods: store.list(PODS),
    now,
    config,
    waitedMs: (pod) => cluster.meter.waitedMs(pod.metadata.uid, now),
  });
  const { nextEdge } = host.bus;
  return {
    mode: 'sandbox',
    acting: true,
    clusterName: config.cluster.name,
    simulated: [...SIMULATED, ...NOT_SIMULATED.map((left) => `left out: ${left}`)],
    clock: { now, startedAt: simulation.startedAt, speed, paused, ...zoneOf(config), ...(nextEdge && { nextEdge }) },
    scenario: { id: scenario.id, title: scenario.title, story: scenario.story(config) },
    scenarios: SCENARIOS.map(({ id, title }) => ({ id, title })),
    configProblems,
    faults: simulation.faults,
    pools: histories.views(now, (alarmName) => host.alarms.isFiring(alarmName)),
    ...view,
    ...(hidden.nodes + hidden.pods > 0 && { hidden }),
    decisions: host.decisions.recent,
    waiting: { with: cluster.meter.waitFigures(now), without: baseline.meter.waitFigures(now) },
    cost: rounded(cluster.meter.cost(now)),
  };
}

function rounded({ total, headroom, nodeHours }: Snapshot['cost']): Snapshot['cost'] {
  const round = (value: number) => Math.round(value * 10_000) / 10_000;
  return { total: round(total), headroom: round(headroom), nodeHours: round(nodeHours) };
}
