/** A map of a config that has not been checked yet. */
export type Values = Readonly<Record<string, unknown>>;

/** The value as a map; anything else is an empty one. */
export function asMap(value: unknown): Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Values) : {};
}

/** The value as a list; anything else is an empty one. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
