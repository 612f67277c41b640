import { isDeepStrictEqual } from 'node:util';
import type { Terminal } from '../../cli/terminal/terminal';
import { wrap, wrapAfter } from '../../cli/terminal/wrap';
import { amount, dollars } from '../../shared/drawing/amounts';
import { lengthText, localTime } from '../../shared/drawing/local-time';
import { columns } from '../../shared/drawing/page';
import { SPOT_PERCENT } from '../simulator/engine/karpenter/simulated-types';
import { NOT_SIMULATED } from '../simulator/engine/simulated-cluster';
import { table } from '../terminal/text-table';
import { type Comparison, caseFigures, type SimulatedCase } from './compare-cases';

const WAITS = ['pods #', 'median #', '95 % #', '99 % #', 'worst #', '> 10 s #'];

export const EXPLAINED = `Waits are from the creation of a pod until it runs. Node-hours and cost are of all nodes, including those of the demand, at the price in the config or else at us-east-1 list prices; spot, estimated at ${SPOT_PERCENT} % of list.`;

/** The columns of the tables of all pods and of pods in windows. */
export const SIMULATION_COLUMNS = {
  all: columns('all pods', ...WAITS, 'node-hours #', 'cost #'),
  inWindows: columns('while a window is open', ...WAITS),
};

export function drawSimulation(simulation: Comparison, { width }: Pick<Terminal, 'width'>): string {
  const lines = [
    ...wrap(titleText(simulation), width),
    '',
    table(SIMULATION_COLUMNS.all, simulation.cases.map(rowOf), width),
    '',
    table(SIMULATION_COLUMNS.inWindows, simulation.cases.map(windowRowOf), width),
    '',
    ...sameFigures(simulation.cases).flatMap((line) => wrap(line, width)),
    ...wrap(EXPLAINED, width),
    ...wrapAfter('Not simulated: ', '  ', NOT_SIMULATED.join('; '), width),
  ];
  return `${lines.join('\n')}\n`;
}

export function titleText({ clusterName, trace, seed, nodeDelaySeconds }: Comparison): string {
  const when = `${lengthText(trace.to - trace.from)} from ${localTime('UTC', trace.from)} UTC`;
  return `${clusterName}: the demand of ${when}, simulated (seed ${seed}, a node takes about ${nodeDelaySeconds}s)`;
}

/** Why two cases show the same figures. */
export function sameFigures(cases: readonly SimulatedCase[]): readonly string[] {
  return cases.flatMap((one, index) => {
    const twin = cases.slice(index + 1).find((other) => isDeepStrictEqual(rowOf(other).slice(1), rowOf(one).slice(1)));
    if (!twin) return [];
    const why = isDeepStrictEqual(one.nodeCounts, twin.nodeCounts)
      ? 'with both the same nodes ran, so this demand cannot tell them apart'
      : 'they differ by less than is shown';
    return [`Same figures: ${one.name} and ${twin.name}; ${why}.`];
  });
}

export function rowOf({ name, waits, nodeHours, cost }: SimulatedCase): readonly string[] {
  return [name, ...waitCells(waits), amount(nodeHours), dollars(cost)];
}

export function windowRowOf({ name, inWindows }: SimulatedCase): readonly string[] {
  return [name, ...waitCells(inWindows)];
}

function waitCells(waits: SimulatedCase['waits']): readonly string[] {
  const { pods, medianMs, p95Ms, p99Ms, worstMs, over10s } = caseFigures(waits);
  return [String(pods), ...[medianMs, p95Ms, p99Ms, worstMs].map(secondsText), `${amount(over10s * 100)} %`];
}

/** `1.2s` below ten seconds, `48s` above. */
function secondsText(ms: number): string {
  return ms < 9_950 ? `${(ms / 1_000).toFixed(1)}s` : `${Math.round(ms / 1_000)}s`;
}
