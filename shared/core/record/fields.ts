import type { Unknown } from './record';

/** How a value is written as JSON and read again. */
export interface Codec<T> {
  readonly write: (value: T) => unknown;
  /** `undefined` for what cannot be read. */
  readonly read: (raw: unknown) => T | undefined;
  /** Without the fields that this version does not know. */
  readonly bare: (value: T) => T;
}

/** A field that may be missing. */
export interface Optional<T> {
  readonly optional: Codec<T>;
}

type Known<T> = Omit<T, 'unknown'>;

/** A row for each field of an object, in the order in which they are written. */
export type Rows<T> = {
  readonly [K in keyof Known<T>]-?: Known<T>[K] extends NonNullable<Known<T>[K]>
    ? Codec<Known<T>[K]>
    : Optional<NonNullable<Known<T>[K]>>;
};

export function optional<T>(codec: Codec<T>): Optional<T> {
  return { optional: codec };
}

/** What JSON holds as it is. */
export function value<T>(isValid: (raw: unknown) => raw is T): Codec<T> {
  return { write: (one) => one, read: (raw) => (isValid(raw) ? raw : undefined), bare: (one) => one };
}

/** An object with known fields; all others are kept and passed on. */
export function object<T extends { readonly unknown?: Unknown }>(
  rows: Rows<T>,
  isValid: (value: T) => boolean = () => true,
): Codec<T> {
  const fields = Object.entries(rows as Readonly<Record<string, Codec<unknown> | Optional<unknown>>>).map(
    ([key, row]) =>
      'optional' in row ? { key, codec: row.optional, mayMiss: true } : { key, codec: row, mayMiss: false },
  );
  const each = (from: T, write: (codec: Codec<unknown>, field: unknown) => unknown) =>
    Object.fromEntries(
      fields.flatMap(({ key, codec }) => {
        const field = (from as Readonly<Record<string, unknown>>)[key];
        return field === undefined ? [] : [[key, write(codec, field)]];
      }),
    );
  return {
    write: (from) => ({ ...each(from, (codec, field) => codec.write(field)), ...from.unknown }),
    bare: (from) => each(from, (codec, field) => codec.bare(field)) as T,
    read: (raw) => {
      if (!isObject(raw)) return undefined;
      const unknown = { ...raw };
      const known: Record<string, unknown> = {};
      for (const { key, codec, mayMiss } of fields) {
        delete unknown[key];
        if (raw[key] === undefined && mayMiss) continue;
        known[key] = codec.read(raw[key]);
        if (known[key] === undefined) return undefined;
      }
      const read = { ...known, ...(Object.keys(unknown).length > 0 && { unknown }) } as T;
      return isValid(read) ? read : undefined;
    },
  };
}

export function isObject(raw: unknown): raw is Readonly<Record<string, unknown>> {
  return typeof raw === 'object' && raw !== null && !Array.isArray(raw);
}
