import { loadConfig } from '../../shared/core/config/read/load';
import { formatPath, formatProblem, type Problem } from '../../shared/core/config/yaml/problem';
import { asList, asMap } from '../../shared/core/config/yaml/untyped';
import { InputError } from '../terminal/exit';
import { isEmpty, type LeftOver, type Path, pathsIn } from './input/field-ledger';
import type { Imported, ImportedPool } from './input/imported';
import { configOf, type FileHead } from './write-config';

const MAX_ROUNDS = 200;

/** What holds where a setting of a `pool` block had to be left out. */
const INSTEAD: Readonly<Record<string, string>> = {
  ami: 'al2023@latest, the newest image',
  arch: '[amd64]',
  capacityType: '[on-demand]',
  expireAfter: '720h',
  family: 'any family of category c, m, r',
  instanceTypes: 'any type of category c, m, r',
  category: 'c, m, r',
  securityGroups: 'those tagged karpenter.sh/discovery with the name of the cluster',
  subnets: 'those tagged karpenter.sh/discovery with the name of the cluster',
  zones: 'every zone with a subnet',
};

/**
 * Removes what the config would refuse, and lists it: whatever an import writes
 * passes validate.
 */
export function finalize(imported: Imported, head: FileHead): Imported {
  let current = imported;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const text = JSON.stringify(configOf(current, head));
    const loaded = loadConfig([{ file: 'headroom.yaml', text }]);
    if (loaded.ok) return current;
    const [problem] = loaded.problems;
    const removed = problem && withoutRefused(current, problem);
    if (!removed) throw new InputError(loaded.problems.map(optionText).join('\n'));
    current = removed;
  }
  throw new InputError('too many settings of these files are refused; import a part of them');
}

/** What is wrong with the head of the file came from an option. */
function optionText(problem: Problem): string {
  if (problem.path === 'cluster.name') return `--cluster ${problem.message}`;
  if (problem.path === 'cluster.region') return `--region ${problem.message}`;
  return `cannot be imported: ${formatProblem(problem)}`;
}

/** Drops the setting that a problem is about; `undefined` when it is about none of ours. */
function withoutRefused(imported: Imported, { path, message }: Problem): Imported | undefined {
  for (const pool of imported.pools) {
    const refused = refusedPath(pool, path);
    if (!refused) continue;
    const found = wholeRequirement(pool.settings, refused);
    const { settings, value } = without(pool.settings, found);
    const left = leftOver(pool, settings, found, { value, message });
    const pools = imported.pools.map((one): ImportedPool => (one === pool ? { ...one, settings } : one));
    return { ...imported, pools, others: [...imported.others, left] };
  }
  return undefined;
}

/** The setting itself; where the problem is that one is missing, its holder. */
function refusedPath(pool: ImportedPool, path: string): Path | undefined {
  const own = pathsIn(pool.settings);
  const textOf = (steps: Path) => formatPath(['nodePools', pool.name, ...steps]);
  const exact = own.find((steps) => textOf(steps) === path);
  if (exact) return exact;
  const around = own.filter((steps) => path.startsWith(`${textOf(steps)}.`) || path.startsWith(`${textOf(steps)}[`));
  const holder = around.at(-1);
  return holder && holder.length > 1 ? holder : undefined;
}

/** A requirement means nothing without its key, its operator or its last value. */
function wholeRequirement(settings: ImportedPool['settings'], path: Path): Path {
  const [block, key, index, field, ...below] = path;
  if (block !== 'pool' || key !== 'requirements' || index === undefined || field === undefined) return path;
  const one = asMap(asList(asMap(settings.pool).requirements)[Number(index)]);
  return field === 'values' && below.length > 0 && asList(one.values).length > 1 ? path : [block, key, index];
}

/** In the words of the user's own file, where it came from there. */
function leftOver(
  pool: ImportedPool,
  rest: Readonly<Record<string, unknown>>,
  found: Path,
  { value, message }: { readonly value: unknown; readonly message: string },
): LeftOver & { readonly label: string } {
  const shown = JSON.stringify(value);
  const [block, key = ''] = found;
  const gone = block === 'pool' && isEmpty(asMap(rest.pool)[key]);
  const instead = gone ? INSTEAD[String(key)] : undefined;
  const why = instead === undefined ? message : `${message}. Without it: ${instead}`;
  for (const { ledger } of pool.sources) {
    const source = ledger.sourceOf(found.at(-1) ?? '', value);
    if (!source) continue;
    const line = source.line === undefined ? '' : `:${source.line}`;
    return { label: `${ledger.label}${line}`, path: formatPath(source.path), value: shown, why };
  }
  return { label: `nodePools.${pool.name}`, path: formatPath(found), value: shown, why };
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
