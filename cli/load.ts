import { loadConfigFiles } from '../shared/adapters/config-files';
import type { Config } from '../shared/core/config/config';
import { formatProblem } from '../shared/core/config/problem';
import { InputError } from './exit';
import type { Terminal } from './terminal';

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
