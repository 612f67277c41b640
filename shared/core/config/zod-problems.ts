import type { z } from 'zod';
import { faultOf, list } from './fields';
import { type Located, problemAt, valueAt } from './located';
import { type Problem, showValue } from './problem';

type JsonSchema = z.core.JSONSchema.JSONSchema;
type Path = readonly PropertyKey[];

/** Turns zod's findings into problems: where, what is wrong, and what to write. */
export function problemsOf(issues: readonly z.core.$ZodIssue[], tree: Located, schema: JsonSchema): Problem[] {
  return issues.flatMap((issue): Problem[] => {
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) =>
        problemAt(tree, [...issue.path, key], unknownKey(key, knownKeys(schema, issue.path))),
      );
    if (issue.code === 'invalid_key')
      return [
        problemAt(tree, issue.path, `is not a valid name; ${issue.issues.map(({ message }) => message).join('; ')}`),
      ];
    return [problemAt(tree, issue.path, sayIssue(issue, valueAt(tree, issue.path)))];
  });
}

function sayIssue(issue: z.core.$ZodIssue, got: unknown): string {
  const fault = faultOf(issue) ?? (got === undefined || got === null ? 'is missing' : `is ${showValue(got)}`);
  return `${fault}; ${issue.message}`;
}

function unknownKey(key: string, known: readonly string[]): string {
  const near = nearest(key, known);
  if (near) return `is not a key that Headstart knows; did you mean ${near}?`;
  return `is not a key that Headstart knows; write one of ${list(known)}`;
}

/** The keys that the schema knows at a path, found in its JSON Schema. */
function knownKeys(schema: JsonSchema, path: Path): string[] {
  let here: JsonSchema | undefined = schema;
  for (const step of path) here = typeof step === 'number' ? asSchema(here?.items) : childOf(here, String(step));
  return Object.keys(here?.properties ?? {});
}

function childOf(schema: JsonSchema | undefined, key: string): JsonSchema | undefined {
  const { properties = {}, additionalProperties } = schema ?? {};
  return asSchema(Object.hasOwn(properties, key) ? properties[key] : additionalProperties);
}

function asSchema(value: unknown): JsonSchema | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonSchema) : undefined;
}

function nearest(word: string, known: readonly string[]): string | undefined {
  const close = known.map((key) => ({ key, distance: distance(word.toLowerCase(), key.toLowerCase()) }));
  const [best] = close.sort((a, b) => a.distance - b.distance);
  return best && best.distance <= Math.max(2, Math.floor(word.length / 3)) ? best.key : undefined;
}

/** Levenshtein's edit distance. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1)
      next[j] = Math.min(
        (row[j] ?? 0) + 1,
        (next[j - 1] ?? 0) + 1,
        (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1),
      );
    row = next;
  }
  return row[b.length] ?? 0;
}
