import type { z } from 'zod';
import { faultOf, list } from './fields';
import { type Located, type Path, problemAt, valueAt } from './located';
import { type Problem, showValue } from './problem';

type JsonSchema = z.core.JSONSchema.JSONSchema;

/** Turns zod's findings into problems: where, what is wrong, and what to write. */
export function problemsOf(issues: readonly z.core.$ZodIssue[], tree: Located, schema: JsonSchema): Problem[] {
  return issues.flatMap((issue): Problem[] => {
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => problemAt(tree, [...issue.path, key], unknownKey(tree, issue.path, key, schema)));
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

function unknownKey(tree: Located, path: Path, key: string, schema: JsonSchema): string {
  // `remove: true` never gets here.
  if (key === 'remove') return `is ${showValue(valueAt(tree, [...path, key]))}; write true, or leave it out`;
  const known = knownKeys(schema, path);
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
  const furthest = Math.max(2, Math.floor(word.length / 3));
  const close = known
    .filter((key) => Math.abs(key.length - word.length) <= furthest)
    .map((key) => ({ key, distance: distance(word.toLowerCase(), key.toLowerCase()) }));
  const [best] = close.sort((a, b) => a.distance - b.distance);
  return best && best.distance <= furthest ? best.key : undefined;
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
