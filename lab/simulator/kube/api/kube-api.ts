import {
  alreadyExists,
  badRequest,
  conflict,
  invalid,
  invalidValue,
  modified,
  notFound,
  preconditionFailed,
  requiredValue,
} from '../api-error';
import { type JsonObject, sameJson } from '../json';
import { DEPLOYMENTS, type Kind, NAMESPACES, PODS, type Subresource } from '../kinds';
import {
  type FieldManager,
  fieldChanges,
  managersAfterUpdate,
  newManager,
  ownedFields,
  type Writer,
} from '../managed-fields';
import type { Draft, ObjectStore } from '../object-store';
import type { KubeObject } from '../object-types';
import { parseFieldSelector, parseLabelSelector } from '../selectors';
import { validate } from '../validation/validate-object';
import { admitPod } from './admission';
import { type Deletion, deleteObject } from './delete-object';
import { withDefaults } from './object-defaults';
import { mergePatch, strategicMergePatch } from './patches';
import { newState, nextState } from './prepare';
import { readApplied, readBody } from './read-body';
import { applyConfiguration } from './server-side-apply';

export interface ListQuery {
  readonly labelSelector?: string | null;
  readonly fieldSelector?: string | null;
}

export interface WriteOptions {
  /** Who writes, for managedFields. */
  readonly fieldManager?: string;
  readonly dryRun?: boolean;
  readonly subresource?: Subresource;
}

export interface Patch {
  readonly kind: 'merge' | 'strategic';
  readonly body: JsonObject;
}

type Namespace = string | undefined;

/** The semantics of the Kubernetes API on top of a store; refusals are `ApiError`s. */
export class KubeApi {
  constructor(readonly store: ObjectStore) {}

  get<T extends KubeObject>(kind: Kind<T>, namespace: Namespace, name: string): T {
    const found = this.store.get(kind, namespace, name);
    if (!found) throw notFound(kind, name);
    return found;
  }

  /** The objects that a query selects, ordered by namespace and name. */
  list<T extends KubeObject>(kind: Kind<T>, namespace?: Namespace, query: ListQuery = {}): T[] {
    return this.store.list(kind, namespace).filter(selectionOf(kind, query)).sort(byName);
  }

  create<T extends KubeObject>(kind: Kind<T>, namespace: Namespace, body: unknown, options: WriteOptions = {}): T {
    const draft = readBody({ kind, namespace }, body);
    if (draft.metadata.resourceVersion) throw badRequest('resourceVersion should not be set on objects to be created');
    const { generateName } = draft.metadata;
    if (draft.metadata.name === '' && !generateName) {
      throw invalid(kind, '', [requiredValue('metadata.name', 'name or generateName is required')]);
    }
    const name = draft.metadata.name || `${generateName}${this.store.newSuffix()}`;
    return this.insert(kind, { ...draft, metadata: { ...draft.metadata, name } }, options, 'Update');
  }

  replace<T extends KubeObject>(kind: Kind<T>, old: T, body: unknown, options: WriteOptions = {}): T {
    const { namespace, name, resourceVersion } = old.metadata;
    const draft = readBody({ kind, namespace, name }, body);
    if (kind.custom && draft.metadata.resourceVersion === undefined) {
      throw invalid(kind, name, [invalidValue('metadata.resourceVersion', 0, 'must be specified for an update')]);
    }
    checkPreconditions(kind, old, draft.metadata);
    return this.update(kind, old, { ...draft, metadata: { ...draft.metadata, resourceVersion } }, options);
  }

  patch<T extends KubeObject>(kind: Kind<T>, old: T, patch: Patch, options: WriteOptions = {}): T {
    const merge = patch.kind === 'merge' ? mergePatch : strategicMergePatch;
    return this.replace(kind, old, merge(old, patch.body), options);
  }

  /** Server-side apply; creates the object if it is missing. */
  apply<T extends KubeObject>(
    kind: Kind<T>,
    place: { readonly namespace?: Namespace; readonly name: string },
    body: unknown,
    options: WriteOptions & { readonly fieldManager: string; readonly force?: boolean },
  ): T {
    const applied = readApplied({ kind, namespace: place.namespace, name: place.name }, body);
    const old = this.store.get(kind, place.namespace, place.name);
    if (!old) return this.applyNew(kind, applied, options);
    checkPreconditions(kind, old, applied.metadata);
    const { merged, managers } = applyConfiguration({
      kind,
      current: old,
      managers: this.store.managersOf(kind, old),
      applied: withoutStatus(kind, applied, options.subresource),
      writer: this.writer(options),
      force: options.force ?? false,
    });
    return this.update(kind, old, merged as unknown as Draft, options, managers);
  }

  /** Deletes an object; returns it if it is only marked as deleted. */
  delete<T extends KubeObject>(kind: Kind<T>, old: T, deletion: Deletion = {}): T | undefined {
    checkDeletion(kind, old, deletion.preconditions ?? {});
    return deletion.dryRun ? old : deleteObject(this.store, kind, old, deletion);
  }

