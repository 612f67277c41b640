import { NOT_SIMULATED } from '../../simulator/engine/simulated-cluster';
import { escapeMarkup } from '../show/markup';
import { htmlTable, page } from '../show/page';
import type { Comparison } from './compare-cases';
import { EXPLAINED, rowOf, SIMULATION_TITLES, titleText, windowRowOf } from './draw-simulation';
import { demandSvg, nodesSvg, waitsSvg } from './simulation-svg';

/** The simulation as a page: table and plots, complete in one file, the same bytes for the same seed. */
export function simulationHtml(simulation: Comparison): string {
  const { clusterName, cases, plans } = simulation;
  const columns = (titles: readonly string[]) =>
    titles.map((title, index) => ({ title, ...(index > 0 && { number: true }) }));
  const pools = Object.keys(plans).map(
    (pool) => `<h2>${escapeMarkup(pool)}: demand and planned headroom</h2>${demandSvg(simulation, pool)}`,
  );
  return page(
    `Simulation of ${clusterName}`,
    [
      `<h1>Simulation of ${escapeMarkup(clusterName)}</h1>`,
      `<p class="soft">${escapeMarkup(titleText(simulation))}</p>`,
      htmlTable(columns(SIMULATION_TITLES.all), cases.map(rowOf)),
      htmlTable(columns(SIMULATION_TITLES.inWindows), cases.map(windowRowOf)),
      `<p class="soft">${escapeMarkup(EXPLAINED)}</p>`,
      '<h2>How long pods waited</h2>',
      waitsSvg(cases),
      '<h2>Nodes</h2>',
      nodesSvg(simulation),
      ...pools,
      `<details><summary>not simulated</summary><ul>${NOT_SIMULATED.map((text) => `<li>${escapeMarkup(text)}</li>`).join('')}</ul></details>`,
    ].join('\n'),
  );
}
