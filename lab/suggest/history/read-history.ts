import { readPiecesOrFail } from '../../../cli/input/files';
import { type ConfigOptions, poolOrFail } from '../../../cli/input/load-or-fail';
import { readAmount } from '../../../cli/input/numbers';
import { readDuration, readPast, readTime } from '../../../cli/input/time';
import { InputError } from '../../../cli/terminal/exit';
import type { Terminal } from '../../../cli/terminal/terminal';
import type { Config } from '../../../shared/core/config/config';
import { progressOf } from '../../simulate/progress';
import { readCsv } from './read-csv';
import type { SampleStore } from './sample-store';

export interface HistoryOptions extends ConfigOptions {
  readonly demand?: string;
  readonly prometheus?: string;
  readonly query?: string;
  readonly cloudwatch?: string;
  readonly stat: string;
  readonly from?: string;
  readonly to?: string;
  readonly step?: string;
  readonly perUnit?: string;
  readonly pool?: string;
  readonly timezone?: string;
  readonly start: string;
}

const DEFAULT_STEP = 60;

export async function readHistory(
  options: HistoryOptions,
  config: Config,
  leadMinutes: number | undefined,
  terminal: Terminal,
): Promise<SampleStore> {
  const { demand, prometheus, cloudwatch } = options;
  if ([demand, prometheus, cloudwatch].filter((source) => source !== undefined).length !== 1)
    throw new InputError('suggest needs one history; add --demand FILE, --prometheus URL or --cloudwatch QUERY');
  if (options.pool !== undefined) poolOrFail(config, options.pool, '--pool');
  if (prometheus !== undefined) return fromPrometheus(prometheus, options, config, terminal);
  if (cloudwatch !== undefined) return fromCloudWatch(cloudwatch, options, config, leadMinutes, terminal);
  const file = demand ?? '';
  const pieces = readPiecesOrFail(file, {
    label: `--demand ${file}`,
    expected: 'a CSV file with the columns time,pool,pods',
  });
  const start = readTime(options.start, '--start', terminal.now(), options.timezone);
  return readCsv(pieces, config, { file, timezone: options.timezone, start });
}

async function fromPrometheus(
  url: string,
  options: HistoryOptions,
  config: Config,
  terminal: Terminal,
): Promise<SampleStore> {
  if (!URL.canParse(url))
    throw new InputError(`--prometheus is ${JSON.stringify(url)}; write a URL such as http://127.0.0.1:9090`);
  const { readPrometheus } = await import('./read-prometheus');
  return readPrometheus(config, {
    url,
    query: options.query,
    ...readPast({ from: '28d', ...options }, terminal.now()),
    stepSeconds: stepOf(options) ?? DEFAULT_STEP,
    perUnit: perUnitOf(options),
    pool: options.pool,
    token: process.env.PROMETHEUS_TOKEN,
    onProgress: progressOf(terminal, 'reading'),
  });
}

async function fromCloudWatch(
  source: string,
  options: HistoryOptions,
  config: Config,
  leadMinutes: number | undefined,
  terminal: Terminal,
): Promise<SampleStore> {
  const { defaultReach, periodFor, readCloudWatch } = await import('./read-cloudwatch');
  const now = terminal.now();
  const lead = leadMinutes ?? Math.min(...config.headrooms.map((pool) => pool.leadMinutes));
  const range = readPast({ from: defaultReach(lead), ...options }, now);
  return readCloudWatch(config, {
    source,
    stat: options.stat,
    ...range,
    periodSeconds: periodFor((now - range.from) / 1_000, stepOf(options)),
    perUnit: perUnitOf(options) ?? 1,
    pool: options.pool,
  });
}

function stepOf({ step }: HistoryOptions): number | undefined {
  return step === undefined ? undefined : readDuration(step, '--step');
}

function perUnitOf({ perUnit }: HistoryOptions): number | undefined {
  return perUnit === undefined ? undefined : readAmount(perUnit, '--per-unit');
}
