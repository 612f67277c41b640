import type { z } from 'zod';
import { nearest } from '../../basics/nearest';
import { type Found, isFault } from '../schema/rules';
import { list } from '../schema/schema-fields';
import { type Located, type Path, problemAt, valueAt } from '../yaml/located';
import { formatPath, isNotFinite, type Problem, showValue } from '../yaml/problem';

type JsonSchema = z.core.JSONSchema.JSONSchema;

/** What is wrong with a key that the schema does not have at a path. */
export type UnknownKey = (path: Path, key: string) => string;

/** Turns zod's findings into problems: where, what is wrong, and what to write. */
export function problemsOf(issues: readonly z.core.$ZodIssue[], tree: Located, unknownKey: UnknownKey): Problem[] {
  return issues.flatMap((issue): Problem[] => {
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => problemAt(tree, [...issue.path, key], unknownKey(issue.path, key)));
    if (issue.code === 'invalid_key')
      return [
        problemAt(tree, issue.path, `is not a valid name; ${issue.issues.map(({ message }) => message).join('; ')}`),
      ];
    const inside = issue.code === 'invalid_union' ? insideUnion(issue) : undefined;
    if (inside) return problemsOf(inside, tree, unknownKey);
    return [problemAt(tree, issue.path, sayIssue(issue, valueAt(tree, issue.path)))];
  });
}

/** The faults of the value at a path as problems, each with its place; what is no finite number the schema has named already. */
export function problemsBelow(tree: Located, path: Path, found: Found): Problem[] {
  return found.flatMap((one) => {
    const at = one ? [...path, ...one.path] : [];
    if (!one || isNotFinite(valueAt(tree, at))) return [];
    return [problemAt(tree, at, `${one.message}${besideText(tree, path, one.beside)}`)];
  });
}

/** Where the other value is written, if it is. */
function besideText(tree: Located, path: Path, beside: Path | undefined): string {
  if (!beside || valueAt(tree, [...path, ...beside]) === undefined) return '';
  const { file, line, column } = problemAt(tree, [...path, ...beside], '');
  return `; ${formatPath(beside)} is at ${file}:${line}:${column}`;
}

/** What is wrong inside a value that has the shape of one of the choices: that is what was meant. */
function insideUnion({ path, errors }: z.core.$ZodIssueInvalidUnion): readonly z.core.$ZodIssue[] | undefined {
  const meant = errors.find((issues) => issues.length > 0 && issues.every((issue) => issue.path.length > 0));
  return meant?.map((issue) => ({ ...issue, path: [...path, ...issue.path] }));
}

function sayIssue(issue: z.core.$ZodIssue, got: unknown): string {
  if (isFault(issue)) return issue.message;
  return `${got === undefined || got === null ? 'is missing' : `is ${showValue(got)}`}; ${adviceOf(issue)}`;
}

/** Our own words, also where the schema gives none and zod would speak of its types. */
function adviceOf(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'invalid_type' || !issue.message.startsWith('Invalid input')) return issue.message;
  const words: Readonly<Record<string, string>> = { object: 'a map', array: 'a list', string: 'text', record: 'a map' };
  return `write ${words[issue.expected] ?? `a ${issue.expected}`}`;
}

/** By the keys that a JSON Schema has at the same path. */
export function unknownKeyIn(tree: Located, schema: JsonSchema): UnknownKey {
  return (path, key) => {
    // `remove: true` never gets here.
    if (key === 'remove') return `is ${showValue(valueAt(tree, [...path, key]))}; write true, or leave it out`;
    if (path.join() === 'defaults' && key === 'nodePool')
      return 'does not go with defaults; write it in the entry below nodePools whose headroom is on that NodePool';
    return unknownAmong(knownKeys(schema, path), key);
  };
}

/** Keys that other autoscalers have for the same, and that no typo explains. */
const MEANT: ReadonlyMap<string, string> = new Map([
  ['min', 'base'],
  ['minReplicas', 'base'],
  ['baseline', 'base'],
  ['maxReplicas', 'max'],
  ['replicas', 'desiredReplicas'],
  ['nodes', 'addNodes'],
  ['tz', 'timezone'],
  ['holidays', 'calendars'],
]);

export function unknownAmong(known: readonly string[], key: string): string {
  const meant = MEANT.get(key) ?? '';
  const near = known.includes(meant) ? meant : nearest(key, known);
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
  const child = asSchema(Object.hasOwn(properties, key) ? properties[key] : additionalProperties);
  return child?.anyOf?.map(asSchema).find((choice) => choice?.properties) ?? child;
}

function asSchema(value: unknown): JsonSchema | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonSchema) : undefined;
}
