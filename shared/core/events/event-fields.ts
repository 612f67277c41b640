import { isTooDeep } from '../basics/depth';
import { InvalidEventError } from '../basics/errors';
import { isObject } from '../basics/json';
import { MAX_INSTANCE_ID } from '../basics/record-limits';

export type Fields = Readonly<Record<string, unknown>>;

/** Reads what AWS documents: unknown fields are ignored, a missing one is named in the error. */
export function fields(value: unknown, path: string): Fields {
  if (isObject(value)) return value;
  throw new InvalidEventError(`event has no object at ${path}, got ${quote(value)}`);
}

export function textAt(from: Fields, key: string, path: string): string {
  const value = from[key];
  if (typeof value === 'string' && value !== '') return value;
  throw new InvalidEventError(`event has no text at ${path}.${key}, got ${quote(value)}`);
}

export function timeAt(from: Fields, key: string, path: string): number {
  const text = textAt(from, key, path);
  const time = zonedTime(text);
  if (time !== undefined) return time;
  const expected = isNoDay(text) ? 'day of the calendar' : 'time';
  throw new InvalidEventError(`event has no ${expected} at ${path}.${key}, got ${quote(text)}`);
}

/** Whether a text begins with a date that no calendar has. */
export function isNoDay(value: unknown): boolean {
  const text = typeof value === 'string' ? value : '';
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)/.exec(text) ?? [];
  return day !== undefined && Number(day) > new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
}

/**
 * A time in ISO 8601, which AWS sends, also with `+0000`. One without a zone would mean another moment on another machine,
 * and `Date.parse` alone takes 30 February, in whatever form, for 2 March.
 */
export function zonedTime(value: unknown): number | undefined {
  const zoned = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T.*(Z|[+-]\d{2}:?\d{2})$/.test(value);
  const instant = zoned && !isNoDay(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(instant) ? undefined : instant;
}

export function instanceIdAt(from: Fields, key: string, path: string): string {
  const id = textAt(from, key, path);
  if (id.length <= MAX_INSTANCE_ID && /^i-[0-9a-z]+$/.test(id)) return id;
  throw new InvalidEventError(`event has no instance id at ${path}.${key}, got ${quote(id)}`);
}

export function quote(value: unknown, longest = 80): string {
  if (value === undefined) return 'nothing';
  return isTooDeep(value) ? 'something deeply nested' : (JSON.stringify(value) ?? String(value)).slice(0, longest);
}
