import { drawReport } from '../../cli/report/draw-report';
import { jsonText } from '../../cli/terminal/terminal';
import { wrap, wrapAfter } from '../../cli/terminal/wrap';
import { headroomName } from '../../shared/core/basics/names';
import type { Config } from '../../shared/core/config/config';
import { count } from '../../shared/drawing/amounts';
import { localTime, withBareMoments } from '../../shared/drawing/local-time';
import { zoneOfAll } from '../../shared/drawing/plan-model';
import { reportOf } from '../../shared/report/report';
import { atLeast } from '../simulator/engine/karpenter/node-delay';
import type { Cost } from '../simulator/run/meter';
import { RecordedHistory } from '../simulator/run/recorded-history';
import { type RunResult, resultOf } from '../simulator/run/run-result';
import { Simulation } from '../simulator/run/simulation';
import type { WaitFigures } from '../simulator/run/wait-figures';
import { scenarioOf } from '../simulator/scenarios/scenarios';
import type { StartOptions } from './sandbox-options';

/** The default start is fixed, so that the same seed gives the same output on any day. */
const DEFAULT_START = Date.parse('2026-03-02T00:00:00Z');

/** From this width on the text fits beside its two labels. */
const WIDE = 80;

const STRATEGY_NAMES = { room: 'room', floor: 'a floor', moreNodes: 'more nodes', none: 'no headroom' };

export async function runHeadless(config: Config, options: StartOptions, width: number): Promise<string> {
  const simulation = new Simulation({
    config,
    scenario: scenarioOf(options.scenario),
    seed: options.seed,
    faults: options.faults,
    nodeDelay: atLeast(options.nodeDelaySeconds),
    after: options.start ?? DEFAULT_START,
    keepAllDecisions: true,
  });
  const history = new RecordedHistory(simulation);
  await simulation.begin();
  await simulation.runUntil(simulation.startedAt + options.untilSeconds * 1_000);
  if (options.report) {
    const report = reportOf(config, { from: simulation.startedAt, to: simulation.now }, history);
    const truth = (headroom: string, from: number, to: number) => history.taken(headroomName(headroom), from, to);
    return drawReport(report, { width, colours: false }, { truth });
  }
  const result = resultOf(simulation, options);
  return options.json ? jsonText(result) : summary(result, zoneOfAll(config), width);
}

function summary(result: RunResult, timezone: string, width: number): string {
  const { scenario, from, to, seed, decisions, pools } = result;
  const time = (iso: string) => localTime(timezone, Date.parse(iso));
  const lines = [
    ...wrap(`${scenario}, seed ${seed}, ${time(from)} to ${time(to)} ${timezone} (simulated)`, width),
    '',
    ...figures(result).flatMap((row) => figureLines(row, width)),
    '',
    ...decisions.flatMap(({ at, pool, from: before, to: after, reasons }) => {
      const text = withBareMoments(reasons.join('; '), timezone, Date.parse(at));
      return wrapAfter('', '  ', `${time(at)} ${pool} ${before} → ${after}: ${text}`, width);
    }),
    '',
    ...pools.map(({ name, wanted, ready }) => `${name} ends with ${ready} of ${wanted} ready`),
  ];
  return `${lines.join('\n')}\n`;
}

type Figure = readonly [about: string, of: string, text: string];

function figures({ waiting, cost, comparison = [], decisions, handlers }: RunResult): readonly Figure[] {
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)}s`;
  const wait = ({ pods, medianMs, p95Ms, worstMs }: WaitFigures) =>
    `median ${seconds(medianMs)}, 95 % ${seconds(p95Ms)}, worst ${seconds(worstMs)} (${pods} pods)`;
  const failed = `${count(handlers.errors, 'error')}, ${count(handlers.deadLetters, 'dead letter')}`;
  const spent = ({ nodeHours, total }: Cost) => `${nodeHours.toFixed(1)} node-hours, $${total.toFixed(2)}`;
  return [
    ['pods waited for a node', 'with headroom', wait(waiting.with)],
    ['', 'without headroom', wait(waiting.without)],
    ['nodes', 'with headroom', `${spent(cost.with)}, of it $${cost.with.headroom.toFixed(2)} without real pods`],
    ['', 'without headroom', spent(cost.without)],
    ...comparison.map(({ way: strategy, waiting: waits, cost: paid }, index): Figure => {
      const about = index === 0 ? 'the same peaks with' : '';
      return [about, STRATEGY_NAMES[strategy], `worst ${seconds(waits.worstMs)}, ${spent(paid)}`];
    }),
    ['handlers', '', `${count(decisions.length, 'decision')}, ${failed}`],
  ];
}

/** In three columns or, if these do not fit, below each other. */
function figureLines([about, of, text]: Figure, width: number): string[] {
  if (width >= WIDE) return wrapAfter(`${about.padEnd(24)}${of.padEnd(18)}`, ' '.repeat(42), text, width);
  const below = of === '' ? text : `${of}: ${text}`;
  return [...(about === '' ? [] : [about]), ...wrapAfter('  ', '    ', below, width)];
}
