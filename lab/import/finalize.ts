import { configOf, type FileHead } from '../../cli/config-file/write-config';
import { InputError } from '../../cli/terminal/exit';
import { loadConfig } from '../../shared/core/config/read/load';
import { formatPath, formatProblem, type Problem } from '../../shared/core/config/yaml/problem';
import { asList, asMap } from '../../shared/core/config/yaml/untyped';
import { isEmpty, type LeftOver, type Path, pathsIn, valueAt } from './input/field-ledger';
import type { Imported, ImportedPool } from './input/imported';

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
 * passes validate. It is loaded again because a rule may apply only once another setting is gone.
 */
export function finalize(imported: Imported, head: FileHead, load = loadConfig): Imported {
  const loaded = load([{ file: 'headroom.yaml', text: JSON.stringify(configOf(imported, head)) }]);
  if (loaded.ok) return { ...imported, notes: [...(imported.notes ?? []), ...placeholdersIn(loaded.warnings)] };
  const cleaned = imported.pools.map((pool) => withoutRefused(pool, loaded.problems));
  const others = cleaned.flatMap(({ left }) => left);
  if (others.length === 0) throw new InputError(loaded.problems.map(optionText).join('\n'));
  return finalize(
    { ...imported, pools: cleaned.map(({ pool }) => pool), others: [...imported.others, ...others] },
    head,
    load,
  );
}

/** What the files leave to be filled in. */
function placeholdersIn(warnings: readonly Problem[]): readonly string[] {
  return warnings
    .filter(({ message }) => message.includes('placeholder'))
    .map(({ path, message }) => `Edit ${path}: it ${message}.`);
}

/** What is wrong with the head of the file came from an option. */
function optionText(problem: Problem): string {
  if (problem.path === 'cluster.name') return `--cluster ${problem.message}`;
  if (problem.path === 'cluster.region') return `--region ${problem.message}`;
  return `cannot be imported: ${formatProblem(problem)}`;
}

interface Cleaned {
  readonly pool: ImportedPool;
  readonly left: Imported['others'];
}

/** Drops the settings of a pool that problems are about, from the last to the first, so that the places in lists stay right. */
function withoutRefused(pool: ImportedPool, problems: readonly Problem[]): Cleaned {
  return refusedSettings(pool, problems).reduceRight<Cleaned>(
    ({ pool: { settings }, left }, { path, message }) => {
      const found = wholeRequirement(settings, path);
      const { settings: rest, value } = without(settings, found);
      return { pool: { ...pool, settings: rest }, left: [leftOver(pool, rest, found, { value, message }), ...left] };
    },
    { pool, left: [] },
  );
}

/** In the order of the file; of a setting and one that it holds, only the outer one. */
function refusedSettings({ name, settings }: ImportedPool, problems: readonly Problem[]) {
  const own = pathsIn(settings).map((path) => ({ path, text: formatPath(['nodePools', name, ...path]) }));
  const messages = new Map<string, string>();
  for (const { path, message } of problems.toReversed()) {
    // Where the problem is that a setting is missing, its holder is refused.
    const found = own.findLast(
      ({ text }) => path === text || path.startsWith(`${text}.`) || path.startsWith(`${text}[`),
    );
    if (!found || (found.text !== path && found.path.length === 1)) continue;
    messages.set(JSON.stringify(wholeRequirement(settings, found.path)), message);
  }
  return own.flatMap(({ path }) => {
    const message = messages.get(JSON.stringify(path));
    const isInside = path.some((_, length) => messages.has(JSON.stringify(path.slice(0, length))));
    return message === undefined || isInside ? [] : [{ path, message }];
  });
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
  const holder = valueAt(copy, steps.slice(0, -1)) as Record<string | number, unknown>;
  const value = holder[last];
  if (Array.isArray(holder)) holder.splice(Number(last), 1);
  else delete holder[last];
  return { settings: copy, value };
}
