import { basename, dirname, extname, join } from 'node:path';
import { type LoadedConfig, loadConfig } from '../core/config/load';
import type { Problem } from '../core/config/problem';
import type { ConfigSource } from '../core/config/read-located';
import { readText } from './read-text';

/** Reads a config file and, with `env`, its overlay: `headroom.staging.yaml` over `headroom.yaml`. */
export function loadConfigFiles(path: string, env?: string): LoadedConfig {
  const read = configPaths(path, env).map(readSource);
  const problems = read.filter((one): one is Problem => 'message' in one);
  if (problems.length > 0) return { ok: false, problems };
  return loadConfig(read as ConfigSource[]);
}

/** The files that a config consists of, the overlay last. */
export function configPaths(path: string, env?: string): readonly string[] {
  if (env === undefined) return [path];
  const extension = extname(path);
  return [path, join(dirname(path), `${basename(path, extension)}.${env}${extension}`)];
}

function readSource(file: string): ConfigSource | Problem {
  try {
    return { file: shownPath(file), text: readText(file) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`;
    return { file, line: 1, column: 1, path: '', message: `${why}; write it, or name another with --config` };
  }
}

/** How people call the file. */
export function shownPath(path: string): string {
  return path === '-' ? 'standard input' : path;
}
