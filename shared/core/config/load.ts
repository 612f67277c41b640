import { checkConfig } from './check';
import type { Config } from './config';
import { configJsonSchema } from './json-schema';
import { type ConfigSource, type Located, type LocatedEntry, plain, readLocated } from './located';
import { mergeLocated } from './merge';
import { formatProblem, type Problem } from './problem';
import { resolveConfig } from './resolve';
import { ConfigInput } from './schema';
import { warningsOf } from './warnings';
import { problemsOf } from './zod-problems';

export type LoadedConfig =
  | { readonly ok: true; readonly config: Config; readonly warnings: readonly Problem[] }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Reads `headroom.yaml` and its overlays, later ones on top; reports every problem at once. */
export function loadConfig(sources: readonly ConfigSource[]): LoadedConfig {
  const read = sources.map(readLocated);
  const broken = read.flatMap(({ problems }) => problems);
  const [first, ...overlays] = read.map(({ tree }) => tree);
  if (!first) throw new Error('loadConfig needs at least one file');
  if (broken.length > 0) return { ok: false, problems: broken };

  const tree = withDefaults(overlays.reduce(mergeLocated, first));
  const checked = ConfigInput.safeParse(plain(tree));
  const problems = [
    ...(checked.success ? [] : problemsOf(checked.error.issues, tree, configJsonSchema())),
    ...checkConfig(tree),
  ];
  if (!checked.success || problems.length > 0) return { ok: false, problems: inOrder(problems) };
  const config = resolveConfig(checked.data);
  return { ok: true, config, warnings: inOrder(warningsOf(config, tree)) };
}

/** Each NodePool on top of `defaults`, in the file's own tree, so that places stay right. */
function withDefaults(tree: Located): Located {
  if (tree.kind !== 'map') return tree;
  const [defaults, pools] = [tree.entries.get('defaults'), tree.entries.get('nodePools')];
  if (pools?.value.kind !== 'map' || defaults?.value.kind !== 'map') return tree;
  const merged = new Map<string, LocatedEntry>();
  for (const [name, { keyPlace, value }] of pools.value.entries) {
    const nothing = value.kind === 'scalar' && value.value === null;
    merged.set(name, { keyPlace, value: nothing ? defaults.value : mergeLocated(defaults.value, value) });
  }
  const entries = new Map(tree.entries);
  entries.set('nodePools', { ...pools, value: { ...pools.value, entries: merged } });
  return { ...tree, entries };
}

function inOrder(problems: readonly Problem[]): Problem[] {
  const unique = new Map(problems.map((found) => [formatProblem(found), found]));
  return [...unique.values()].sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line || a.column - b.column);
}
