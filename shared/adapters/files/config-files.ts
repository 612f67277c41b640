import { existsSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { type Extended, extendedBy } from '../../core/config/read/extends';
import { type LoadedConfig, loadConfig } from '../../core/config/read/load';
import { problemFor } from '../../core/config/yaml/located';
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

/** Reads a config file on top of the one that it extends and, with `env`, below its overlay: `headroom.staging.yaml`. */
export function loadConfigFiles(path: string, env?: string, namedBy: NamedBy = BY_OPTIONS): LoadedConfig {
  const read = readSources(path, env, namedBy);
  const problems = read.filter((one): one is Problem => 'message' in one);
  if (problems.length > 0) return { ok: false, problems };
  return loadConfig(read as ConfigSource[], namedBy.now);
}

/** The files that a config consists of: what it extends, itself, and its overlay. */
export function configPaths(path: string, env?: string): readonly string[] {
  return readSources(path, env, BY_OPTIONS).map(({ file }) => file);
}

export function overlayPath(path: string, env: string): string {
  const extension = extname(path);
  return join(dirname(path), `${basename(path, extension)}.${env}${extension}`);
}

/** An overlay may exist for some clusters only; if none has it, `env` is probably misspelt, so loading reports it. */
export function overlaidFiles(files: readonly string[], env: string | undefined): readonly string[] {
  if (env === undefined) return [];
  const found = files.filter((file) => existsSync(overlayPath(file, env)));
  return found.length > 0 ? found : files;
}

/** In the order in which they are merged, each as it was read or why it cannot be used. */
export function readSources(path: string, env?: string, namedBy: NamedBy = BY_OPTIONS): (ConfigSource | Problem)[] {
  const { config, env: overlay, init } = namedBy;
  const file = readSource(path, `write it with ${init}, or name another with ${config}`, config);
  const extended = 'text' in file ? extendedBy(file) : undefined;
  const over =
    env === undefined
      ? []
      : [readSource(overlayPath(path, env), `write it with an editor, or name another with ${overlay}`, overlay)];
  return [
    ...(extended ? [readBase(extended, path)] : []),
    file,
    ...over.map((one) => extendingNothing(one, 'is in an overlay; write it in the file that the overlay is for')),
  ];
}

function readBase({ base, place }: Extended, path: string): ConfigSource | Problem {
  const file = join(dirname(path), base);
  const found = readSource(file, '', '');
  if ('text' in found)
    return extendingNothing(found, `is in a file that ${displayPath(path)} extends; a base extends nothing`);
  const [what = ''] = found.message.split(';');
  return problemFor(place, ['extends'], `names ${file}, which ${what}; write the path from this file to its base`);
}

function extendingNothing(source: ConfigSource | Problem, message: string): ConfigSource | Problem {
  const extended = 'text' in source ? extendedBy(source) : undefined;
  return extended ? problemFor(extended.place, ['extends'], message) : source;
}

export function readSource(file: string, write: string, option: string): ConfigSource | Problem {
  try {
    return { file: displayPath(file), text: readText(file) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const isMissing = code === 'ENOENT';
    const message = isMissing ? `does not exist; ${write}` : `${fileFault(error, 'read')}; name another with ${option}`;
    return { file: displayPath(file), line: 1, column: 1, path: '', message };
  }
}

export function displayPath(path: string): string {
  return path === '-' ? 'standard input' : path;
}
