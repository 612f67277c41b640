import { isObject } from '../../basics/json';

/** A map of a config that has not been checked yet. */
export type Values = Readonly<Record<string, unknown>>;

/** The value as a map; anything else is an empty one. */
export function asMap(value: unknown): Values {
  return isObject(value) ? value : {};
}

/** The value as a list; anything else is an empty one. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
