import { stringify } from 'yaml';
import { loadConfig } from '../../shared/core/config/load';
import { formatPath, formatProblem, type Problem } from '../../shared/core/config/problem';
import { InputError } from '../terminal/exit';
import type { Imported, ImportedPool } from './imported';
import type { Path } from './ledger';
import { configOf, type FileHead } from './write-config';

const MAX_ROUNDS = 50;

/**
 * Removes what the config would refuse, and lists it: whatever an import writes
 * passes validate.
 */
export function finalize(imported: Imported, head: FileHead): Imported {
  let current = imported;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const text = stringify(configOf(current, head));
    const loaded = loadConfig([{ file: 'headroom.yaml', text }]);
    if (loaded.ok) return current;
    const [problem] = loaded.problems;
    const removed = problem && withoutRefused(current, problem);
    if (!removed)
      throw new InputError(`the imported config would be invalid: ${loaded.problems.map(formatProblem).join('; ')}`);
    current = removed;
  }
  throw new InputError('the imported config would be invalid: too many settings are refused; correct the input first');
}

/** Drops the setting that a problem is about; `undefined` when it is about none of ours. */
function withoutRefused(imported: Imported, { path, message }: Problem): Imported | undefined {
  for (const pool of imported.pools) {
    const found = pathsIn(pool.settings).find((steps) => formatPath(['nodePools', pool.name, ...steps]) === path);
    if (!found) continue;
    const { settings, value } = without(pool.settings, found);
    const left = {
      label: `nodePools.${pool.name}`,
      path: formatPath(found),
      value: JSON.stringify(value),
      why: message,
    };
    const pools = imported.pools.map((one): ImportedPool => (one === pool ? { ...one, settings } : one));
    return { ...imported, pools, others: [...imported.others, left] };
  }
  return undefined;
}

/** The path of every value below, the holder before what it holds. */
function pathsIn(value: unknown): Path[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) => {
    const step = Array.isArray(value) ? Number(key) : key;
    return [[step], ...pathsIn(child).map((rest) => [step, ...rest])];
  });
}

function without(
  settings: Readonly<Record<string, unknown>>,
  steps: Path,
): { readonly settings: Record<string, unknown>; readonly value: unknown } {
  const copy = structuredClone(settings) as Record<string, unknown>;
  const last = steps.at(-1) ?? '';
  const holder = steps
    .slice(0, -1)
    .reduce<Record<string | number, unknown>>((here, step) => here[step] as Record<string | number, unknown>, copy);
  const value = holder[last];
  if (Array.isArray(holder)) holder.splice(Number(last), 1);
  else delete holder[last];
  return { settings: copy, value };
}