  private applyNew<T extends KubeObject>(kind: Kind<T>, applied: Draft, options: WriteOptions): T {
    const { uid } = applied.metadata;
    if (uid) {
      const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
      throw conflict(kind, applied.metadata.name, why);
    }
    return this.insert(kind, withoutStatus(kind, applied, undefined), options, 'Apply');
  }

  private insert<T extends KubeObject>(
    kind: Kind<T>,
    draft: Draft,
    options: WriteOptions,
    operation: FieldManager['operation'],
  ): T {
    const { name, namespace } = draft.metadata;
    if (namespace !== undefined && !this.store.get(NAMESPACES, undefined, namespace)) {
      throw notFound(NAMESPACES, namespace);
    }
    const defaulted = withDefaults(kind, newState(kind, draft));
    const next = kind === (PODS as Kind) ? admitPod(this.store, defaulted) : defaulted;
    validate(kind, next);
    if (this.store.get(kind, namespace, name)) throw alreadyExists(kind, name);
    // An update owns the defaults too, an apply only the fields in its body.
    const owned = ownedFields(operation === 'Apply' ? draft : withoutStatus(kind, next, undefined));
    const managers = [newManager(kind, this.writer(options), operation, new Set(owned.keys()))];
    return options.dryRun ? (next as unknown as T) : this.store.insert(kind, next, managers);
  }

  private update<T extends KubeObject>(
    kind: Kind<T>,
    old: T,
    draft: Draft,
    options: WriteOptions,
    applied?: readonly FieldManager[],
  ): T {
    const next = withDefaults(kind, nextState(kind, old, draft, options.subresource));
    validate(kind, next, old);
    const managed = this.store.managersOf(kind, old);
    const managers = applied ?? managersAfterUpdate(managed, fieldChanges(old, next), kind, this.writer(options));
    if (sameJson(next, old) && sameManagers(managers, managed)) return old;
    const generation = nextGeneration(kind, old, next);
    const numbered = { ...next, metadata: { ...next.metadata, ...(generation && { generation }) } } as unknown as T;
    if (options.dryRun) return numbered;
    const ended =
      numbered.metadata.deletionTimestamp && !numbered.metadata.finalizers?.length && kind !== (PODS as Kind);
    if (!ended) return this.store.write(kind, numbered, managers);
    this.store.remove(kind, old.metadata.namespace, old.metadata.name);
    return numbered;
  }

  private writer(options: WriteOptions): Writer {
    const { fieldManager = 'unknown', subresource } = options;
    return { manager: fieldManager, ...(subresource && { subresource }), time: this.store.timestamp() };
  }
}

export function selectionOf(kind: Kind, { labelSelector, fieldSelector }: ListQuery): (object: KubeObject) => boolean {
  const byLabels = parseLabelSelector(labelSelector ?? '');
  const byFields = parseFieldSelector(kind, fieldSelector ?? '');
  return (object) => byLabels(object.metadata.labels ?? {}) && byFields(object);
}

function byName(a: KubeObject, b: KubeObject): number {
  const key = ({ metadata: { namespace = '', name } }: KubeObject) => `${namespace}/${name}`;
  return key(a) < key(b) ? -1 : 1;
}

interface Preconditions {
  readonly uid?: string;
  readonly resourceVersion?: string;
}

function checkPreconditions(kind: Kind, old: KubeObject, given: Preconditions): void {
  const { name, uid, resourceVersion } = old.metadata;
  if (given.uid !== undefined && given.uid !== uid) {
    throw conflict(kind, name, `Precondition failed: UID in precondition: ${given.uid}, UID in object meta: ${uid}`);
  }
  if (given.resourceVersion && given.resourceVersion !== resourceVersion) throw modified(kind, name);
}

function checkDeletion(kind: Kind, old: KubeObject, given: Preconditions): void {
  const { name, uid, resourceVersion } = old.metadata;
  const differs = (what: string, wanted: string, got: string, guess: string) =>
    `the ${what} in the precondition (${wanted}) does not match the ${what} in record (${got}). The object might have been ${guess}`;
  if (given.uid !== undefined && given.uid !== uid) {
    throw preconditionFailed(kind, name, differs('UID', given.uid, uid, 'deleted and then recreated'));
  }
  if (given.resourceVersion !== undefined && given.resourceVersion !== resourceVersion) {
    throw preconditionFailed(
      kind,
      name,
      differs('ResourceVersion', given.resourceVersion, resourceVersion, 'modified'),
    );
  }
}

function withoutStatus(kind: Kind, object: Draft, subresource: Subresource | undefined): Draft {
  if (subresource === 'status' || !kind.subresources.includes('status')) return object;
  const { status, ...rest } = object;
  return rest as Draft;
}

function sameManagers(a: readonly FieldManager[], b: readonly FieldManager[]): boolean {
  return a.length === b.length && a.every((entry, index) => entry === b[index]);
}

/** A new generation for every change of the spec; for Deployments also of the annotations. */
function nextGeneration(kind: Kind, old: KubeObject, next: Draft): number | undefined {
  const { generation, annotations } = old.metadata;
  if (generation === undefined) return undefined;
  const noted = kind !== (DEPLOYMENTS as Kind) || sameJson(annotations, next.metadata.annotations);
  return noted && sameJson(old.spec, next.spec) ? generation : generation + 1;
}
