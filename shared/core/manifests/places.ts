import type { Manifest } from './cluster-object-manifests';

const RBAC = 'rbac.authorization.k8s.io';

/** The API paths of the kinds that a deploy applies, in deletion order: RBAC before the objects that it covers. */
export const PLACES: Readonly<Record<string, { readonly group: string; readonly plural: string }>> = {
  RoleBinding: { group: RBAC, plural: 'rolebindings' },
  Role: { group: RBAC, plural: 'roles' },
  ClusterRoleBinding: { group: RBAC, plural: 'clusterrolebindings' },
  ClusterRole: { group: RBAC, plural: 'clusterroles' },
  NetworkPolicy: { group: 'networking.k8s.io', plural: 'networkpolicies' },
  ResourceQuota: { group: '', plural: 'resourcequotas' },
  Namespace: { group: '', plural: 'namespaces' },
  PriorityClass: { group: 'scheduling.k8s.io', plural: 'priorityclasses' },
  NodePool: { group: 'karpenter.sh', plural: 'nodepools' },
  EC2NodeClass: { group: 'karpenter.k8s.aws', plural: 'ec2nodeclasses' },
};

/** Deleting one of these drains nodes, so it is always left to people. */
export const NEVER_DELETED: readonly string[] = ['NodePool', 'EC2NodeClass'];

/** The draining kinds to list: all, or none if the deploy applies none of them. */
export function drainingKinds(objects: readonly Manifest[]): readonly string[] {
  return objects.some(({ kind }) => NEVER_DELETED.includes(kind)) ? NEVER_DELETED : [];
}

export function placeOf(kind: string) {
  const place = PLACES[kind];
  if (!place) throw new Error(`objects of kind ${JSON.stringify(kind)} are not applied by a deploy`);
  return place;
}

/** `Role headroom/headstart-runtime`, for messages. */
export function objectText({ kind, metadata }: Pick<Manifest, 'kind'> & { readonly metadata: ObjectMetadata }): string {
  return `${kind} ${metadata.namespace === undefined ? '' : `${metadata.namespace}/`}${metadata.name}`;
}

interface ObjectMetadata {
  readonly name: string;
  readonly namespace?: string | undefined;
}
