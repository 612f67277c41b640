import { type FieldPath, fieldPath, ownableFields, toFieldsV1 } from './field-paths';
import { type JsonObject, sameJson } from './json';
import { apiVersionOf, type Kind, type Subresource } from './kinds';

/** Which fields of an object one client owns, and by which operation. */
export interface FieldManager {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly subresource?: Subresource;
  readonly apiVersion: string;
  readonly time: string;
  readonly fields: ReadonlySet<FieldPath>;
}

export interface Writer {
  readonly manager: string;
  readonly subresource?: Subresource;
  readonly time: string;
}

const METADATA = fieldPath('', 'metadata');
/** Fields that the API server sets, and that nobody owns. */
const UNOWNED = new Set([
  fieldPath('', 'apiVersion'),
  fieldPath('', 'kind'),
  ...[
    'name',
    'namespace',
    'uid',
    'resourceVersion',
    'generation',
    'creationTimestamp',
    'deletionTimestamp',
    'deletionGracePeriodSeconds',
    'selfLink',
    'managedFields',
  ].map((field) => fieldPath(METADATA, field)),
]);

export function ownedFields(object: unknown): Map<FieldPath, unknown> {
  return ownableFields(object, (path) => UNOWNED.has(path));
}

export interface FieldChanges {
  readonly written: ReadonlySet<FieldPath>;
  readonly removed: ReadonlySet<FieldPath>;
}

export function fieldChanges(before: unknown, after: unknown): FieldChanges {
  const [old, next] = [ownedFields(before), ownedFields(after)];
  const written = [...next].filter(([path, value]) => !old.has(path) || !sameJson(old.get(path), value));
  const removed = [...old.keys()].filter((path) => !next.has(path));
  return { written: new Set(written.map(([path]) => path)), removed: new Set(removed) };
}

export function newManager(
  kind: Kind,
  writer: Writer,
  operation: FieldManager['operation'],
  fields: ReadonlySet<FieldPath>,
): FieldManager {
  const { subresource } = writer;
  return {
    manager: writer.manager,
    operation,
    ...(subresource && { subresource }),
    apiVersion: apiVersionOf(kind),
    time: writer.time,
    fields,
  };
}

/** The managers after an update: the writer is the only owner of what it wrote. */
export function managersAfterUpdate(
  managers: readonly FieldManager[],
  changes: FieldChanges,
  kind: Kind,
  writer: Writer,
): readonly FieldManager[] {
  const taken = new Set([...changes.written, ...changes.removed]);
  if (taken.size === 0) return managers;
  const isWriter = (entry: FieldManager) => sameManager(entry, writer, 'Update');
  const others = managers.filter((entry) => !isWriter(entry)).map((entry) => withoutFields(entry, taken));
  const own = withoutFields(managers.find(isWriter) ?? newManager(kind, writer, 'Update', new Set()), changes.removed);
  const fields = new Set([...own.fields, ...changes.written]);
  return [...others, { ...own, time: writer.time, fields }].filter(ownsSomething);
}

export function sameManager(
  entry: FieldManager,
  writer: Pick<Writer, 'manager' | 'subresource'>,
  operation: FieldManager['operation'],
): boolean {
  return entry.manager === writer.manager && entry.operation === operation && entry.subresource === writer.subresource;
}

export function withoutFields(entry: FieldManager, taken: ReadonlySet<FieldPath>): FieldManager {
  const rest = [...entry.fields].filter((path) => !taken.has(path));
  return rest.length === entry.fields.size ? entry : { ...entry, fields: new Set(rest) };
}

export function ownsSomething(entry: FieldManager): boolean {
  return entry.fields.size > 0;
}

/** Entries are immutable, so each is rendered only once. */
const renderedEntries = new WeakMap<FieldManager, JsonObject>();

export function renderManagers(managers: readonly FieldManager[]): readonly JsonObject[] {
  return managers.map((manager) => {
    const known = renderedEntries.get(manager);
    if (known) return known;
    const { fields, subresource, ...entry } = manager;
    const rendered = {
      ...entry,
      fieldsType: 'FieldsV1',
      fieldsV1: toFieldsV1(fields),
      ...(subresource && { subresource }),
    };
    renderedEntries.set(manager, rendered);
    return rendered;
  });
}
