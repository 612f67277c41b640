import { stringify } from 'yaml';
import { loadConfig } from '../../shared/core/config/load';
import { formatProblem } from '../../shared/core/config/problem';
import { InputError } from '../terminal/exit';
import type { Imported, ImportedPool } from './imported';
import { configOf, type FileHead } from './write-config';

const MAX_ROUNDS = 50;

/**
 * Takes out what the config would refuse, and says so: whatever an import writes
 * passes validate.
 */
export function settle(imported: Imported, head: FileHead): Imported {
  let current = imported;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const text = stringify(configOf(current, head));
    const loaded = loadConfig([{ file: 'headroom.yaml', text }]);
    if (loaded.ok) return current;
    const [problem] = loaded.problems;
    const removed = problem && withoutRefused(current, problem.path, problem.message);
    if (!problem || !removed)
      throw new InputError(`the import would not be valid: ${loaded.problems.map(formatProblem).join('; ')}`);
    current = removed;
  }
  throw new InputError('the import would not be valid: too much of it is refused; correct the input first');
}

/** Drops the setting that a problem is about; `undefined` when it is about none of ours. */
function withoutRefused(imported: Imported, path: string, message: string): Imported | undefined {
  const steps = [...path.matchAll(/\["([^"]*)"\]|\[(\d+)\]|[^.[\]]+/g)].map(
    ([all, quoted, index]) => quoted ?? index ?? all,
  );
  const [top, name, ...rest] = steps;
  const pool = imported.pools.find((one) => one.name === name);
  if (top !== 'nodePools' || !pool || rest.length === 0) return undefined;
  const { settings, value } = without(pool.settings, rest);
  if (value === undefined) return undefined;
  const left = { label: `nodePools.${pool.name}`, path: rest.join('.'), value: JSON.stringify(value), why: message };
  const pools = imported.pools.map((one): ImportedPool => (one === pool ? { ...one, settings } : one));
  return { ...imported, pools, others: [...imported.others, left] };
}

function without(
  settings: Readonly<Record<string, unknown>>,
  steps: readonly string[],
): { settings: Record<string, unknown>; value: unknown } {
  const copy = structuredClone(settings) as Record<string, unknown>;
  let here: unknown = copy;
  for (const step of steps.slice(0, -1)) {
    here = (here as Record<string, unknown> | undefined)?.[step];
    if (typeof here !== 'object' || here === null) return { settings: copy, value: undefined };
  }
  const last = steps.at(-1) ?? '';
  const holder = here as Record<string, unknown>;
  const value = holder[last];
  if (Array.isArray(holder)) holder.splice(Number(last), 1);
  else delete holder[last];
  return { settings: copy, value };
}
