import { MANAGED_BY, MANAGED_BY_LABEL } from '../basics/names';
import type { Manifest } from './cluster-objects';
import { drainingKinds, NEVER_DELETED, placeOf } from './places';

const RBAC = 'rbac.authorization.k8s.io';
const labels = { [MANAGED_BY_LABEL]: MANAGED_BY };

export interface DeployRightsProps {
  /** What is deployed, as part of the names: `deploy` or `node-pools`. */
  readonly what: string;
  /** The headroom's namespace: two stacks on one cluster share nothing. */
  readonly namespace: string;
  /** What the deploy applies. */
  readonly objects: readonly Manifest[];
}

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

/** The Kubernetes group of the role that deploys these objects. */
export function deployGroup({ what, namespace }: Pick<DeployRightsProps, 'what' | 'namespace'>): string {
  return `headstart:${namespace}:${what}`;
}

/**
 * What a deploying role keeps when it is no longer cluster admin: to look at its own
 * objects and to delete them, each by its name. It can neither change nor create one;
 * objects that change make a new role, which is admin until they are applied.
 *
 * Each binding stands before its role: deleting it takes the role along (see `ownedBy`).
 */
export function deployRights(props: DeployRightsProps): readonly Manifest[] {
  const { namespace, objects } = props;
  const wide = `headstart-${props.what}-${namespace}`;
  const inside = `headstart-${props.what}`;
  const isInside = ({ metadata }: Manifest) => metadata.namespace !== undefined;
  const clusterWide = [
    ...byName(objects.filter((object) => !isInside(object))),
    ...byName(['ClusterRole', 'ClusterRoleBinding'].map((kind) => named(kind, wide))),
    ...listing(objects),
  ];
  const own = ['Role', 'RoleBinding'].map((kind) => named(kind, inside, namespace));
  // Where the namespace is not ours to delete, the headroom in it still is.
  const headroom = { apiGroups: ['apps'], resources: ['deployments'], verbs: ['list', 'delete'] };
  return [
    ...pair('Role', { name: inside, namespace }, [...byName([...objects.filter(isInside), ...own]), headroom], props),
    ...pair('ClusterRole', { name: wide }, clusterWide, props),
  ].filter(({ metadata }) => metadata.namespace === undefined || objects.some(isInside));
}

/** The binding that a role of `deployRights` goes with, so that whoever may delete the binding leaves no role behind. */
export function bindingOf(role: Manifest): Pick<Manifest, 'kind' | 'metadata'> {
  return { kind: `${role.kind}Binding`, metadata: role.metadata };
}

/** A role that Kubernetes' garbage collector deletes after its binding. */
export function ownedBy(role: Manifest, { name, uid }: { readonly name: string; readonly uid: string }): Manifest {
  const owner = { apiVersion: `${RBAC}/v1`, kind: `${role.kind}Binding`, name, uid };
  return { ...role, metadata: { ...role.metadata, ownerReferences: [owner] } as Manifest['metadata'] };
}

function pair(
  kind: 'Role' | 'ClusterRole',
  metadata: Manifest['metadata'],
  rules: readonly Rule[],
  props: DeployRightsProps,
): readonly Manifest[] {
  return [
    {
      apiVersion: `${RBAC}/v1`,
      kind: `${kind}Binding`,
      metadata: { ...metadata, labels },
      roleRef: { apiGroup: RBAC, kind, name: metadata.name },
      subjects: [{ kind: 'Group', apiGroup: RBAC, name: deployGroup(props) }],
    },
    { apiVersion: `${RBAC}/v1`, kind, metadata: { ...metadata, labels }, rules },
  ];
}

/** One rule for each kind: its objects by name, and no others. */
function byName(objects: readonly Manifest[]): readonly Rule[] {
  const kinds = [...new Set(objects.map(({ kind }) => kind))];
  return kinds.map((kind) => ({
    apiGroups: [placeOf(kind).group],
    resources: [placeOf(kind).plural],
    resourceNames: objects.filter((object) => object.kind === kind).map(({ metadata }) => metadata.name),
    verbs: NEVER_DELETED.includes(kind) ? ['get'] : ['get', 'delete'],
  }));
}

/** NodePools are listed, to print the commands that delete those that the config no longer names. */
function listing(objects: readonly Manifest[]): readonly Rule[] {
  return drainingKinds(objects).map((kind) => ({
    apiGroups: [placeOf(kind).group],
    resources: [placeOf(kind).plural],
    verbs: ['list'],
  }));
}

function named(kind: string, name: string, namespace?: string): Manifest {
  return { apiVersion: '', kind, metadata: { name, ...(namespace !== undefined && { namespace }) } };
}
