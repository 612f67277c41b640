import { originText } from '../../../shared/pricing/instance-types';
import { SIMULATED_PRICES, SPOT_PERCENT } from '../../simulator/engine/karpenter/simulated-types';
import { NOT_SIMULATED } from '../../simulator/engine/simulated-cluster';
import { DEPLOYMENTS, EVENTS, NODE_CLAIMS, NODE_POOLS, NODES, PODS } from '../../simulator/kube/kinds';
import { demoPlace } from '../../simulator/run/demo-workload';
import { comparisonOf } from '../../simulator/run/run-result';
import type { Simulation } from '../../simulator/run/simulation';
import { SCENARIOS } from '../../simulator/scenarios/scenarios';
import type { PoolHistories } from '../snapshot/pool-histories';
import type { ClockView, RunView, Snapshot } from '../snapshot/snapshot';
import { commonView } from './common-view';

const SIMULATED = [
  'the cluster, its scheduler, its nodes and Karpenter are simulated in this process',
  'EventBridge, CloudWatch and SQS are simulated; the handlers are the real ones',
  'demand comes from the scenario: each pod requests exactly one unit, or most of a node of a floor',
  ...NOT_SIMULATED.map((part) => `not simulated: ${part}`),
];

export function simulationSnapshot(
  simulation: Simulation,
  histories: PoolHistories,
  pace: Pick<ClockView, 'speed' | 'paused' | 'unseen'>,
  configProblems: readonly string[],
  run: RunView,
): Snapshot {
  const { cluster, host, config, now, startedAt, scenario } = simulation;
  const { store } = cluster.engine;
  const content = {
    nodes: store.list(NODES),
    nodeClaims: store.list(NODE_CLAIMS),
    pods: store.list(PODS),
    nodePools: store.list(NODE_POOLS),
    headrooms: store.list(DEPLOYMENTS, config.cluster.namespace),
    events: () => store.list(EVENTS, config.cluster.namespace),
    waitedMs: ({ metadata }: { metadata: { uid: string } }) => cluster.meter.waitedMs(metadata.uid, now),
  };
  const facts = {
    config: host.config,
    decisions: host.decisions.recent,
    isFiring: (alarmName: string) => host.alarms.isFiring(alarmName),
    meter: cluster.meter,
  };
  const common = commonView(facts, histories, content, { now, startedAt, ...pace });
  return {
    mode: 'sandbox',
    simulated: SIMULATED,
    scenario: { id: scenario.id, title: scenario.title, description: scenario.description(config) },
    run,
    scenarios: SCENARIOS.map(({ id, title }) => ({ id, title })),
    configProblems,
    faults: simulation.faults,
    ...common,
    waiting: waitingIn(simulation, common),
    prices: originText(
      SIMULATED_PRICES,
      common.nodes.map(({ spot }) => spot),
      SPOT_PERCENT,
    ),
    ...(simulation.strategies.length > 0 && { comparison: comparisonOf(simulation) }),
  };
}

function waitingIn(
  { cluster, baseline, config, now }: Simulation,
  { pools, waiting }: Pick<Snapshot, 'pools' | 'waiting'>,
): Snapshot['waiting'] {
  const figures = { ...waiting, without: baseline.meter.waitFigures(now) };
  if (figures.with.worstMs <= figures.without.worstMs) return figures;
  const { deployment } = cluster.meter.waits('placed', now).at(-1) ?? {};
  const { headrooms } = config;
  const owner = headrooms.find((one) => demoPlace(one, headrooms).name === deployment);
  const pool = pools.find(({ name }) => name === owner?.name);
  return { ...figures, ...(pool && { slowest: [pool.name, ...(pool.why ?? []).slice(0, 1)].join(': ') }) };
}
