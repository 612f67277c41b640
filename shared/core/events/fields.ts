import { isTooDeep } from '../basics/depth';
import { InvalidEventError } from '../basics/errors';
import { MAX_INSTANCE_ID } from '../basics/record-limits';

export type Fields = Readonly<Record<string, unknown>>;

/** Reads what AWS promises, loosely: unknown fields are welcome, missing ones are named. */
export function fields(value: unknown, path: string): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw new InvalidEventError(`event has no object at ${path}, got ${show(value)}`);
}

export function textAt(from: Fields, key: string, path: string): string {
  const value = from[key];
  if (typeof value === 'string' && value !== '') return value;
  throw new InvalidEventError(`event has no text at ${path}.${key}, got ${show(value)}`);
}

/** Accepts what AWS really sends: ISO, `+0000` without a colon, and RFC 1123 dates. */
export function timeAt(from: Fields, key: string, path: string): number {
  const text = textAt(from, key, path);
  const time = Date.parse(text);
  if (!Number.isNaN(time)) return time;
  throw new InvalidEventError(`event has no time at ${path}.${key}, got ${show(text)}`);
}

export function instanceIdAt(from: Fields, key: string, path: string): string {
  const id = textAt(from, key, path);
  if (id.length <= MAX_INSTANCE_ID && /^i-[0-9a-z]+$/.test(id)) return id;
  throw new InvalidEventError(`event has no instance id at ${path}.${key}, got ${show(id)}`);
}

export function show(value: unknown, longest = 80): string {
  if (value === undefined) return 'nothing';
  return isTooDeep(value) ? 'something deeply nested' : (JSON.stringify(value) ?? String(value)).slice(0, longest);
}
