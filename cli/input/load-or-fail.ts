import { loadConfigFiles } from '../../shared/adapters/files/config-files';
import { isPattern } from '../../shared/adapters/files/config-glob';
import { type Config, type HeadroomConfig, noHeadroomText } from '../../shared/core/config/config';
import { formatProblem } from '../../shared/core/config/yaml/problem';
import { InputError } from '../terminal/exit';
import type { Terminal } from '../terminal/terminal';

export interface ConfigOptions {
  readonly config: string;
  readonly env?: string;
  readonly json?: boolean;
  /** With a pattern: only the clusters of this `cluster.wave`. */
  readonly wave?: string;
}

/** The config, or an input error with every problem; warnings go to stderr. `option` is the one that names the file. */
export function loadOrFail(
  { config, env }: ConfigOptions,
  { err, launcher, now }: Pick<Terminal, 'err' | 'launcher' | 'now'>,
  option = '--config',
): Config {
  if (isPattern(config))
    throw new InputError(`${option} ${config} is for several clusters, and this command is for one; name one file`);
  const loaded = loadConfigFiles(config, env, { config: option, env: '--env', init: `${launcher} init`, now: now() });
  if (!loaded.ok) throw new InputError(loaded.problems.map(formatProblem).join('\n'));
  for (const warning of loaded.warnings) err(`warning: ${formatProblem(warning)}\n`);
  return loaded.config;
}

const CONFIG_FILE = /\.ya?ml$/i;

/** The headroom of that name, or an error that lists the existing ones. */
export function poolOrFail(config: Config, name: string, option = 'headroom'): HeadroomConfig {
  const found = config.headrooms.find((pool) => pool.name === name);
  if (found) return found;
  if (CONFIG_FILE.test(name)) throw new InputError(`${option} ${name} is a file; pass the config with -c ${name}`);
  throw new InputError(`${option} ${JSON.stringify(name)} ${noHeadroomText(name, config)}`);
}
