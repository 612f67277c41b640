import { NOT_SIMULATED } from '../../simulator/engine/simulated-cluster';
import { NODE_CLAIMS, NODES, PODS } from '../../simulator/kube/kinds';
import type { Session } from '../../simulator/run/session';
import { SCENARIOS } from '../../simulator/scenarios/catalogue';
import { clusterView } from '../snapshot/cluster-view';
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

/** What the page shows of a session. */
export function simulationSnapshot(session: Session, { speed, paused, configProblems }: Pace): Snapshot {
  const { world, twin, host, config, now, scenario } = session;
  const { store } = world.cluster;
  const { hidden, ...view } = clusterView({
    nodes: store.list(NODES),
    nodeClaims: store.list(NODE_CLAIMS),
    pods: store.list(PODS),
    now,
    config,
    waitedMs: (pod) => world.observer.waiting.waitedMs(pod.metadata.uid, now),
  });
  const { nextEdge } = host.bus;
  return {
    mode: 'sandbox',
    acting: true,
    clusterName: config.cluster.name,
    simulated: [...SIMULATED, ...NOT_SIMULATED.map((left) => `left out: ${left}`)],
    clock: { now, startedAt: session.startedAt, speed, paused, ...zoneOf(config), ...(nextEdge && { nextEdge }) },
    scenario: { id: scenario.id, title: scenario.title, story: scenario.story(config) },
    scenarios: SCENARIOS.map(({ id, title }) => ({ id, title })),
    configProblems,
    faults: session.faults,
    pools: session.histories.views(now, (alarmName) => host.alarms.isFiring(alarmName)),
    ...view,
    ...(hidden.nodes + hidden.pods > 0 && { hidden }),
    decisions: host.decisions.recent,
    waiting: { with: world.observer.waiting.figures(now), without: twin.observer.waiting.figures(now) },
    cost: rounded(world.observer.costSoFar(now)),
  };
}

function rounded({ total, headroom, nodeHours }: Snapshot['cost']): Snapshot['cost'] {
  const round = (value: number) => Math.round(value * 10_000) / 10_000;
  return { total: round(total), headroom: round(headroom), nodeHours: round(nodeHours) };
}
