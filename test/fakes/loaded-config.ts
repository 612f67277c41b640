import { loadConfigFiles } from '../../shared/adapters/files/config-files';
import type { Config } from '../../shared/core/config/config';
import { type LoadedConfig, loadConfig } from '../../shared/core/config/read/load';
import { formatProblem } from '../../shared/core/config/yaml/problem';

/** The config that a text says; what is wrong with it is an error. */
export function loadedConfig(text: string): Config {
  return valid(loadConfig([{ file: 'headroom.yaml', text }]));
}

/** The config in a file, with its overlay for an environment. */
export function configIn(file: string, env?: string): Config {
  return valid(loadConfigFiles(file, env));
}

function valid(loaded: LoadedConfig): Config {
  if (!loaded.ok) throw new Error(loaded.problems.map(formatProblem).join('\n'));
  return loaded.config;
}
