import type { z } from 'zod';
import { PROBES, shown } from './probes';

type Schema = z.core.$ZodType;
/** What zod keeps of a schema, as far as it is looked at here. */
interface Def {
  readonly type: string;
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly innerType?: Schema;
  readonly element?: Schema;
  readonly valueType?: Schema;
  readonly keyType?: Schema;
  readonly options?: readonly Schema[];
}

const COUNTS = [1, 2, 30, 31, 50, 51, 80, 81, 400, 401];

/** A paragraph for every key: what it takes of the probes, and what it says about the others. */
export function describeKeys(schema: Schema, path: string, known = new Set<Schema>()): string[] {
  if (known.has(schema)) return [];
  known.add(schema);
  const { type, shape = {}, innerType, element, valueType, keyType, options = [] } = schema._zod.def as Def;
  if (innerType && type === 'optional') return describeKeys(innerType, path, known);
  const inside = [
    ...Object.entries(shape),
    ...(element ? [['[]', element] as const] : []),
    ...(keyType && valueType ? [['(key)', keyType] as const, ['*', valueType] as const] : []),
    ...options.filter(hasKeys).map((option) => ['(one)', option] as const),
  ];
  return [
    ...describeKey(schema, path, element),
    ...inside.flatMap(([key, one]) => describeKeys(one, `${path}.${key}`, known)),
  ];
}

function describeKey(schema: Schema, path: string, element: Schema | undefined): string[] {
  const said = new Set<string>();
  const takes = (value: unknown) => {
    const found = messages(schema, value);
    for (const text of found.slice(1)) said.add(text);
    return found.length === 0;
  };
  const lines = Object.entries(PROBES).flatMap(([kind, all]) => {
    // The keys of a map with names of their own are looked at one by one.
    const isMap = kind === 'maps' || kind === 'amounts';
    const values = hasKeys(schema) || isMap !== isRecord(schema) ? all.slice(0, 1) : all;
    const taken = values.filter(takes);
    // With a character too many at either end.
    const longer = taken.flatMap((value) => (typeof value === 'string' ? [`!${value}`, `${value}!`] : []));
    const wrong = values.filter((value) => !taken.includes(value));
    const most = [wrong.length === 0 ? `all ${kind}` : `all ${kind} but`, ...wrong.map(shown)];
    const what = taken.length > wrong.length ? most : taken.map(shown);
    const also = longer.filter(takes).slice(0, 4);
    return taken.length === 0 ? [] : [`  takes ${[...what, ...also.map(shown)].join(' ')}`];
  });
  if (element) {
    const one = Object.values(PROBES)
      .flat()
      .find((value) => messages(element, value).length === 0);
    const counts = COUNTS.filter((count) => takes(Array(count).fill(one)));
    lines.push(`  takes so many: ${counts.join(' ')}`);
  }
  return [path, ...lines, ...[...said].map((text) => `  says ${text}`)];
}

function hasKeys(schema: Schema): boolean {
  const { type } = schema._zod.def as Def;
  return type === 'object' || type === 'array';
}

function isRecord(schema: Schema): boolean {
  return (schema._zod.def as Def).type === 'record';
}

/** What is wrong with a value; where in it is said for keys that have names of their own. */
function messages(schema: Schema, value: unknown): string[] {
  const { error } = (schema as z.ZodType).safeParse(value);
  const where = (schema._zod.def as Def).type === 'object';
  return error ? ['', ...error.issues.flatMap((issue) => spread(issue, where))] : [];
}

function spread(issue: z.core.$ZodIssue, where: boolean): string[] {
  const below = issue.code === 'invalid_union' ? issue.errors.flat() : issue.code === 'invalid_key' ? issue.issues : [];
  if (/^(Invalid input|Unrecognized key)/.test(issue.message)) return below.flatMap((one) => spread(one, where));
  return [
    where ? `${issue.path.join('.')}: ${issue.message}` : issue.message,
    ...below.flatMap((one) => spread(one, where)),
  ];
}
