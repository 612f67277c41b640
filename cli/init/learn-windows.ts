import { MAX_REPLICAS } from '../../shared/core/basics/record-limits';
import type { Config } from '../../shared/core/config/config';
import { loadConfig } from '../../shared/core/config/read/load';
import { formatProblem } from '../../shared/core/config/yaml/problem';
import type { ImportedPool } from '../import/input/imported';
import { drawSuggestions } from '../suggest/draw-suggestion';
import { mergeInto } from '../suggest/merge-config';
import { type HistoryOptions, readHistory } from '../suggest/read-history';
import { suggestAll, weeksOf } from '../suggest/suggest';
import { InputError } from '../terminal/exit';
import type { Terminal } from '../terminal/terminal';
import { STARTER } from './pool-entries';

const SETTINGS = { cover: 0.99, most: 5, learnDays: 28 };

/** A first config with the windows of a history; without a cluster the history names the NodePools. */
export async function learnedConfig(
  seen: readonly ImportedPool[] | undefined,
  write: (pools: readonly ImportedPool[]) => string,
  options: HistoryOptions,
  terminal: Terminal,
): Promise<string> {
  // A CloudWatch metric names no NodePool.
  const known = seen ?? (options.cloudwatch === undefined ? [] : [newEntry(options.pool ?? STARTER.name)]);
  const names = known.map(({ name }) => name);
  const config = configOf(write(known.length > 0 ? known : [STARTER]));
  const reading = { ...config, nodePools: config.nodePools.filter(({ name }) => names.includes(name)) };
  const store = await readHistory(options, reading, undefined, terminal);
  const pools = seen ?? store.names.map(newEntry);
  const unbounded = configOf(write(pools.map((pool) => withMax(pool, MAX_REPLICAS))));
  const suggestions = suggestAll(store, unbounded, SETTINGS, terminal);
  const most = new Map(
    suggestions
      .filter(({ advice }) => advice !== 'none')
      .map(({ pool, lesson }) => [pool, Math.max(lesson.base, ...lesson.windows.map(({ window }) => window.replicas))]),
  );
  const bounded = pools.map((pool) => withMax(pool, Math.max(Number(pool.settings.max), most.get(pool.name) ?? 0)));
  const merged = mergeInto(write(bounded), suggestions);
  const weeks = weeksOf(configOf(merged.text), suggestions, terminal.now());
  terminal.out(`${drawSuggestions(suggestions, weeks, terminal)}\n`);
  for (const note of [...store.notes, ...merged.notes]) terminal.err(`note: ${note}\n`);
  return merged.text;
}

function newEntry(name: string): ImportedPool {
  return {
    name,
    settings: { max: 4, leadTime: '5m', unit: { node: { cpu: 1, memory: '2Gi' } } },
    remarks: { unit: 'Demand was counted in this: write what your largest pod requests, and learn again.' },
    sources: [],
  };
}

function withMax(pool: ImportedPool, max: number): ImportedPool {
  return { ...pool, settings: { ...pool.settings, max } };
}

function configOf(text: string): Config {
  const loaded = loadConfig([{ file: 'the learned config', text }]);
  if (loaded.ok) return loaded.config;
  throw new InputError(loaded.problems.map(formatProblem).join('\n'));
}
