import { DEPLOYMENTS, type Kind, NODES, PODS, PRIORITY_CLASSES, REPLICA_SETS, type Subresource } from '../kinds';
import type { Draft } from '../object-store';
import type { KubeObject } from '../object-types';

const COUNTED = new Set<Kind>([DEPLOYMENTS, REPLICA_SETS, PODS, PRIORITY_CLASSES]);

/** A new object without the fields that only the server or a controller may set. */
export function newState(kind: Kind, draft: Draft): Draft {
  const { uid, resourceVersion, creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds, ...given } =
    draft.metadata;
  const generation = COUNTED.has(kind) || kind.custom ? { generation: 1 } : {};
  const { status, ...rest } = draft;
  const keepsStatus = kind === (NODES as Kind) || !kind.subresources.includes('status');
  const metadata = { ...given, name: draft.metadata.name, ...generation };
  const isWorkload = kind.subresources.includes('scale');
  return {
    ...rest,
    metadata,
    ...(keepsStatus && status !== undefined && { status }),
    ...(isWorkload && { status: {} }),
  };
}

/** The next state of an object: an update keeps the status, an update of the status keeps everything else. */
export function nextState(kind: Kind, old: KubeObject, draft: Draft, subresource: Subresource | undefined): Draft {
  const { status, ...rest } = draft;
  if (subresource === 'status') return { ...old, ...(status !== undefined && { status }) };
  const hasStatus = kind.subresources.includes('status');
  const kept = hasStatus ? old.status : status;
  return { ...rest, metadata: nextMetadata(old, draft), ...(kept !== undefined && { status: kept }) };
}

function nextMetadata(old: KubeObject, draft: Draft): Draft['metadata'] {
  const { labels, annotations, finalizers, ownerReferences } = draft.metadata;
  const next = Object.entries({ ...old.metadata, labels, annotations, finalizers, ownerReferences });
  return Object.fromEntries(next.filter(([, value]) => !isEmpty(value))) as unknown as Draft['metadata'];
}

function isEmpty(value: unknown): boolean {
  return value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
}
