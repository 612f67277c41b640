import { escapeMarkup, windowColour } from '../../shared/drawing/markup';
import { htmlTable, page } from '../../shared/drawing/page';
import { type TimeFrame, type TimeLine, timeSvg, waitsSvg } from '../../shared/drawing/simulation-svg';
import { NOT_SIMULATED } from '../../simulator/engine/simulated-cluster';
import type { Comparison, SimulatedCase } from './compare-cases';
import { EXPLAINED, rowOf, SIMULATION_COLUMNS, titleText, windowRowOf } from './draw-simulation';

/** The simulation as a page: table and plots, complete in one file, the same bytes for the same seed. */
export function simulationHtml(simulation: Comparison): string {
  const { clusterName, cases, headroom, trace, timezone } = simulation;
  const frame: TimeFrame = { from: trace.from, to: trace.to, timezone };
  const pools = [...headroom.keys()].map(
    (pool) =>
      `<h2>${escapeMarkup(pool)}: demand and headroom</h2>${timeSvg(frame, `demand of ${pool}`, demandLines(simulation, pool))}`,
  );
  return page(
    `Simulation of ${clusterName}`,
    [
      `<h1>Simulation of ${escapeMarkup(clusterName)}</h1>`,
      `<p class="soft">${escapeMarkup(titleText(simulation))}</p>`,
      htmlTable(SIMULATION_COLUMNS.all, cases.map(rowOf)),
      htmlTable(SIMULATION_COLUMNS.inWindows, cases.map(windowRowOf)),
      `<p class="soft">${escapeMarkup(EXPLAINED)}</p>`,
      '<h2>How long pods waited</h2>',
      waitsSvg(cases),
      '<h2>Nodes</h2>',
      timeSvg(
        frame,
        'nodes',
        cases.map((one, index) => nodeLine(one, windowColour(index), frame)),
      ),
      ...pools,
      `<details><summary>not simulated</summary><ul>${NOT_SIMULATED.map((text) => `<li>${escapeMarkup(text)}</li>`).join('')}</ul></details>`,
    ].join('\n'),
  );
}

/** How many nodes there were in a case. */
function nodeLine({ name, nodeCounts }: SimulatedCase, colour: string, { from, to }: TimeFrame): TimeLine {
  const before = nodeCounts.findLast(({ at }) => at <= from)?.nodes ?? 0;
  const points = nodeCounts.filter(({ at }) => at > from && at < to).map(({ at, nodes }) => ({ at, value: nodes }));
  return { name, colour, points: [{ at: from, value: before }, ...points] };
}

/** The demand of one pool in pods, and the headroom that was wanted beside it. */
function demandLines({ trace, headroom }: Comparison, pool: string): readonly TimeLine[] {
  const demand = trace.demands.filter((one) => one.pool === pool).map(({ at, pods }) => ({ at, value: pods }));
  return [
    { name: 'pods wanted', colour: 'var(--area)', points: demand },
    { name: 'headroom wanted', colour: 'var(--change)', points: headroom.get(pool) ?? [] },
  ];
}
