import { awsWarnings } from '../check/aws-limits';
import { checkConfig } from '../check/check-config';
import { checkResources } from '../check/check-resources';
import { doubtfulWindows, pastDates } from '../check/doubtful-windows';
import { checkRecords } from '../check/record-size';
import { schemaIssues } from '../check/schema-issues';
import { suspiciousValues } from '../check/suspicious-values';
import { hintsOf, warningsOf } from '../check/warnings';
import { writtenConfig } from '../check/written';
import { problemsOf, unknownKeyIn } from '../check/zod-problems';
import type { Config } from '../config';
import { ConfigInput } from '../schema/config-schema';
import { configJsonSchema } from '../schema/json-schema';
import { type Located, type LocatedEntry, type LocatedMap, type Path, plain, valueAt } from '../yaml/located';
import { formatProblem, type Problem } from '../yaml/problem';
import { type ConfigSource, readLocated } from '../yaml/read-located';
import { type Merged, mergeLocated } from './merge';
import { withoutStrayRemovals } from './removable';
import { resolveConfig } from './resolve';

export type LoadedConfig =
  | {
      readonly ok: true;
      readonly config: Config;
      readonly warnings: readonly Problem[];
      readonly hints: readonly Problem[];
    }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Reads `headroom.yaml` and its overlays, later ones on top; reports every problem at once, and with the time also what is past. */
export function loadConfig(sources: readonly ConfigSource[], now?: number): LoadedConfig {
  const read = sources.map(readLocated);
  const broken = read.flatMap(({ problems }) => problems);
  if (broken.length > 0) return { ok: false, problems: inOrder(broken) };

  const merged = mergeAll(read.map(({ tree }) => tree));
  const { tree } = merged;
  const values = plain(tree);
  const checked = ConfigInput.safeParse(values);
  const issues = checked.success ? [] : schemaIssues(values);
  const problems = [
    ...merged.problems,
    ...(checked.success ? [] : problemsOf(issues, tree, unknownKeyIn(tree, configJsonSchema()))),
    ...checkConfig(tree, writtenConfig(tree, issues)),
  ];
  if (!checked.success || problems.length > 0) return { ok: false, problems: inOrder(problems) };
  const config = resolveConfig(checked.data);
  const tooLarge = [...checkRecords(config, tree), ...checkResources(config, tree)];
  if (tooLarge.length > 0) return { ok: false, problems: inOrder(tooLarge) };
  const found = [warningsOf, doubtfulWindows, awsWarnings, suspiciousValues].flatMap((warn) => warn(config, tree));
  const past = now === undefined ? [] : pastDates(config, tree, now);
  const warnings = inOrder([...merged.warnings, ...found, ...past]);
  return { ok: true, config, warnings, hints: inOrder(hintsOf(config, tree)) };
}

/** The first file, the overlays on top of it, and each NodePool on top of `defaults`. */
function mergeAll([first, ...overlays]: readonly Located[]): Merged {
  if (!first) throw new Error('loadConfig needs at least one file');
  const problems: Problem[] = [];
  const warnings: Problem[] = [];
  const merge: MergeStep = (base, over, path) => {
    const merged = mergeLocated(base, over, path);
    problems.push(...merged.problems);
    warnings.push(...merged.warnings);
    return merged.tree;
  };
  const laid = overlays.reduce((base, over) => merge(base, over, []), first);
  const { tree, problems: strays } = withoutStrayRemovals(withDefaults(laid, merge));
  return { tree, problems: [...problems, ...strays], warnings };
}

type MergeStep = (base: Located, over: Located, path: Path) => Located;

/** What all headrooms on a NodePool share, and only the entry whose key it is has. */
const SHARED = ['pool', 'price'];

/** In the file's own tree, so that places stay right. */
function withDefaults(tree: Located, merge: MergeStep): Located {
  if (tree.kind !== 'map') return tree;
  const [defaults, pools] = [tree.entries.get('defaults'), tree.entries.get('nodePools')];
  if (pools?.value.kind !== 'map' || defaults?.value.kind !== 'map') return tree;
  const merged = new Map<string, LocatedEntry>();
  for (const [name, { keyPlace, value }] of pools.value.entries) {
    const nothing = value.kind === 'scalar' && value.value === null;
    const whole = nothing || (value.kind === 'map' && value.entries.size === 0);
    const below = defaultsFor(defaults.value, name, value);
    merged.set(name, { keyPlace, value: whole ? below : merge(below, value, ['nodePools', name]) });
  }
  const entries = new Map(tree.entries);
  entries.set('nodePools', { ...pools, value: { ...pools.value, entries: merged } });
  return { ...tree, entries };
}

function defaultsFor(defaults: LocatedMap, name: string, entry: Located): LocatedMap {
  const nodePool = valueAt(entry, ['nodePool']) ?? name;
  const skipped = ['nodePool', ...(nodePool === name ? [] : SHARED)];
  return { ...defaults, entries: new Map([...defaults.entries].filter(([key]) => !skipped.includes(key))) };
}

function inOrder(problems: readonly Problem[]): Problem[] {
  const unique = new Map(problems.map((found) => [formatProblem(found), found]));
  return [...unique.values()].sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line || a.column - b.column);
}
