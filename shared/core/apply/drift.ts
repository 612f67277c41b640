import { isObject } from '../basics/json';
import { sameQuantity } from '../config/schema/quantity';

/** The path of the first field of the manifest that the cluster has otherwise. */
export function driftOf(stated: unknown, current: unknown): string | undefined {
  return driftsOf(stated, current).next().value ?? undefined;
}

/**
 * The paths of the fields of the manifest that the cluster has otherwise. What the manifest does not set is ignored.
 * Quantities are compared by value: `1` is `1000m`.
 */
export function* driftsOf(stated: unknown, current: unknown, path = ''): Generator<string, undefined> {
  if (Array.isArray(stated)) yield* listDrifts(stated, current, path);
  else if (isObject(stated) && isObject(current))
    for (const [key, value] of Object.entries(stated))
      yield* driftsOf(value, current[key], path === '' ? key : `${path}.${key}`);
  // The API server drops some empty strings.
  else if (stated !== current && !(stated === '' && current === undefined) && !isSameQuantity(stated, current, path))
    yield path;
}

function* listDrifts(stated: readonly unknown[], current: unknown, path: string): Generator<string, undefined> {
  // The API server drops empty lists.
  if (stated.length === 0 && current === undefined) return;
  if (!Array.isArray(current) || current.length !== stated.length) yield path;
  else for (const [index, value] of stated.entries()) yield* driftsOf(value, current[index], `${path}[${index}]`);
}

function isSameQuantity(stated: unknown, current: unknown, path: string): boolean {
  return /\.resources\.(requests|limits)\./.test(path) && sameQuantity(String(stated), String(current));
}
