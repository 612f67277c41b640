import { parseArgs } from 'node:util';
import { FASTEST } from '../../console/server/parse-command';
import { parseDuration } from '../../shared/core/config/duration';
import type { Faults } from '../../simulator/bus/faults';
import { NO_FAULTS } from '../../simulator/bus/faults';
import { OptionError, type StartOptions } from '../../simulator/run/start-options';
import { SCENARIOS, scenarioOf } from '../../simulator/scenarios/catalogue';

/** A tenth of the events lost, a tenth doubled, a tenth late, a tenth of the API calls failed. */
const DEFAULT_FAULTS: Faults = { lost: 0.1, doubled: 0.1, late: 0.1, apiErrors: 0.1 };

const FLAGS = {
  config: { type: 'string', short: 'c', default: 'headroom.yaml' },
  env: { type: 'string', short: 'e' },
  scenario: { type: 'string', default: 'lunch' },
  seed: { type: 'string', default: '1' },
  faults: { type: 'string', default: 'off' },
  speed: { type: 'string', default: '60' },
  'node-delay': { type: 'string', default: '50s' },
  start: { type: 'string' },
  port: { type: 'string' },
  kubeconfig: { type: 'string' },
  act: { type: 'boolean', default: false },
  headless: { type: 'boolean', default: false },
  until: { type: 'string', default: '24h' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

export const HELP = `Headstart's sandbox: the real handlers over a simulated cluster, in a picture that moves.

  npm start                              open the console with headroom.yaml
  npm start -- --scenario storm          with another scenario: ${SCENARIOS.map(({ id }) => id).join(', ')}
  npm start -- --kubeconfig FILE         watch a real cluster; nothing is changed until you press "act"
  npm start -- --headless --json         run a scenario at full speed and print the result

  -c, --config FILE     the config file (headroom.yaml)
  -e, --env NAME        lay headroom.NAME.yaml over it
      --scenario ID     what happens (lunch)
      --seed N          the same seed, the same run (1)
      --faults SPEC     on, off, or lost=0.1,doubled=0.1,late=0.1,api=0.1 (off)
      --node-delay D    how long a node takes from its launch until it is ready (50s)
      --start TIME      the date at which the sandbox's clock starts
      --speed N         sandbox seconds per second, 1 to ${FASTEST} (60)
      --port N          the console's port (4100, or a free one)
      --kubeconfig FILE a real cluster instead of the simulated one, in real time
      --act             with --kubeconfig: change the cluster at once
      --headless        no console: run and print
      --until D         with --headless: how long (24h)
      --json            with --headless: print JSON
`;

/** Reads the command line of `npm start`. */
export function readOptions(argv: readonly string[]): StartOptions {
  const values = parse(argv);
  const { env, start, port, kubeconfig } = values;
  if (values.act && kubeconfig === undefined) throw new OptionError('--act goes with --kubeconfig; write both or none');
  if (values.headless && kubeconfig !== undefined)
    throw new OptionError('--headless runs a simulated cluster; leave --kubeconfig out, or use headstart status');
  return {
    mode: values.help ? 'help' : values.headless ? 'headless' : 'console',
    config: values.config,
    ...(env !== undefined && { env }),
    scenario: readScenario(values.scenario),
    seed: whole(values.seed, '--seed', 0, 2 ** 32 - 1),
    faults: readFaults(values.faults),
    speed: whole(values.speed, '--speed', 1, FASTEST),
    nodeDelaySeconds: readDuration(values['node-delay'], '--node-delay'),
    ...(start !== undefined && { start: readTime(start) }),
    ...(port !== undefined && { port: whole(port, '--port', 0, 65_535) }),
    ...(kubeconfig !== undefined && { kubeconfig }),
    act: values.act,
    untilSeconds: readDuration(values.until, '--until'),
    json: values.json,
  };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: FLAGS, strict: true, allowPositionals: false }).values;
  } catch (error) {
    const [first = ''] = (error as Error).message.split('. ');
    throw new OptionError(
      `${first.charAt(0).toLowerCase()}${first.slice(1)}; npm start -- --help shows what can be written`,
    );
  }
}

function readScenario(id: string): string {
  try {
    return scenarioOf(id).id;
  } catch (error) {
    throw new OptionError(`--scenario: ${(error as Error).message}`);
  }
}

function whole(text: string, flag: string, least: number, most: number): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isInteger(value) || value < least || value > most)
    throw new OptionError(`${flag} is ${JSON.stringify(text)}; write a whole number from ${least} to ${most}`);
  return value;
}

function readDuration(text: string, flag: string): number {
  const seconds = parseDuration(text);
  if (seconds === undefined || seconds === 0)
    throw new OptionError(`${flag} is ${JSON.stringify(text)}; write a duration such as 50s, 30m or 24h`);
  return seconds;
}

function readTime(text: string): number {
  const zoned = /^\d{4}-\d{2}-\d{2}$/.test(text) || /(Z|[+-]\d{2}:?\d{2})$/.test(text) ? text : `${text}Z`;
  const instant = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(zoned) : Number.NaN;
  if (Number.isNaN(instant))
    throw new OptionError(
      `--start is ${JSON.stringify(text)}; write a date such as 2026-11-27 or 2026-11-27T08:00:00Z`,
    );
  return instant;
}

const FAULT_NAMES: Readonly<Record<string, keyof Faults>> = {
  lost: 'lost',
  doubled: 'doubled',
  late: 'late',
  api: 'apiErrors',
};

function readFaults(text: string): Faults {
  if (text === 'off') return NO_FAULTS;
  if (text === 'on') return DEFAULT_FAULTS;
  const faults: { -readonly [share in keyof Faults]: number } = { ...NO_FAULTS };
  for (const part of text.split(',')) {
    const [name = '', value = ''] = part.split('=');
    const [key, share] = [FAULT_NAMES[name.trim()], Number(value)];
    if (!key || value.trim() === '' || !(share >= 0 && share <= 1))
      throw new OptionError(
        `--faults has ${JSON.stringify(part)}; write on, off, or shares such as lost=0.1,doubled=0.1,late=0.1,api=0.1`,
      );
    faults[key] = share;
  }
  if (faults.lost + faults.doubled + faults.late > 1)
    throw new OptionError(`--faults ${text} adds up to more than 1; write shares that leave something over`);
  return faults;
}
