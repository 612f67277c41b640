import { loadConfigFiles } from '../shared/adapters/files/config-files';
import type { Config } from '../shared/core/config/config';
import { formatProblem } from '../shared/core/config/yaml/problem';

export interface LoadConfigOptions {
  /** The overlay to apply: `headroom.staging.yaml` on `headroom.yaml`. @default none */
  readonly env?: string;

  /** Receives warnings about what is valid but probably not intended. @default written to standard error */
  readonly warn?: (line: string) => void;
}

/** How the CDK app's files are named, for messages. */
const BY_CONTEXT = { config: '-c config=FILE', env: '-c env=NAME', init: 'npx headstart init' };

/** The config cannot be used. The message has every problem, one per line, as `headstart validate` prints them. */
export class UnusableConfigError extends Error {
  override readonly name = 'UnusableConfigError';
}

export function writeWarning(line: string): void {
  process.stderr.write(`${line}\n`);
}

/**
 * Reads and checks `headroom.yaml`.
 *
 * @throws UnusableConfigError if it cannot be used
 */
export function loadConfig(file: string, { env, warn = writeWarning }: LoadConfigOptions = {}): Config {
  const loaded = loadConfigFiles(file, env, BY_CONTEXT);
  if (!loaded.ok) throw new UnusableConfigError(loaded.problems.map(formatProblem).join('\n'));
  for (const warning of loaded.warnings) warn(`warning: ${formatProblem(warning)}`);
  return loaded.config;
}
