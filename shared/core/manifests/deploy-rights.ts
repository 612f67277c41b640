import { MANAGED_BY, MANAGED_BY_LABEL } from '../basics/names';
import type { Manifest } from './cluster-object-manifests';
import { drainingKinds, NEVER_DELETED, placeOf } from './places';

const RBAC = 'rbac.authorization.k8s.io';
const labels = { [MANAGED_BY_LABEL]: MANAGED_BY };

export interface DeployRightsProps {
  /** What is deployed, as part of the names: `deploy` or `node-pools`. */
  readonly what: string;
  /** The headroom's namespace, in all names, so that two stacks on one cluster share nothing. */
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
 * The rights that a deploying role keeps when it is no longer cluster admin: to read and
 * delete its own objects, each by name. It can neither change nor create one; a change of
 * the objects creates a new role, which is admin until they are applied.
 *
 * Each binding comes before its role: deleting it deletes the role too (see `ownedBy`).
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
  // Even in a namespace that is not ours to delete, the headroom is.
  const headroom = { apiGroups: ['apps'], resources: ['deployments'], verbs: ['list', 'delete'] };
  return [
    ...pair('Role', { name: inside, namespace }, [...byName([...objects.filter(isInside), ...own]), headroom], props),
    ...pair('ClusterRole', { name: wide }, clusterWide, props),
  ].filter(({ metadata }) => metadata.namespace === undefined || objects.some(isInside));
}

/** The binding of a role of `deployRights`. */
export function bindingOf(role: Manifest): Pick<Manifest, 'kind' | 'metadata'> {
  return { kind: `${role.kind}Binding`, metadata: role.metadata };
}

/** The role with its binding as owner, so that Kubernetes deletes it after the binding. */
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

/** NodePools are listed to print the commands that delete those that the config no longer contains. */
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
