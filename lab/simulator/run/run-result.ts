import type { ObservedDecision } from './decision-history';
import type { DemoCluster } from './demo-cluster';
import { type Cost, roundedCost } from './meter';
import type { HeadroomSize, Simulation } from './simulation';
import type { Strategy } from './strategies';
import type { WaitFigures } from './wait-figures';

export interface RunResult {
  readonly simulated: true;
  readonly scenario: string;
  readonly seed: number;
  readonly nodeDelaySeconds: number;
  readonly from: string;
  readonly to: string;
  readonly pools: readonly HeadroomSize[];
  readonly waiting: { readonly with: WaitFigures; readonly without: WaitFigures };
  readonly cost: { readonly with: Cost; readonly without: Cost };
  /** The same demand with each strategy; absent if the scenario does not compare them. */
  readonly comparison?: readonly StrategyFigures[];
  readonly handlers: { readonly errors: number; readonly deadLetters: number };
  readonly decisions: readonly (Omit<ObservedDecision, 'at'> & { readonly at: string })[];
}

/** The cost of a strategy or of none, and how long pods waited with it. */
export interface StrategyFigures {
  readonly way: Strategy | 'none';
  readonly waiting: WaitFigures;
  readonly cost: Cost;
}

export function comparisonOf({ strategies, baseline, now }: Simulation): readonly StrategyFigures[] {
  const figuresOf = (way: StrategyFigures['way'], { meter }: DemoCluster) => ({
    way,
    waiting: meter.waitFigures(now),
    cost: roundedCost(meter.cost(now)),
  });
  return [
    ...strategies.map(({ strategy, underTest }) => figuresOf(strategy, underTest.cluster)),
    figuresOf('none', baseline),
  ];
}

export function resultOf(
  simulation: Simulation,
  { seed, nodeDelaySeconds }: Pick<RunResult, 'seed' | 'nodeDelaySeconds'>,
): RunResult {
  const { host, startedAt, now, scenario } = simulation;
  const [cluster, baseline] = [simulation.cluster.meter, simulation.baseline.meter];
  return {
    simulated: true,
    scenario: scenario.id,
    seed,
    nodeDelaySeconds,
    from: iso(startedAt),
    to: iso(now),
    pools: simulation.headrooms(),
    waiting: { with: cluster.waitFigures(now), without: baseline.waitFigures(now) },
    cost: { with: roundedCost(cluster.cost(now)), without: roundedCost(baseline.cost(now)) },
    ...(simulation.strategies.length > 0 && { comparison: comparisonOf(simulation) }),
    handlers: { errors: host.decisions.errors, deadLetters: host.bus.deadLetters },
    decisions: host.decisions.all.map(({ at, ...decision }) => ({ at: iso(at), ...decision })),
  };
}

function iso(time: number): string {
  return new Date(time).toISOString();
}
