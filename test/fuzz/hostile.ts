import fc from 'fast-check';

type Fields = Readonly<Record<string, unknown>>;

/** Stands for a value that is nested deeper than any stack, which fast-check could not print. */
const DEEP = 'deeply nested';
const DEPTH = 20_000;

/** Values that nobody expects where they come. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  {
    weight: 3,
    arbitrary: fc.constantFrom<unknown>(
      ...[null, '', { toString: 1 }, { length: -1 }, 1e308, -0, 2 ** 53, [], {}, DEEP],
      ...['\ud800', 'x'.repeat(100_000), '9'.repeat(400)],
      ...'__proto__ constructor 999999999999d'.split(' '),
      ...'+275760-09-13T00:00:00.000Z -271821-04-20T00:00:00.000Z 0001-01-01T00:00:00Z 2026-11-16T03:00:00Z'.split(' '),
    ),
  },
);

/** A valid object in which some fields, at any depth, are something else, gone, or joined by others. */
export function spoiled(valid: Fields): fc.Arbitrary<unknown> {
  const paths = pathsIn(valid);
  return fc
    .array(fc.tuple(fc.constantFrom(...paths), fc.option(hostileValue, { nil: undefined })), { maxLength: 3 })
    .map((changes) => changes.reduce<unknown>((now, [path, value]) => withValue(now, path, value), valid));
}

function pathsIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  const inside = Object.entries(value).flatMap(([key, child]) => pathsIn(child, [...path, key]));
  return [path, [...path, 'constructor'], [...path, 'surprise'], ...inside];
}

function withValue(target: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  if (typeof target !== 'object' || target === null) return target;
  const copy = Object.assign(Array.isArray(target) ? [] : {}, target) as Record<string, unknown>;
  const inside = withValue(copy[key], rest, value);
  if (inside === undefined) delete copy[key];
  else copy[key] = inside;
  return copy;
}

/** As it is sent: with what is deeply nested. */
export function textOfHostile(value: unknown): string {
  return (JSON.stringify(value) ?? '').replaceAll(`"${DEEP}"`, '['.repeat(DEPTH) + ']'.repeat(DEPTH));
}

/** As it is received. */
export function received(value: unknown): unknown {
  const text = textOfHostile(value);
  return text === '' ? undefined : JSON.parse(text);
}
