import { forbidden } from '../api-error';
import { isObject } from '../json';
import { KINDS, type Kind, NAMESPACES, PODS } from '../kinds';
import { formatTime, type ObjectStore } from '../object-store';
import type { KubeObject, Pod } from '../object-types';

export interface Deletion {
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly gracePeriodSeconds?: number;
  readonly dryRun?: boolean;
}

const PERMANENT = ['default', 'kube-system', 'kube-public'];

/** Deletes an object as its kind requires; returns it if it is only marked as deleted. */
export function deleteObject<T extends KubeObject>(
  store: ObjectStore,
  kind: Kind<T>,
  object: T,
  { gracePeriodSeconds }: Deletion,
): T | undefined {
  const { namespace, name, finalizers, deletionTimestamp } = object.metadata;
  if (kind === (NAMESPACES as Kind)) clearNamespace(store, name);
  const grace = kind === (PODS as Kind) ? podGrace(object as unknown as Pod, gracePeriodSeconds) : 0;
  if (grace > 0 || finalizers?.length) {
    return deletionTimestamp && grace === 0 ? object : markDeleted(store, kind, object, grace);
  }
  store.remove(kind, namespace, name);
  return undefined;
}

function markDeleted<T extends KubeObject>(store: ObjectStore, kind: Kind<T>, object: T, grace: number): T {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = object.metadata;
  if (deletionTimestamp && deletionGracePeriodSeconds <= grace) return object;
  const metadata = {
    ...object.metadata,
    deletionTimestamp: formatTime(store.now() + grace * 1000),
    deletionGracePeriodSeconds: grace,
  };
  return store.write(kind, { ...object, metadata });
}

/** A pod that does not run needs no grace period. */
function podGrace(pod: Pod, requested: number | undefined): number {
  if (!pod.spec.nodeName || ['Succeeded', 'Failed'].includes(pod.status.phase)) return 0;
  return requested ?? pod.spec.terminationGracePeriodSeconds ?? 30;
}

/** Deletes the contents immediately, unlike the real API server. */
function clearNamespace(store: ObjectStore, name: string): void {
  if (PERMANENT.includes(name)) throw forbidden(NAMESPACES, name, 'this namespace may not be deleted');
  for (const kind of KINDS.filter((one) => one.namespaced)) {
    for (const { metadata } of store.list(kind, name)) store.remove(kind, name, metadata.name);
  }
}

/** The options of a delete request, from its body or its query. */
export function readDeletion(body: unknown, query: URLSearchParams): Deletion {
  const options = isObject(body) ? body : {};
  const { uid, resourceVersion } = isObject(options.preconditions) ? options.preconditions : {};
  const grace = options.gracePeriodSeconds ?? query.get('gracePeriodSeconds') ?? undefined;
  const dryRun = Array.isArray(options.dryRun) ? options.dryRun.includes('All') : query.get('dryRun') === 'All';
  return {
    preconditions: {
      ...(typeof uid === 'string' && { uid }),
      ...(typeof resourceVersion === 'string' && { resourceVersion }),
    },
    ...(grace !== undefined && { gracePeriodSeconds: Number(grace) }),
    dryRun,
  };
}
