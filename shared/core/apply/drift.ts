import { sameQuantity } from '../config/schema/quantity';

/** The first field that the manifest states and that differs live, as a path. */
export function driftOf(stated: unknown, live: unknown): string | undefined {
  return driftsOf(stated, live).next().value ?? undefined;
}

/**
 * The fields that the manifest states and that differ live, as paths. Live fields that the manifest does not state
 * are the cluster's own business. Quantities are compared by value: `1` is `1000m`.
 */
export function* driftsOf(stated: unknown, live: unknown, path = ''): Generator<string, undefined> {
  if (Array.isArray(stated)) yield* listDrifts(stated, live, path);
  else if (isObject(stated) && isObject(live))
    for (const [key, value] of Object.entries(stated))
      yield* driftsOf(value, live[key], path === '' ? key : `${path}.${key}`);
  // An empty text is not always stored.
  else if (stated !== live && !(stated === '' && live === undefined) && !isSameQuantity(stated, live, path)) yield path;
}

function* listDrifts(stated: readonly unknown[], live: unknown, path: string): Generator<string, undefined> {
  // An empty list is never stored.
  if (stated.length === 0 && live === undefined) return;
  if (!Array.isArray(live) || live.length !== stated.length) yield path;
  else for (const [index, value] of stated.entries()) yield* driftsOf(value, live[index], `${path}[${index}]`);
}

function isSameQuantity(stated: unknown, live: unknown, path: string): boolean {
  return /\.resources\.(requests|limits)\./.test(path) && sameQuantity(String(stated), String(live));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
