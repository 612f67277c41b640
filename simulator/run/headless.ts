import type { DecisionView, WaitingFigures } from '../../console/snapshot/snapshot';
import { headroomName } from '../../shared/core/basics/names';
import type { Config } from '../../shared/core/config/config';
import { DEPLOYMENTS } from '../kube/kinds';
import type { Cost } from './cost-meter';
import { Session } from './session';
import type { StartOptions } from './start-options';

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
  readonly pools: readonly { readonly name: string; readonly wanted: number; readonly ready: number }[];
  readonly waiting: { readonly with: WaitingFigures; readonly without: WaitingFigures };
  readonly cost: { readonly with: Cost; readonly without: Cost };
  readonly handlers: { readonly errors: number; readonly deadLetters: number };
  readonly decisions: readonly (Omit<DecisionView, 'at'> & { readonly at: string })[];
}

/** Runs a scenario at full speed and answers the result as text. */
export async function runHeadless(config: Config, options: StartOptions): Promise<string> {
  const session = new Session({
    config,
    scenario: options.scenario,
    seed: options.seed,
    faults: options.faults,
    nodeDelaySeconds: options.nodeDelaySeconds,
    after: options.start ?? DEFAULT_START,
    keepAllDecisions: true,
  });
  await session.begin();
  await session.runUntil(session.startedAt + options.untilSeconds * 1_000);
  const result = resultOf(session, options);
  return options.json ? `${JSON.stringify(result, null, 2)}\n` : summary(result);
}

/** What came of a session so far. */
export function resultOf(
  { host, world, twin, config, startedAt, now, scenario }: Session,
  { seed, nodeDelaySeconds }: Pick<StartOptions, 'seed' | 'nodeDelaySeconds'>,
): RunResult {
  const { store } = world.cluster;
  return {
    simulated: true,
    scenario: scenario.id,
    seed,
    nodeDelaySeconds,
    from: iso(startedAt),
    to: iso(now),
    pools: config.nodePools.map(({ name }) => {
      const deployment = store.get(DEPLOYMENTS, config.cluster.namespace, headroomName(name));
      return { name, wanted: deployment?.spec.replicas ?? 0, ready: deployment?.status?.readyReplicas ?? 0 };
    }),
    waiting: { with: world.observer.waiting.figures(now), without: twin.observer.waiting.figures(now) },
    cost: { with: rounded(world.observer.costSoFar(now)), without: rounded(twin.observer.costSoFar(now)) },
    handlers: { errors: host.decisions.errors, deadLetters: host.bus.deadLetters },
    decisions: host.decisions.all.map(({ at, ...decision }) => ({ at: iso(at), ...decision })),
  };
}

function summary({ scenario, from, to, seed, waiting, cost, pools, decisions, handlers }: RunResult): string {
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
  const wait = ({ pods, medianMs, p95Ms, worstMs }: WaitingFigures) =>
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
