import { collectErrors } from '../../cli/input/collect-errors';
import { readFileOrFail } from '../../cli/input/files';
import { type ConfigOptions, loadOrFail } from '../../cli/input/load-or-fail';
import { readWholeNumber } from '../../cli/input/numbers';
import { readDuration, readTime, readTimezone } from '../../cli/input/time';
import { EXIT, InputError } from '../../cli/terminal/exit';
import { jsonText, type Terminal } from '../../cli/terminal/terminal';
import { displayPath } from '../../shared/adapters/files/config-files';
import { zoneOfAll } from '../../shared/drawing/plan-model';
import { type Comparison, caseJson, compareCases } from './compare-cases';
import { drawSimulation } from './draw-simulation';
import { progressOf } from './progress';
import { readTrace } from './trace';

export interface SimulateOptions extends ConfigOptions {
  readonly demand?: string;
  readonly seed: string;
  readonly nodeDelay: string;
  readonly start: string;
  readonly timezone?: string;
}

export async function simulate(
  given: string | undefined,
  options: SimulateOptions,
  terminal: Terminal,
): Promise<number> {
  const config = loadOrFail(options, terminal);
  const [, seed, nodeDelaySeconds, start] = collectErrors(
    () => readTimezone(options.timezone),
    () => readWholeNumber(options.seed, '--seed'),
    () => readDuration(options.nodeDelay, '--node-delay'),
    () => readTime(options.start, '--start', terminal.now(), options.timezone ?? zoneOfAll(config)),
  );
  const file = traceFile(given, options.demand);
  const demand = readFileOrFail(file, {
    label: given === undefined ? `--demand ${file}` : file,
    expected: 'a CSV file with the columns time,pool,pods',
  });
  const trace = readTrace(demand, config, { file: displayPath(file), timezone: options.timezone, start });
  const onProgress = progressOf(terminal, 'simulating');
  const simulation = await compareCases(config, trace, { seed, nodeDelaySeconds, onProgress });
  terminal.out(options.json ? jsonText(asJson(simulation)) : drawSimulation(simulation, terminal));
  return EXIT.ok;
}

function traceFile(given: string | undefined, demand: string | undefined): string {
  if (given !== undefined && demand !== undefined && given !== demand)
    throw new InputError(
      `the trace is given twice, ${given} as argument and ${demand} with --demand; pass one of them`,
    );
  const file = given ?? demand;
  if (file === undefined)
    throw new InputError('simulate needs a demand trace; add --demand FILE, such as examples/trace.csv');
  if (/\.ya?ml$/i.test(file))
    throw new InputError(`${file} is not a trace; pass the config with -c ${file}, and a CSV with --demand`);
  return file;
}

function asJson({ trace, seed, nodeDelaySeconds, cases }: Comparison) {
  return {
    simulated: true,
    from: new Date(trace.from).toISOString(),
    to: new Date(trace.to).toISOString(),
    seed,
    nodeDelaySeconds,
    cases: cases.map(caseJson),
  };
}
