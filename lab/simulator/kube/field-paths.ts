import { isObject, type JsonObject } from './json';

/**
 * A field of an object as in managedFields: `f:spec`, `f:replicas`, joined by a line break;
 * an item of a keyed list is `k:{"name":"pause"}`, a member of a set `v:"karpenter.sh/termination"`.
 */
export type FieldPath = string;

const SEPARATOR = '\n';

/** The lists with items identified by keys; other lists are owned as a whole. */
const LIST_KEYS: Readonly<Record<string, readonly string[]>> = {
  containers: ['name'],
  initContainers: ['name'],
  env: ['name'],
  volumes: ['name'],
  volumeMounts: ['mountPath'],
  imagePullSecrets: ['name'],
  ports: ['containerPort', 'protocol'],
  topologySpreadConstraints: ['topologyKey', 'whenUnsatisfiable'],
  ownerReferences: ['uid'],
  conditions: ['type'],
  addresses: ['type'],
};
const KEY_DEFAULTS: Readonly<Record<string, unknown>> = { protocol: 'TCP' };
const SETS = new Set(['finalizers']);
/** Objects that are owned as a whole. */
const ATOMIC = new Set([
  'selector',
  'labelSelector',
  'nodeSelector',
  'requiredDuringSchedulingIgnoredDuringExecution',
  'involvedObject',
  'roleRef',
]);

export function fieldPath(parent: FieldPath, field: string): FieldPath {
  return parent === '' ? `f:${field}` : `${parent}${SEPARATOR}f:${field}`;
}

export function itemPath(list: FieldPath, key: string): FieldPath {
  return `${list}${SEPARATOR}${key}`;
}

/** How a value is owned: field by field, item by item, or as a whole. */
export type Shape =
  | { readonly kind: 'fields'; readonly value: JsonObject }
  | { readonly kind: 'items'; readonly items: ReadonlyMap<string, JsonObject> }
  | { readonly kind: 'members'; readonly members: ReadonlyMap<string, unknown> }
  | { readonly kind: 'whole' };

/** How the value of a field with that name is owned; empty objects and lists are owned as a whole. */
export function shapeOf(name: string, value: unknown): Shape {
  if (Array.isArray(value)) return listShape(name, value);
  if (!isObject(value) || ATOMIC.has(name) || Object.keys(value).length === 0) return { kind: 'whole' };
  return { kind: 'fields', value };
}

function listShape(name: string, list: readonly unknown[]): Shape {
  if (list.length === 0) return { kind: 'whole' };
  if (SETS.has(name)) {
    return { kind: 'members', members: new Map(list.map((item) => [`v:${JSON.stringify(item)}`, item])) };
  }
  const keys = listKeys(name);
  if (!keys || !list.every(isObject)) return { kind: 'whole' };
  return { kind: 'items', items: new Map(list.map((item) => [itemKey(keys, item), item])) };
}

function itemKey(keys: readonly string[], item: JsonObject): string {
  const pairs = keys.map((key) => [key, item[key] ?? KEY_DEFAULTS[key] ?? '']);
  return `k:${JSON.stringify(Object.fromEntries(pairs))}`;
}

export function listKeys(name: string): readonly string[] | undefined {
  return Object.hasOwn(LIST_KEYS, name) ? LIST_KEYS[name] : undefined;
}

/** Every field of a value that can be owned, with its value; items of keyed lists count as fields themselves. */
export function ownableFields(value: unknown, skip: (path: FieldPath) => boolean): Map<FieldPath, unknown> {
  const found = new Map<FieldPath, unknown>();
  collect('', '', value, { skip, found });
  return found;
}

interface Collection {
  readonly skip: (path: FieldPath) => boolean;
  readonly found: Map<FieldPath, unknown>;
}

function collect(name: string, path: FieldPath, value: unknown, into: Collection): void {
  if (value === undefined || into.skip(path)) return;
  const shape = shapeOf(name, value);
  switch (shape.kind) {
    case 'fields':
      collectFields(path, shape.value, into);
      return;
    case 'items':
      for (const [key, item] of shape.items) {
        into.found.set(itemPath(path, key), true);
        collectFields(itemPath(path, key), item, into);
      }
      return;
    case 'members':
      for (const [key, member] of shape.members) into.found.set(itemPath(path, key), member);
      return;
    case 'whole':
      if (path !== '') into.found.set(path, value);
  }
}

function collectFields(path: FieldPath, value: JsonObject, into: Collection): void {
  for (const [field, child] of Object.entries(value)) collect(field, fieldPath(path, field), child, into);
}

/** The nested form in metadata.managedFields. */
export function toFieldsV1(paths: Iterable<FieldPath>): JsonObject {
  const root: Record<string, unknown> = {};
  const sorted = [...paths].sort();
  const all = new Set(sorted);
  for (const path of sorted) {
    let branch = root;
    const segments = path.split(SEPARATOR);
    segments.forEach((segment, depth) => {
      branch[segment] ??= {};
      branch = branch[segment] as Record<string, unknown>;
      const here = segments.slice(0, depth + 1).join(SEPARATOR);
      if (depth < segments.length - 1 && all.has(here)) branch['.'] = {};
    });
  }
  return root;
}

/** The form in messages about conflicts: `.spec.template.spec.containers[name="pause"].image`. */
export function describePath(path: FieldPath): string {
  return path
    .split(SEPARATOR)
    .map((segment) => {
      const text = segment.slice(2);
      if (segment.startsWith('f:')) return `.${text}`;
      if (segment.startsWith('v:')) return `[=${text}]`;
      const keys = Object.entries(JSON.parse(text) as JsonObject);
      return `[${keys.map(([key, value]) => `${key}=${JSON.stringify(value)}`).join(',')}]`;
    })
    .join('');
}
