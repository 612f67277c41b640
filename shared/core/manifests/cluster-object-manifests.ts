import { LIVE_SCHEDULES, MANAGED_BY, MANAGED_BY_LABEL, priorityClassName, runtimeGroup } from '../basics/names';
import type { ClusterConfig, Config, LikeWorkload } from '../config/config';

const labels = { [MANAGED_BY_LABEL]: MANAGED_BY };
const RUNTIME_NAME = 'headstart-runtime';
const QUOTA_NAME = 'headstart-pause-pods-only';
export const NETWORK_POLICY_NAME = 'headstart-no-network';

type Switches = Pick<ClusterConfig, 'liveSchedules' | 'wakeUp'> & {
  /** What headrooms are shaped like. */
  readonly workloads?: readonly Pick<LikeWorkload, 'kind' | 'name'>[];
};

/** What the functions' rights depend on. */
export function switchesOf({ cluster, headrooms }: Pick<Config, 'cluster' | 'headrooms'>): Switches {
  return { ...cluster, workloads: headrooms.flatMap(({ like }) => like ?? []) };
}

/** Any Kubernetes object that Headstart applies. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly [field: string]: unknown;
}

/** Headstart's own namespace: Pod Security "restricted" is enforced on it. */
export function namespaceManifest(namespace: string): Manifest {
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: {
      name: namespace,
      labels: {
        ...labels,
        'pod-security.kubernetes.io/enforce': 'restricted',
        'pod-security.kubernetes.io/warn': 'restricted',
      },
    },
  };
}

/**
 * -10: below every normal pod, but high enough that Cluster Autoscaler still counts
 * the pods (its cut-off is -10) and that Karpenter does not treat their nodes as
 * empty (it does below -2^25, since 1.14).
 */
export function priorityClassManifest(namespace: string): Manifest {
  return {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name: priorityClassName(namespace), labels },
    value: -10,
    preemptionPolicy: 'Never',
    description: 'Headroom: pause pods that any normal pod may preempt and that preempt nobody',
  };
}

/**
 * Reserves the namespace for our own pause pods: pods of any other PriorityClass, or of none, are
 * rejected, whoever creates them. Ours are not counted. It is not a LimitRange, which would give
 * floor pods requests.
 */
function quotaManifest(namespace: string): Manifest {
  const others = { scopeName: 'PriorityClass', operator: 'NotIn', values: [priorityClassName(namespace)] };
  return {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: QUOTA_NAME, namespace, labels },
    spec: { hard: { pods: '0' }, scopeSelector: { matchExpressions: [others] } },
  };
}

/** A pause pod needs no network, nor does any other pod that somebody gets into the namespace. */
function networkPolicyManifest(namespace: string): Manifest {
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: NETWORK_POLICY_NAME, namespace, labels },
    spec: { podSelector: {}, policyTypes: ['Ingress', 'Egress'] },
  };
}

/**
 * The functions' rights: Deployments in their own namespace, and reading NodePools and NodeClaims. Of ConfigMaps
 * they may read the one with the live schedules, and write none. For wake-ups they may delete pods of that namespace.
 * The Deployments and StatefulSets that headrooms are shaped like they may read, each by name.
 */
export function rbacManifests(
  namespace: string,
  { liveSchedules, wakeUp, workloads = [] }: Switches = {},
): readonly Manifest[] {
  const subjects = [{ kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: runtimeGroup(namespace) }];
  const clusterWide = `${RUNTIME_NAME}-${namespace}`;
  const binding = (kind: 'Role' | 'ClusterRole') => ({
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name: kind === 'Role' ? RUNTIME_NAME : clusterWide },
    subjects,
  });
  const rbac = 'rbac.authorization.k8s.io/v1';
  return [
    {
      apiVersion: rbac,
      kind: 'Role',
      metadata: { name: RUNTIME_NAME, namespace, labels },
      rules: [
        { apiGroups: ['apps'], resources: ['deployments'], verbs: ['get', 'list', 'create', 'patch', 'delete'] },
        {
          apiGroups: ['events.k8s.io'],
          resources: ['events'],
          verbs: ['create', 'list'],
        },
        ...(wakeUp === false
          ? []
          : [
              { apiGroups: [''], resources: ['pods'], verbs: ['list', 'delete'] },
              { apiGroups: ['apps'], resources: ['replicasets'], verbs: ['list'] },
            ]),
        ...(liveSchedules
          ? [{ apiGroups: [''], resources: ['configmaps'], resourceNames: [LIVE_SCHEDULES], verbs: ['get'] }]
          : []),
      ],
    },
    {
      apiVersion: rbac,
      kind: 'RoleBinding',
      metadata: { name: RUNTIME_NAME, namespace, labels },
      ...binding('Role'),
    },
    {
      apiVersion: rbac,
      kind: 'ClusterRole',
      metadata: { name: clusterWide, labels },
      rules: [
        { apiGroups: ['karpenter.sh'], resources: ['nodepools', 'nodeclaims'], verbs: ['get', 'list'] },
        ...workloadRules(workloads),
      ],
    },
    {
      apiVersion: rbac,
      kind: 'ClusterRoleBinding',
      metadata: { name: clusterWide, labels },
      ...binding('ClusterRole'),
    },
  ];
}

/** By name only: Kubernetes has no rule for a name in some namespaces, and we put no objects into those of others. */
function workloadRules(workloads: NonNullable<Switches['workloads']>) {
  return (['Deployment', 'StatefulSet'] as const).flatMap((kind) => {
    const names = new Set(workloads.filter((one) => one.kind === kind).map(({ name }) => name));
    const resources = [`${kind.toLowerCase()}s`];
    return names.size === 0
      ? []
      : [{ apiGroups: ['apps'], resources, resourceNames: [...names].sort(), verbs: ['get'] }];
  });
}

/** Everything that a default deploy puts on the cluster, in the order in which it is needed. */
export function clusterObjects(namespace: string, switches?: Switches): readonly Manifest[] {
  return [
    namespaceManifest(namespace),
    priorityClassManifest(namespace),
    quotaManifest(namespace),
    networkPolicyManifest(namespace),
    ...rbacManifests(namespace, switches),
  ];
}
