import { loadConfigFiles } from '../../shared/adapters/config-files';
import type { Config, NodePoolConfig } from '../../shared/core/config/config';
import { formatProblem } from '../../shared/core/config/problem';
import { InputError } from '../terminal/exit';
import type { Terminal } from '../terminal/terminal';

export interface ConfigOptions {
  readonly config: string;
  readonly env?: string;
}

/** The config, or an input error with every problem; warnings go to stderr. */
export function loadOrFail({ config, env }: ConfigOptions, { err }: Pick<Terminal, 'err'>): Config {
  const loaded = loadConfigFiles(config, env);
  if (!loaded.ok) throw new InputError(loaded.problems.map(formatProblem).join('\n'));
  for (const warning of loaded.warnings) err(`warning: ${formatProblem(warning)}\n`);
  return loaded.config;
}

/** The NodePool of the config, or an error that lists those that there are. */
export function poolOrFail(config: Config, name: string): NodePoolConfig {
  const found = config.nodePools.find((pool) => pool.name === name);
  if (found) return found;
  const known = config.nodePools.map((pool) => pool.name).join(', ');
  throw new InputError(`NodePool ${JSON.stringify(name)} is not in the config; write one of ${known}`);
}
