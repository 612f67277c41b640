import { apiVersionOf, KINDS, type Kind } from './kinds';
import type { FieldManager } from './managed-fields';
import type { KubeObject, ObjectMeta } from './object-types';

/** A change of one object; `previous` is its state before. */
export interface Change<T extends KubeObject = KubeObject> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly kind: Kind;
  readonly object: T;
  readonly previous?: T;
}

export interface Draft {
  readonly metadata: Partial<ObjectMeta> & { readonly name: string };
  readonly [field: string]: unknown;
}

interface Entry {
  readonly object: KubeObject;
  readonly managers: readonly FieldManager[];
}

export interface StoreOptions {
  readonly now: () => number;
  readonly newUid: () => string;
  /** Five characters that make a generated name unique. */
  readonly newSuffix: () => string;
}

/**
 * The objects of a cluster by kind, namespace and name, each with a version.
 * Objects are immutable, so readers need no copies.
 */
export class ObjectStore {
  readonly now: () => number;
  readonly newSuffix: () => string;
  private readonly newUid: () => string;
  private readonly tables = new Map<Kind, Map<string, Entry>>();
  private readonly listeners = new Map<Kind, ((change: Change) => void)[]>();
  private lastVersion = 0;

  constructor(options: StoreOptions) {
    this.now = options.now;
    this.newUid = options.newUid;
    this.newSuffix = options.newSuffix;
    for (const kind of KINDS) this.tables.set(kind, new Map());
  }

  get version(): string {
    return `${this.lastVersion}`;
  }

  get<T extends KubeObject>(kind: Kind<T>, namespace: string | undefined, name: string): T | undefined {
    return this.entry(kind, namespace, name)?.object as T | undefined;
  }

  managersOf(kind: Kind, object: KubeObject): readonly FieldManager[] {
    return this.entry(kind, object.metadata.namespace, object.metadata.name)?.managers ?? [];
  }

  /** All objects of a kind, in order of creation. */
  list<T extends KubeObject>(kind: Kind<T>, namespace?: string): T[] {
    const found: T[] = [];
    for (const { object } of this.table(kind).values()) {
      if (namespace === undefined || object.metadata.namespace === namespace) found.push(object as T);
    }
    return found;
  }

  insert<T extends KubeObject>(kind: Kind<T>, draft: Draft, managers: readonly FieldManager[] = []): T {
    const metadata = {
      ...draft.metadata,
      uid: draft.metadata.uid ?? this.newUid(),
      creationTimestamp: this.timestamp(),
      resourceVersion: this.nextVersion(),
    };
    const object = { ...draft, apiVersion: apiVersionOf(kind), kind: kind.kind, metadata } as unknown as T;
    this.table(kind).set(keyOf(metadata.namespace, metadata.name), { object, managers });
    this.notify({ type: 'ADDED', kind, object });
    return object;
  }

  write<T extends KubeObject>(kind: Kind<T>, next: T, managers?: readonly FieldManager[]): T {
    const { namespace, name } = next.metadata;
    const key = keyOf(namespace, name);
    const entry = this.table(kind).get(key);
    if (!entry) throw new Error(`cannot write ${kind.plural} ${key}: there is no such object`);
    const object = { ...next, metadata: { ...next.metadata, resourceVersion: this.nextVersion() } };
    this.table(kind).set(key, { object, managers: managers ?? entry.managers });
    this.notify({ type: 'MODIFIED', kind, object, previous: entry.object });
    return object;
  }

  /** Removes an object, ignoring grace periods and finalizers. */
  remove(kind: Kind, namespace: string | undefined, name: string): void {
    const key = keyOf(namespace, name);
    const entry = this.table(kind).get(key);
    if (!entry) return;
    this.table(kind).delete(key);
    const object = { ...entry.object, metadata: { ...entry.object.metadata, resourceVersion: this.nextVersion() } };
    this.notify({ type: 'DELETED', kind, object, previous: entry.object });
  }

  /** Calls the listener after every change of a kind; listeners are called in order of subscription. */
  subscribe<T extends KubeObject>(kind: Kind<T>, listener: (change: Change<T>) => void): () => void {
    const subscribers = this.listeners.get(kind) ?? [];
    this.listeners.set(kind, [...subscribers, listener as (change: Change) => void]);
    return () => {
      const rest = (this.listeners.get(kind) ?? []).filter((one) => one !== listener);
      this.listeners.set(kind, rest);
    };
  }

  /** The current time in Kubernetes' format, in whole seconds. */
  timestamp(): string {
    return formatTime(this.now());
  }

  private entry(kind: Kind, namespace: string | undefined, name: string): Entry | undefined {
    return this.table(kind).get(keyOf(namespace, name));
  }

  private table(kind: Kind): Map<string, Entry> {
    const table = this.tables.get(kind);
    if (!table) throw new Error(`the store does not know ${kind.plural}`);
    return table;
  }

  private nextVersion(): string {
    this.lastVersion += 1;
    return `${this.lastVersion}`;
  }

  private notify(change: Change): void {
    for (const listener of this.listeners.get(change.kind) ?? []) listener(change);
  }
}

function keyOf(namespace: string | undefined, name: string): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

/** A time in Kubernetes' format, in whole seconds. */
export function formatTime(milliseconds: number): string {
  return `${new Date(Math.floor(milliseconds / 1000) * 1000).toISOString().slice(0, 19)}Z`;
}
