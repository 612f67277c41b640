import type { Config } from '../../shared/core/config/config';
import { atLeast } from '../engine/karpenter/node-delay';
import { scenarioOf } from '../scenarios/catalogue';
import type { ObservedDecision } from './decision-history';
import type { Cost } from './meter';
import { type HeadroomSize, Simulation } from './simulation';
import type { StartOptions } from './start-options';
import type { WaitFigures } from './wait-figures';

/** Runs without a console start here unless told otherwise, so that the same seed gives the same output on any day. */
const DEFAULT_START = Date.parse('2026-03-02T00:00:00Z');

/** What came of a run. */
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
  readonly handlers: { readonly errors: number; readonly deadLetters: number };
  readonly decisions: readonly (Omit<ObservedDecision, 'at'> & { readonly at: string })[];
}

/** Runs a scenario at full speed and answers the result as text. */
export async function runHeadless(config: Config, options: StartOptions): Promise<string> {
  const simulation = new Simulation({
    config,
    scenario: scenarioOf(options.scenario),
    seed: options.seed,
    faults: options.faults,
    nodeDelay: atLeast(options.nodeDelaySeconds),
    after: options.start ?? DEFAULT_START,
    keepAllDecisions: true,
  });
  await simulation.begin();
  await simulation.runUntil(simulation.startedAt + options.untilSeconds * 1_000);
  const result = resultOf(simulation, options);
  return options.json ? `${JSON.stringify(result, null, 2)}\n` : summary(result);
}

/** What came of a simulation so far. */
export function resultOf(
  simulation: Simulation,
  { seed, nodeDelaySeconds }: Pick<StartOptions, 'seed' | 'nodeDelaySeconds'>,
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
    cost: { with: rounded(cluster.cost(now)), without: rounded(baseline.cost(now)) },
    handlers: { errors: host.decisions.errors, deadLetters: host.bus.deadLetters },
    decisions: host.decisions.all.map(({ at, ...decision }) => ({ at: iso(at), ...decision })),
  };
}

function summary({ scenario, from, to, seed, waiting, cost, pools, decisions, handlers }: RunResult): string {
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
  const wait = ({ pods, medianMs, p95Ms, worstMs }: WaitFigures) =>
    `median ${seconds(medianMs)}, 95 % ${seconds(p95Ms)}, worst ${seconds(worstMs)} (${pods} pods)`;
  const spent = ({ nodeHours, total }: Cost) => `${nodeHours.toFixed(1)} node-hours, $${total.toFixed(2)}`;
  const lines = [
    `${scenario}, seed ${seed}, ${from} to ${to} (simulated)`,
    '',
    `pods waited for a node  with headroom     ${wait(waiting.with)}`,
    `                        without headroom  ${wait(waiting.without)}`,
    `nodes                   with headroom     ${spent(cost.with)}, of it $${cost.with.headroom.toFixed(2)} without real pods`,
    `                        without headroom  ${spent(cost.without)}`,
    `handlers                ${decisions.length} decisions, ${handlers.errors} errors, ${handlers.deadLetters} dead letters`,
    '',
    ...decisions.map(
      ({ at, pool, from: before, to: after, reasons }) =>
        `${at}  ${pool}  ${before} -> ${after}  ${reasons.join('; ')}`,
    ),
    '',
    ...pools.map(({ name, wanted, ready }) => `${name} ends with ${ready} of ${wanted} ready`),
  ];
  return `${lines.join('\n')}\n`;
}

function rounded({ total, headroom, nodeHours }: Cost): Cost {
  const round = (value: number) => Math.round(value * 10_000) / 10_000;
  return { total: round(total), headroom: round(headroom), nodeHours: round(nodeHours) };
}

function iso(time: number): string {
  return new Date(time).toISOString();
}
