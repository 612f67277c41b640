import type { Config } from '../../shared/core/config/config';
import { defaultZone } from '../../shared/drawing/default-zone';
import { readFileOrFail, writeFileOrFail } from '../input/files';
import { type ConfigOptions, loadOrFail } from '../input/load-config';
import { readWholeNumber } from '../input/numbers';
import { readDuration, readTime, readTimezone } from '../input/time';
import { EXIT, InputError } from '../terminal/exit';
import type { Terminal } from '../terminal/terminal';
import { type Comparison, caseFigures, compareCases } from './compare-cases';
import { drawSimulation } from './draw-simulation';
import { makeTrace } from './make-trace';
import { simulationHtml } from './simulation-html';
import { readTrace } from './trace';

export interface SimulateOptions extends ConfigOptions {
  readonly demand?: string;
  readonly makeTrace?: boolean;
  readonly seed: string;
  readonly nodeDelay: string;
  readonly start: string;
  readonly timezone?: string;
  readonly html?: string;
  readonly json?: boolean;
}

const EXAMPLE_DAYS = 2;

/** Replays a demand trace against a config, without headroom, and with constant headroom. */
export async function simulate(options: SimulateOptions, terminal: Terminal): Promise<number> {
  const config = loadOrFail(options, terminal);
  const timezone = readTimezone(options.timezone) ?? defaultZone(config.nodePools.flatMap(({ windows }) => windows));
  const seed = readWholeNumber(options.seed, '--seed');
  const nodeDelaySeconds = readDuration(options.nodeDelay, '--node-delay');
  const start = readTime(options.start, '--start', terminal.now(), timezone);
  if (options.makeTrace) {
    terminal.out(exampleTrace(config, timezone, start, seed));
    return EXIT.ok;
  }
  if (options.demand === undefined)
    throw new InputError(
      'simulate needs a demand trace; add --demand FILE, such as examples/trace.csv, or print one with --make-trace',
    );
  const demand = readFileOrFail(options.demand, {
    label: `--demand ${options.demand}`,
    expected: 'a CSV file with the columns time,pool,pods',
  });
  const trace = readTrace(demand, config, {
    file: options.demand,
    timezone: options.timezone,
    start,
  });
  if (terminal.live && !options.json) terminal.err('simulating three runs of the same demand...\n');
  const simulation = await compareCases(config, trace, { seed, nodeDelaySeconds, timezone });
  if (options.html !== undefined) writeFileOrFail(options.html, simulationHtml(simulation), '--html');
  terminal.out(
    options.json ? `${JSON.stringify(asJson(simulation), null, 2)}\n` : drawSimulation(simulation, terminal),
  );
  if (options.html !== undefined) terminal.err(`wrote ${options.html}\n`);
  return EXIT.ok;
}

function exampleTrace({ nodePools }: Config, timezone: string, from: number, seed: number): string {
  const [first] = nodePools;
  return makeTrace({ pool: first?.name ?? 'default', timezone, from, days: EXAMPLE_DAYS, seed });
}

function asJson({ trace, seed, nodeDelaySeconds, cases }: Comparison) {
  const round = (value: number) => Math.round(value * 10_000) / 10_000;
  return {
    simulated: true,
    from: new Date(trace.from).toISOString(),
    to: new Date(trace.to).toISOString(),
    seed,
    nodeDelaySeconds,
    cases: cases.map(({ name, waits, inWindows, nodeHours, cost }) => ({
      name,
      waiting: caseFigures(waits),
      waitingInWindows: caseFigures(inWindows),
      nodeHours: round(nodeHours),
      cost: round(cost),
    })),
  };
}
