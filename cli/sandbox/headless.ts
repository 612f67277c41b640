import type { Config } from '../../shared/core/config/config';
import { atLeast } from '../../simulator/engine/karpenter/node-delay';
import type { Cost } from '../../simulator/run/meter';
import { type RunResult, resultOf } from '../../simulator/run/run-result';
import { Simulation } from '../../simulator/run/simulation';
import type { WaitFigures } from '../../simulator/run/wait-figures';
import { scenarioOf } from '../../simulator/scenarios/catalogue';
import type { StartOptions } from './options';

/** Runs without a console start here unless told otherwise, so that the same seed gives the same output on any day. */
const DEFAULT_START = Date.parse('2026-03-02T00:00:00Z');

const WAYS = { room: 'room', floor: 'a floor', moreNodes: 'more nodes' };

/** Runs a scenario at full speed and returns the result as text. */
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

function summary({
  scenario,
  from,
  to,
  seed,
  waiting,
  cost,
  comparison = [],
  pools,
  decisions,
  handlers,
}: RunResult): string {
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
    ...comparison.map(({ way, waiting: waits, cost: paid }, index) => {
      const title = index === 0 ? 'the same peaks with' : '';
      return `${title.padEnd(24)}${WAYS[way].padEnd(18)}worst ${seconds(waits.worstMs)}, ${spent(paid)}`;
    }),
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
