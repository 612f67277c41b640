import type { z } from 'zod';
import type { ConfigInput, NodePoolInput } from '../schema/config-schema';
import type { Rules } from '../schema/rules';
import { type Located, plain } from '../yaml/located';

/** A `T` as it stands in the file: its maps and lists are certain, what they hold may be anything or missing. */
type Written<T> = T extends readonly (infer Item)[]
  ? readonly Written<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]?: Written<Exclude<T[Key], undefined>> }
    : unknown;

export type WrittenConfig = Written<ConfigInput>;

/** A NodePool with its name and the config around it. */
export interface WrittenNodePool extends Written<NodePoolInput> {
  readonly name: string;
  /** Where its unit was written, or the headroom if it has none. */
  readonly unitPlace: string;
  readonly config: WrittenConfig;
}

export type NodePoolRules = Rules<WrittenNodePool>;

/**
 * The config with an empty map or list wherever the schema found something else, so that rules across
 * its values report what they find even while one of the values is wrong.
 */
export function writtenConfig(tree: Located, issues: readonly z.core.$ZodIssue[]): WrittenConfig {
  const root: Tree = { config: plain(tree) };
  for (const issue of issues) {
    const expected = issue.code === 'invalid_type' ? issue.expected : undefined;
    if (expected !== 'array' && expected !== 'object' && expected !== 'record') continue;
    const path = ['config', ...issue.path];
    const parent = path.slice(0, -1).reduce<unknown>((here, step) => (here as Tree)[step], root) as Tree;
    parent[path.at(-1) ?? ''] = expected === 'array' ? [] : {};
  }
  return root.config as WrittenConfig;
}

type Tree = Record<PropertyKey, unknown>;
