import { type LoadedConfig, loadConfig } from '../../../../shared/core/config/read/load';
import { formatProblem } from '../../../../shared/core/config/yaml/problem';

/** The least that every config needs. */
export const CLUSTER = 'cluster: {name: demo, region: ap-northeast-2}\n';

/** What is wrong with a config and its overlay, as a person reads it. */
export function problemsIn(...texts: string[]): string[] {
  const loaded = read(texts);
  return loaded.ok ? [] : loaded.problems.map(formatProblem);
}

/** Loads a config and its overlay, which must be valid. */
export function load(...texts: string[]) {
  const loaded = read(texts);
  if (!loaded.ok) throw new Error(loaded.problems.map(formatProblem).join('\n'));
  return loaded;
}

function read(texts: readonly string[]): LoadedConfig {
  const files = ['headroom.yaml', 'headroom.staging.yaml'];
  return loadConfig(texts.map((text, i) => ({ file: files[i] ?? '', text })));
}

/** A config with one NodePool that has these lines. */
export const pool = (...lines: string[]) =>
  `${CLUSTER}nodePools:\n  web:\n${lines.map((line) => `    ${line}\n`).join('')}`;
