import type {
  Deployment,
  KubeEvent,
  KubeObject,
  Node,
  NodeClaim,
  NodePool,
  Pod,
  PriorityClass,
  ReplicaSet,
} from './object-types';

export interface Kind<T extends KubeObject = KubeObject> {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly shortNames: readonly string[];
  readonly namespaced: boolean;
  readonly subresources: readonly Subresource[];
  /** A custom resource, which is stored as sent, and whose updates must include a resourceVersion. */
  readonly custom: boolean;
  /** Field selectors beyond metadata.name and metadata.namespace. */
  readonly fields: readonly string[];
  /** Never set; carries the type of the objects. */
  readonly objects?: T;
}

export type GroupKind = Pick<Kind, 'group' | 'kind'>;
export type Subresource = 'scale' | 'status';

export const KINDS: Kind[] = [];

function kind<T extends KubeObject = KubeObject>(
  groupVersion: string,
  name: string,
  plural: string,
  traits: Partial<Kind<T>> = {},
): Kind<T> {
  const [version = '', group = ''] = groupVersion.split('/').reverse();
  const usual = { shortNames: [], namespaced: true, subresources: [], custom: false, fields: [] };
  const made = { group, version, kind: name, plural, ...usual, ...traits };
  KINDS.push(made);
  return made;
}

const EVENT_FIELDS = ['kind', 'name', 'namespace', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'];
const RBAC = 'rbac.authorization.k8s.io/v1';
/** In no namespace, and with a status. */
const CLUSTER_WIDE = { namespaced: false, subresources: ['status'] } as const;

export const NAMESPACES = kind('v1', 'Namespace', 'namespaces', {
  ...CLUSTER_WIDE,
  shortNames: ['ns'],
  fields: ['status.phase'],
});
export const PODS = kind<Pod>('v1', 'Pod', 'pods', {
  shortNames: ['po'],
  subresources: ['status'],
  fields: ['spec.nodeName', 'spec.schedulerName', 'status.phase', 'status.nominatedNodeName'],
});
export const NODES = kind<Node>('v1', 'Node', 'nodes', {
  ...CLUSTER_WIDE,
  shortNames: ['no'],
  fields: ['spec.unschedulable'],
});
export const EVENTS = kind<KubeEvent>('v1', 'Event', 'events', {
  shortNames: ['ev'],
  fields: [...EVENT_FIELDS.map((field) => `involvedObject.${field}`), 'reason', 'source', 'type'],
});
/** The same objects as `EVENTS`, by the names of the newer API. */
export const NEWER_EVENTS = kind('events.k8s.io/v1', 'Event', 'events', { shortNames: ['ev'] });
export const CONFIG_MAPS = kind('v1', 'ConfigMap', 'configmaps', { shortNames: ['cm'] });
kind('v1', 'ServiceAccount', 'serviceaccounts', { shortNames: ['sa'] });
// Stored, but not enforced, as are network policies.
kind('v1', 'ResourceQuota', 'resourcequotas', { shortNames: ['quota'] });
kind('networking.k8s.io/v1', 'NetworkPolicy', 'networkpolicies', { shortNames: ['netpol'] });
export const DEPLOYMENTS = kind<Deployment>('apps/v1', 'Deployment', 'deployments', {
  shortNames: ['deploy'],
  subresources: ['scale', 'status'],
});
export const REPLICA_SETS = kind<ReplicaSet>('apps/v1', 'ReplicaSet', 'replicasets', {
  shortNames: ['rs'],
  subresources: ['scale', 'status'],
  fields: ['status.replicas'],
});
export const PRIORITY_CLASSES = kind<PriorityClass>('scheduling.k8s.io/v1', 'PriorityClass', 'priorityclasses', {
  shortNames: ['pc'],
  namespaced: false,
});
kind(RBAC, 'Role', 'roles');
kind(RBAC, 'RoleBinding', 'rolebindings');
kind(RBAC, 'ClusterRole', 'clusterroles', { namespaced: false });
kind(RBAC, 'ClusterRoleBinding', 'clusterrolebindings', { namespaced: false });
const CUSTOM = { ...CLUSTER_WIDE, custom: true };
export const NODE_POOLS = kind<NodePool>('karpenter.sh/v1', 'NodePool', 'nodepools', CUSTOM);
export const NODE_CLAIMS = kind<NodeClaim>('karpenter.sh/v1', 'NodeClaim', 'nodeclaims', CUSTOM);
kind('karpenter.k8s.aws/v1', 'EC2NodeClass', 'ec2nodeclasses', { ...CUSTOM, shortNames: ['ec2nc', 'ec2ncs'] });

/** `v1` or `apps/v1`, as in objects. */
export function apiVersionOf(kind: Kind): string {
  return kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;
}

/** `pods` or `deployments.apps`, as in the API server's messages. */
export function resourceName(kind: Kind): string {
  return kind.group === '' ? kind.plural : `${kind.plural}.${kind.group}`;
}

/** `Pod` or `Deployment.apps`, as in the API server's messages about invalid objects. */
export function kindName({ group, kind }: GroupKind): string {
  return group === '' ? kind : `${kind}.${group}`;
}
