import { ApiError } from '../api-error';
import { describePath, type FieldPath, fieldPath, itemPath, shapeOf } from '../field-paths';
import { isObject, type JsonObject } from '../json';
import type { Kind } from '../kinds';
import {
  type FieldManager,
  fieldChanges,
  newManager,
  ownedFields,
  ownsSomething,
  sameManager,
  type Writer,
  withoutFields,
} from '../managed-fields';

export interface Application {
  readonly kind: Kind;
  readonly current: JsonObject;
  readonly managers: readonly FieldManager[];
  readonly applied: JsonObject;
  readonly writer: Writer;
  readonly force: boolean;
}

/**
 * Merges an applied configuration into the current object:
 * fields in it are set, fields that its manager no longer includes are removed (unless another manager owns them),
 * and a different value for a field that another manager owns is a conflict, which `force` overrides.
 */
export function applyConfiguration(application: Application): {
  readonly merged: JsonObject;
  readonly managers: readonly FieldManager[];
} {
  const { kind, current, managers, applied, writer, force } = application;
  const isOwn = (entry: FieldManager) => sameManager(entry, writer, 'Apply');
  const own = managers.find(isOwn);
  const others = managers.filter((entry) => !isOwn(entry));
  const stated = new Set(ownedFields(applied).keys());
  const abandoned = abandonedFields(own, stated, others);
  const merged = prune(mergeFields(current, applied), { abandoned, stated });

  const { written } = fieldChanges(current, merged);
  const conflicts = others
    .map((entry) => ({ entry, paths: [...entry.fields].filter((path) => written.has(path) && stated.has(path)) }))
    .filter(({ paths }) => paths.length > 0)
    .sort((a, b) => (a.entry.manager < b.entry.manager ? -1 : 1));
  if (conflicts.length > 0 && !force) throw applyConflict(conflicts);

  const unchanged = own && own.fields.size === stated.size && [...stated].every((path) => own.fields.has(path));
  const next = unchanged && written.size === 0 ? own : newManager(kind, writer, 'Apply', stated);
  const lost = new Set(conflicts.flatMap(({ paths }) => paths));
  return { merged, managers: [...others.map((entry) => withoutFields(entry, lost)), next].filter(ownsSomething) };
}

function abandonedFields(
  own: FieldManager | undefined,
  stated: ReadonlySet<FieldPath>,
  others: readonly FieldManager[],
): ReadonlySet<FieldPath> {
  const left = [...(own?.fields ?? [])].filter((path) => !stated.has(path));
  return new Set(left.filter((path) => !others.some((entry) => entry.fields.has(path))));
}

function mergeFields(current: JsonObject, applied: JsonObject): JsonObject {
  const merged: Record<string, unknown> = { ...current };
  for (const [field, value] of Object.entries(applied)) merged[field] = mergeValue(field, current[field], value);
  return merged;
}

function mergeValue(name: string, current: unknown, applied: unknown): unknown {
  const shape = shapeOf(name, applied);
  if (shape.kind === 'fields') return isObject(current) ? mergeFields(current, shape.value) : applied;
  if (shape.kind === 'whole') return isObject(applied) && isObject(current) && isEmpty(applied) ? current : applied;
  const there = shapeOf(name, current);
  if (shape.kind === 'members' && there.kind === 'members') {
    return [...new Map([...there.members, ...shape.members]).values()];
  }
  if (shape.kind === 'items' && there.kind === 'items') {
    const items = new Map(there.items);
    for (const [key, item] of shape.items) items.set(key, mergeFields(items.get(key) ?? {}, item));
    return [...items.values()];
  }
  return applied;
}

function isEmpty(value: JsonObject): boolean {
  return Object.keys(value).length === 0;
}

/** The fields to remove, and the stated ones, which stay even if they become empty. */
interface Pruning {
  readonly abandoned: ReadonlySet<FieldPath>;
  readonly stated: ReadonlySet<FieldPath>;
}

function prune(object: JsonObject, pruning: Pruning): JsonObject {
  return pruning.abandoned.size === 0 ? object : (pruneFields('', object, pruning) ?? {});
}

function pruneValue(name: string, path: FieldPath, value: unknown, pruning: Pruning): unknown {
  const { abandoned } = pruning;
  const shape = shapeOf(name, value);
  switch (shape.kind) {
    case 'whole':
      return abandoned.has(path) ? undefined : value;
    case 'fields':
      return pruneFields(path, shape.value, pruning);
    case 'members':
      return nonEmpty([...shape.members].filter(([key]) => !abandoned.has(itemPath(path, key))).map(([, one]) => one));
    case 'items': {
      const kept = [...shape.items].filter(([key]) => !abandoned.has(itemPath(path, key)));
      return nonEmpty(kept.map(([key, item]) => pruneFields(itemPath(path, key), item, pruning) ?? {}));
    }
  }
}

function pruneFields(path: FieldPath, value: JsonObject, pruning: Pruning): JsonObject | undefined {
  const kept: Record<string, unknown> = {};
  for (const [field, child] of Object.entries(value)) {
    const rest = pruneValue(field, fieldPath(path, field), child, pruning);
    if (rest !== undefined) kept[field] = rest;
  }
  return isEmpty(kept) && !pruning.stated.has(path) ? undefined : kept;
}

function nonEmpty(list: readonly unknown[]): readonly unknown[] | undefined {
  return list.length === 0 ? undefined : list;
}

interface Conflict {
  readonly entry: FieldManager;
  readonly paths: readonly FieldPath[];
}

function applyConflict(conflicts: readonly Conflict[]): ApiError {
  const causes = conflicts.flatMap(({ entry, paths }) =>
    paths.map((path) => ({
      reason: 'FieldManagerConflict',
      message: `conflict with ${describeManager(entry)}`,
      field: describePath(path),
    })),
  );
  const [first] = causes;
  const message =
    causes.length === 1 && first
      ? `Apply failed with 1 conflict: ${first.message}: ${first.field}`
      : `Apply failed with ${causes.length} conflicts: ${conflicts.map(describeConflicts).join('\n')}`;
  return new ApiError(409, 'Conflict', message, { causes });
}

function describeConflicts({ entry, paths }: Conflict): string {
  return `conflicts with ${describeManager(entry)}:\n${paths.map((path) => `- ${describePath(path)}`).join('\n')}`;
}

function describeManager({ manager, operation, subresource, apiVersion }: FieldManager): string {
  const by = subresource ? `"${manager}" with subresource "${subresource}"` : `"${manager}"`;
  return operation === 'Update' ? `${by} using ${apiVersion}` : by;
}
