import { sameQuantity } from '../config/schema/quantity';

/**
 * The path of the first field of the manifest that differs live; `undefined` when
 * none does. Live fields that the manifest does not set are ignored. Quantities
 * are compared by value: `1` is `1000m`.
 */
export function driftOf(stated: unknown, live: unknown, path = ''): string | undefined {
  if (isObject(stated)) return isObject(live) ? driftOfFields(stated, live, path) : path;
  if (Array.isArray(stated)) return driftOfList(stated, live, path);
  // The API server drops some empty strings.
  if (stated === live || (stated === '' && live === undefined)) return undefined;
  return isSameQuantity(stated, live, path) ? undefined : path;
}

function driftOfFields(
  stated: Record<string, unknown>,
  live: Record<string, unknown>,
  path: string,
): string | undefined {
  for (const [key, value] of Object.entries(stated)) {
    const found = driftOf(value, live[key], path === '' ? key : `${path}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function driftOfList(stated: readonly unknown[], live: unknown, path: string): string | undefined {
  // The API server drops empty lists.
  if (stated.length === 0 && live === undefined) return undefined;
  if (!Array.isArray(live) || live.length !== stated.length) return path;
  for (const [index, value] of stated.entries()) {
    const found = driftOf(value, live[index], `${path}[${index}]`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isSameQuantity(stated: unknown, live: unknown, path: string): boolean {
  return /\.resources\.(requests|limits)\./.test(path) && sameQuantity(String(stated), String(live));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
