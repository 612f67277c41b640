import { moneyText } from '../../../shared/drawing/amounts';
import type { SideBySide, Step } from '../../simulator/run/side-by-side';
import type { Simulation } from '../../simulator/run/simulation';
import type { PoolHistories } from '../snapshot/pool-histories';
import type { PeakSide, PeakView } from '../snapshot/snapshot';

/** The size of the box that an area is drawn in; whoever shows it stretches it. */
export const AREA = { width: 1_000, height: 100 };

/** The first minutes of a run, with headroom and without, as areas over one time axis. */
export function peakView(peak: SideBySide, simulation: Simulation, histories: PoolHistories): PeakView {
  const { from, to, pool } = peak;
  const now = Math.min(to, simulation.now);
  const month = histories.monthlyCost(simulation.now, pool.name);
  const most = (of: (side: SideBySide['with']) => readonly Step[]) =>
    Math.max(1, ...[...of(peak.with), ...of(peak.without)].map(({ value }) => value));
  const nodes = most((side) => side.nodes);
  const viewOf = (side: SideBySide['with']): PeakSide => {
    const area = (steps: readonly Step[], scale: number) => areaOf(steps, { from, to, now, scale });
    return {
      nodes: area(side.nodes, nodes),
      pods: area(stacked(side.running, side.waiting), peak.mostPods),
      running: area(side.running, peak.mostPods),
      counts: [side.nodes, side.running, side.waiting].map((steps) => valueAt(steps, now)),
      waits: side.waits(simulation.now),
    };
  };
  return {
    headroom: pool.name,
    from,
    to,
    moments: peak.moments(now),
    with: viewOf(peak.with),
    without: viewOf(peak.without),
    ...(month && { monthly: moneyText(month) }),
  };
}

/** Two values on top of each other. */
function stacked(below: readonly Step[], above: readonly Step[]): readonly Step[] {
  const times = [...new Set([...below, ...above].map(({ at }) => at))].sort((a, b) => a - b);
  return times.map((at) => ({ at, value: valueAt(below, at) + valueAt(above, at) }));
}

function valueAt(steps: readonly Step[], at: number): number {
  return steps.findLast((step) => step.at <= at)?.value ?? 0;
}

/** A closed path of steps from the left edge until now. */
function areaOf(
  steps: readonly Step[],
  { from, to, now, scale }: { from: number; to: number; now: number; scale: number },
): string {
  const x = (at: number) => Math.round(((at - from) / (to - from)) * AREA.width * 10) / 10;
  const y = (value: number) => Math.round(Math.max(0, 1 - value / scale) * AREA.height * 10) / 10;
  const moves = steps.filter(({ at }) => at > from && at <= now).map(({ at, value }) => `H${x(at)}V${y(value)}`);
  return `M0 ${AREA.height}V${y(valueAt(steps, from))}${moves.join('')}H${x(now)}V${AREA.height}Z`;
}
