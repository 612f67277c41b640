import type { KubernetesObject } from '@kubernetes/client-node';
import { KubeError, orMissing } from '../../shared/adapters/kube-error';
import type { KubeTransport } from '../../shared/adapters/kube-transport';
import { MANAGED_BY, MANAGED_BY_LABEL } from '../../shared/core/basics/names';

/** Which custom resource applied an object last; only that one removes it. */
export const APPLIED_BY_ANNOTATION = 'headstart.dev/applied-by';

const RBAC = '/apis/rbac.authorization.k8s.io/v1';

/** Where the kinds that a deploy applies are found. */
const PLACES: Readonly<Record<string, { readonly root: string; readonly plural: string }>> = {
  RoleBinding: { root: RBAC, plural: 'rolebindings' },
  Role: { root: RBAC, plural: 'roles' },
  ClusterRoleBinding: { root: RBAC, plural: 'clusterrolebindings' },
  ClusterRole: { root: RBAC, plural: 'clusterroles' },
  Namespace: { root: '/api/v1', plural: 'namespaces' },
  PriorityClass: { root: '/apis/scheduling.k8s.io/v1', plural: 'priorityclasses' },
  NodePool: { root: '/apis/karpenter.sh/v1', plural: 'nodepools' },
  EC2NodeClass: { root: '/apis/karpenter.k8s.aws/v1', plural: 'ec2nodeclasses' },
};

/** Deleting one of these drains nodes: that is left to people, always. */
export const NEVER_DELETED: readonly string[] = ['NodePool', 'EC2NodeClass'];
/** What a deploy may delete, rights before what they are rights to. */
const DELETABLE = Object.keys(PLACES).filter((kind) => !NEVER_DELETED.includes(kind));

/** An object as the cluster has it. */
export interface LiveObject extends KubernetesObject {
  readonly kind: string;
  readonly metadata: NonNullable<KubernetesObject['metadata']> & { readonly name: string };
}

/** Says which object is meant; manifests and live objects both do. */
export interface ObjectName {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string | undefined };
}

/** `NodePool default`, as people say it. */
export function shownObject({ kind, metadata }: ObjectName): string {
  return `${kind} ${metadata.namespace === undefined ? '' : `${metadata.namespace}/`}${metadata.name}`;
}

/** The path of one object. */
export function objectPath({ kind, metadata }: ObjectName): string {
  const { root, plural } = placeOf(kind);
  const namespace = metadata.namespace === undefined ? '' : `/namespaces/${metadata.namespace}`;
  return `${root}${namespace}/${plural}/${metadata.name}`;
}

export async function readObject(transport: KubeTransport, object: ObjectName): Promise<LiveObject | undefined> {
  return orMissing(transport.get<LiveObject>(objectPath(object)));
}

/** All objects of a kind with our label, whoever applied them; `undefined` when the cluster does not serve the kind. */
export async function listLabelled(transport: KubeTransport, kind: string): Promise<readonly LiveObject[] | undefined> {
  const { root, plural } = placeOf(kind);
  const found = await orMissing(
    transport.list<KubernetesObject>(`${root}/${plural}`, `${MANAGED_BY_LABEL}=${MANAGED_BY}`),
  );
  // The items of a list do not say their kind.
  return found?.map((object) => ({ ...object, kind }) as LiveObject);
}

/** What this custom resource applied once, of the kinds that a deploy may delete, in the order to delete them. */
export async function listApplied(transport: KubeTransport, owner: string): Promise<readonly LiveObject[]> {
  const lists = await Promise.all(DELETABLE.map((kind) => listLabelled(transport, kind)));
  return lists
    .flatMap((list) => list ?? [])
    .filter(({ metadata }) => metadata.annotations?.[APPLIED_BY_ANNOTATION] === owner);
}

/** Deletes this very object; that it is gone already, or is another one by now, is fine. */
export async function deleteObject(transport: KubeTransport, object: LiveObject): Promise<void> {
  const { uid } = object.metadata;
  await transport.delete(objectPath(object), uid === undefined ? undefined : { uid }).catch((error: unknown) => {
    if (!(error instanceof KubeError && [404, 409].includes(error.status))) throw error;
  });
}

function placeOf(kind: string) {
  const place = PLACES[kind];
  if (!place) throw new Error(`objects of kind ${JSON.stringify(kind)} are not applied by a deploy`);
  return place;
}
