import { isObject } from '../basics/json';

/** Fields that a newer version wrote; they are kept and passed on. */
export type Unknown = Readonly<Record<string, unknown>>;

/** How a value is written as JSON and read again. */
export interface Codec<T> {
  readonly write: (value: T) => unknown;
  /** `undefined` for what cannot be read. */
  readonly read: (raw: unknown) => T | undefined;
  /** Without the fields that this version does not know. */
  readonly bare: (value: T) => T;
  /** The JSON that takes the most bytes, without these fields. */
  readonly worst: (without?: readonly string[]) => unknown;
}

/** A field that may be missing. */
export interface Optional<T> {
  readonly optional: Codec<T>;
}

/** A row for each field of an object, in the order in which they are written. */
type Rows = Readonly<Record<string, Readable | { readonly optional: Readable }>>;
type Readable = Pick<Codec<unknown>, 'read'>;
/** The object that the rows describe. */
type ObjectOf<R> = Flat<
  { readonly [K in keyof R as R[K] extends Readable ? K : never]: ValueOf<R[K]> } & {
    readonly [K in keyof R as R[K] extends Readable ? never : K]?: R[K] extends { readonly optional: infer C }
      ? ValueOf<C>
      : never;
  } & { readonly unknown?: Unknown }
>;
type Flat<T> = { [K in keyof T]: T[K] };
export type ValueOf<C> = C extends { readonly read: (raw: unknown) => infer T } ? Exclude<T, undefined> : never;

export function optional<T>(codec: Codec<T>): Optional<T> {
  return { optional: codec };
}

/** What JSON holds as it is. */
export function value<T>(isValid: (raw: unknown) => raw is T, worst: NoInfer<T>): Codec<T> {
  return {
    write: (one) => one,
    read: (raw) => (isValid(raw) ? raw : undefined),
    bare: (one) => one,
    worst: () => worst,
  };
}

interface Field {
  readonly key: string;
  readonly codec: Codec<unknown>;
  readonly mayMiss: boolean;
}

/** An object with known fields; all others are kept and passed on. */
export function object<R extends Rows>(
  rows: R,
  isValid: (value: ObjectOf<R>) => boolean = () => true,
): Codec<ObjectOf<R>> {
  const fields = Object.entries(rows as unknown as Readonly<Record<string, Codec<unknown> | Optional<unknown>>>).map(
    ([key, row]): Field =>
      'optional' in row ? { key, codec: row.optional, mayMiss: true } : { key, codec: row, mayMiss: false },
  );
  return {
    write: (from) => ({ ...each(fields, from, (codec, field) => codec.write(field)), ...unknownIn(from) }),
    bare: (from) => each(fields, from, (codec, field) => codec.bare(field)) as ObjectOf<R>,
    worst: (without = []) =>
      Object.fromEntries(fields.flatMap(({ key, codec }) => (without.includes(key) ? [] : [[key, codec.worst()]]))),
    read: (raw) => {
      const read = readFields<ObjectOf<R>>(fields, raw);
      return read && isValid(read) ? read : undefined;
    },
  };
}

function each(fields: readonly Field[], from: object, change: (codec: Codec<unknown>, field: unknown) => unknown) {
  return Object.fromEntries(
    fields.flatMap(({ key, codec }) => {
      const field = (from as Readonly<Record<string, unknown>>)[key];
      return field === undefined ? [] : [[key, change(codec, field)]];
    }),
  );
}

function unknownIn({ unknown }: { readonly unknown?: unknown }): Unknown | undefined {
  return unknown as Unknown | undefined;
}

function readFields<T>(fields: readonly Field[], raw: unknown): T | undefined {
  if (!isObject(raw)) return undefined;
  const unknown = { ...raw };
  const known: Record<string, unknown> = {};
  for (const { key, codec, mayMiss } of fields) {
    delete unknown[key];
    if (raw[key] === undefined && mayMiss) continue;
    known[key] = codec.read(raw[key]);
    if (known[key] === undefined) return undefined;
  }
  return { ...known, ...(Object.keys(unknown).length > 0 && { unknown }) } as T;
}

/** A part of the record: what of it can be read, and what is left to quarantine. */
export interface Part<T> {
  readonly split: (raw: unknown) => { readonly read?: T; readonly left?: unknown };
  readonly write: (value: T) => unknown;
  readonly bare: (value: T) => T;
  readonly entry: Codec<unknown>;
}

/** A part that is one object. */
export function single<T>(codec: Codec<T>): Part<T> {
  return {
    split: (raw) => {
      const read = codec.read(raw);
      return read === undefined ? { left: raw } : { read };
    },
    write: codec.write,
    bare: codec.bare,
    entry: codec as Codec<unknown>,
  };
}

/** A part that is a map of entries: one that cannot be read costs no other. Keys are written in order. */
export function map<T>(
  codec: Codec<T>,
  isKey: (key: string) => boolean = () => true,
): Part<Readonly<Record<string, T>>> {
  const changed = (from: Readonly<Record<string, T>>, change: (entry: T) => unknown) =>
    Object.fromEntries(
      Object.entries(from)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, entry]) => [key, change(entry)]),
    );
  return {
    split: (raw) => {
      if (!isObject(raw)) return { read: {}, left: raw };
      const entries = Object.entries(raw).map(([key, one]) => [key, isKey(key) ? codec.read(one) : undefined] as const);
      const left = entries.filter(([, entry]) => entry === undefined).map(([key]) => [key, raw[key]]);
      const read = entries.filter((one): one is [string, T & NonNullable<unknown>] => one[1] !== undefined);
      return { read: Object.fromEntries(read), ...(left.length > 0 && { left: Object.fromEntries(left) }) };
    },
    write: (from) => changed(from, codec.write),
    bare: (from) => changed(from, codec.bare) as Readonly<Record<string, T>>,
    entry: codec as Codec<unknown>,
  };
}
