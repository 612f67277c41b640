import { badRequest } from '../api-error';
import { listKeys } from '../field-paths';
import { isObject, type JsonObject } from '../json';

/** RFC 7386: objects merge, null removes, everything else replaces. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged: Record<string, unknown> = isObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key];
    else merged[key] = mergePatch(merged[key], value);
  }
  return merged;
}

/** Like a merge patch, but keyed lists merge by key; `$patch` deletes or replaces. */
export function strategicMergePatch(target: unknown, patch: unknown, name = ''): unknown {
  if (Array.isArray(patch)) return mergeLists(name, Array.isArray(target) ? target : [], patch);
  if (!isObject(patch)) return patch;
  if (patch.$patch === 'replace') return withoutDirectives(patch);
  const merged: Record<string, unknown> = isObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(withoutDirectives(patch))) {
    if (value === null) delete merged[key];
    else merged[key] = strategicMergePatch(merged[key], value, key);
  }
  return merged;
}

function mergeLists(name: string, target: readonly unknown[], patch: readonly unknown[]): readonly unknown[] {
  const key = listKeys(name)?.[0];
  if (key === undefined || !patch.every(isObject)) return patch;
  if (patch.some((item) => item.$patch === 'replace')) return patch.filter((item) => item.$patch === undefined);
  const merged = new Map(target.filter(isObject).map((item) => [item[key], item]));
  for (const item of patch) {
    if (item[key] === undefined)
      throw badRequest(`map: ${JSON.stringify(item)} does not contain declared merge key: ${key}`);
    if (item.$patch === 'delete') merged.delete(item[key]);
    else merged.set(item[key], strategicMergePatch(merged.get(item[key]), item) as JsonObject);
  }
  return [...merged.values()];
}

/** Directives, such as those about element order, are not stored. */
function withoutDirectives(patch: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(patch).filter(([key]) => !key.startsWith('$')));
}
