import { basename, dirname, extname, join } from 'node:path';
import { type LoadedConfig, loadConfig } from '../../core/config/read/load';
import type { Problem } from '../../core/config/yaml/problem';
import type { ConfigSource } from '../../core/config/yaml/read-located';
import { fileFault, readText } from './read-text';

/** How a command names what it reads, for messages. */
export interface NamedBy {
  readonly config: string;
  readonly env: string;
  /** The command that writes a first config. */
  readonly init: string;
  /** With the time, dates that are past are said. */
  readonly now?: number;
}

const BY_OPTIONS: NamedBy = { config: '--config', env: '--env', init: 'headstart init' };

/** Reads a config file and, with `env`, its overlay: `headroom.staging.yaml` over `headroom.yaml`. */
export function loadConfigFiles(path: string, env?: string, namedBy: NamedBy = BY_OPTIONS): LoadedConfig {
  const { config, env: overlay, init, now } = namedBy;
  const read = configPaths(path, env).map((file, index) =>
    readSource(file, index === 0 ? { option: config, init } : { option: overlay, init: 'an editor' }),
  );
  const problems = read.filter((one): one is Problem => 'message' in one);
  if (problems.length > 0) return { ok: false, problems };
  return loadConfig(read as ConfigSource[], now);
}

/** The files that a config consists of, the overlay last. */
export function configPaths(path: string, env?: string): readonly string[] {
  if (env === undefined) return [path];
  const extension = extname(path);
  return [path, join(dirname(path), `${basename(path, extension)}.${env}${extension}`)];
}

function readSource(file: string, { option, init }: { option: string; init: string }): ConfigSource | Problem {
  try {
    return { file: displayPath(file), text: readText(file) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const message =
      code === 'ENOENT'
        ? `does not exist; write it with ${init}, or name another with ${option}`
        : `${fileFault(error, 'read')}; name another with ${option}`;
    return { file, line: 1, column: 1, path: '', message };
  }
}

export function displayPath(path: string): string {
  return path === '-' ? 'standard input' : path;
}
