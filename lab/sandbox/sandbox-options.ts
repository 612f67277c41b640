import { collectErrors } from '../../cli/input/collect-errors';
import type { ConfigOptions } from '../../cli/input/load-or-fail';
import { readWholeNumber } from '../../cli/input/numbers';
import { readDuration, readTime } from '../../cli/input/time';
import { InputError } from '../../cli/terminal/exit';
import { MAX_SPEED } from '../console/snapshot/page-command';
import type { SimulationStart } from '../console/sources/start-simulation';
import { type Faults, NO_FAULTS } from '../simulator/bus/faults';
import { SCENARIOS } from '../simulator/scenarios/scenarios';

export interface SandboxOptions extends ConfigOptions {
  readonly scenario: string;
  readonly seed: string;
  readonly faults: string;
  readonly nodeDelay: string;
  readonly start?: string;
  readonly speed: string;
  readonly port?: string;
  readonly kubeconfig?: string;
  readonly stack?: string;
  readonly otherCluster?: boolean;
  readonly headless?: boolean;
  readonly until: string;
  readonly report?: boolean;
}

export interface StartOptions
  extends SimulationStart,
    Omit<SandboxOptions, keyof SimulationStart | 'nodeDelay' | 'port' | 'until'> {
  readonly port?: number;
  readonly untilSeconds: number;
}

/** A tenth of the events lost, a tenth doubled, a tenth late, a tenth of the API calls failed. */
const DEFAULT_FAULTS: Faults = { lost: 0.1, doubled: 0.1, late: 0.1, apiErrors: 0.1 };
const MAX_SEED = 2 ** 32 - 1;
const MAX_PORT = 65_535;

export function readOptions(given: SandboxOptions, now: number): StartOptions {
  const { start, port, nodeDelay, until, ...others } = given;
  const { kubeconfig, headless } = given;
  const [, scenario, seed, faults, speed, nodeDelaySeconds, startsAt, portNumber, untilSeconds] = collectErrors(
    () => {
      if (headless && kubeconfig !== undefined)
        throw new InputError('--headless runs a simulation; remove --kubeconfig, or use the command status');
    },
    () => readScenario(given.scenario),
    () => readWholeNumber(given.seed, '--seed', { max: MAX_SEED }),
    () => readFaults(given.faults),
    () => readWholeNumber(given.speed, '--speed', { min: 1, max: MAX_SPEED }),
    () => readDuration(nodeDelay, '--node-delay'),
    () => (start === undefined ? {} : { start: readTime(start, '--start', now) }),
    () => (port === undefined ? {} : { port: readWholeNumber(port, '--port', { max: MAX_PORT }) }),
    () => readDuration(until, '--until'),
  );
  const numbers = { seed, speed, nodeDelaySeconds, untilSeconds, ...startsAt, ...portNumber };
  return { ...others, scenario, faults, ...numbers };
}

function readScenario(id: string): string {
  const ids = SCENARIOS.map((scenario) => scenario.id);
  if (ids.includes(id)) return id;
  throw new InputError(`--scenario is ${JSON.stringify(id)}; write one of ${ids.join(', ')}`);
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
      throw new InputError(
        `--faults has ${JSON.stringify(part)}; write on, off, or shares such as lost=0.1,doubled=0.1,late=0.1,api=0.1`,
      );
    faults[key] = share;
  }
  if (faults.lost + faults.doubled + faults.late > 1)
    throw new InputError(`--faults ${text}: lost, doubled and late add up to more than 1; write smaller shares`);
  return faults;
}
