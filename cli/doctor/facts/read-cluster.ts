import { orMissing } from '../../../shared/adapters/kube/kube-error';
import type { KubeTransport } from '../../../shared/adapters/kube/kube-transport';
import { readConfigMap } from '../../../shared/adapters/kube/live-ports';
import { priorityClassName, runtimeGroup } from '../../../shared/core/basics/names';
import type { ClusterConfig, Config } from '../../../shared/core/config/config';
import { rbacManifests } from '../../../shared/core/manifests/cluster-objects';
import { readCapacity } from '../../access/capacity-facts';
import { clockSkew } from '../../access/clock-skew';
import type { OpenCluster } from '../../access/cluster-access';
import { mapRead, read } from '../../access/read';
import type { AutoscalerFacts, KubeFacts, LooseObject, Right } from './kube-facts';
import { controllerFacts, headroomFacts, nodePoolFacts, priorityClassFacts } from './loose-objects';
import { readAdmission } from './read-admission';
import { readFloors } from './read-floors';

/** Reads what doctor checks; a failure to read one part does not stop the others. */
export async function readCluster(cluster: OpenCluster, config: Config, now: () => number): Promise<KubeFacts> {
  const { transport } = cluster;
  const { namespace } = config.cluster;
  const list = (path: string, selector?: string) => transport.list<LooseObject>(path, selector);
  // An API that the cluster does not serve has no objects.
  const listOrNone = async (path: string) => (await orMissing(list(path))) ?? [];
  const controllers = (path: string, selector: string) =>
    read(list(path, selector)).then((found) => mapRead(found, (items) => items.map(controllerFacts)));
  const inNamespace = `/api/v1/namespaces/${namespace}`;
  const [
    ns,
    classes,
    pools,
    headrooms,
    karpenter,
    autoscaler,
    rights,
    hpas,
    budgets,
    quotas,
    networkPolicies,
    skewMs,
    capacity,
    floors,
    live,
    admissions,
  ] = await Promise.all([
    read(orMissing(transport.get<LooseObject>(inNamespace))),
    read(list('/apis/scheduling.k8s.io/v1/priorityclasses')),
    read(list('/apis/karpenter.sh/v1/nodepools')),
    read(list(`/apis/apps/v1/namespaces/${namespace}/deployments`)),
    controllers('/apis/apps/v1/deployments', 'app.kubernetes.io/name=karpenter'),
    clusterAutoscalers(transport),
    read(missingRights(transport, config.cluster)),
    read(listOrNone(`/apis/autoscaling/v2/namespaces/${namespace}/horizontalpodautoscalers`)),
    read(listOrNone(`/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets`)),
    read(listOrNone(`${inNamespace}/resourcequotas`)),
    read(listOrNone(`/apis/networking.k8s.io/v1/namespaces/${namespace}/networkpolicies`)),
    read(isSimulated(transport).then((simulated) => (simulated ? 0 : clockSkew(cluster.connection, now)))),
    Promise.all(config.nodePools.map(({ name }) => readCapacity(transport, namespace, name))),
    readFloors(transport, config),
    config.cluster.liveSchedules ? read(readConfigMap(transport, namespace)) : undefined,
    readAdmission(transport, config),
  ]);
  return {
    namespace: mapRead(ns, (found) => found && { labels: found.metadata?.labels ?? {} }),
    priorityClasses: mapRead(classes, (items) => items.map(priorityClassFacts)),
    nodePools: mapRead(pools, (items) => items.map(nodePoolFacts)),
    headrooms: mapRead(headrooms, (items) => items.map(headroomFacts)),
    karpenter,
    clusterAutoscaler: autoscaler,
    missingRights: rights,
    ...(live && { live }),
    autoscalers: mapRead(hpas, (items) => items.map(autoscalerFacts)),
    budgets: mapRead(budgets, names),
    networkPolicies: mapRead(networkPolicies, names),
    quotas: mapRead(quotas, (items) => items.filter(countsPausePods(namespace)).map(quotaFacts)),
    skewMs,
    capacity,
    admissions,
    ...(floors && { floors }),
  };
}

function names(items: readonly LooseObject[]): readonly { name: string }[] {
  return items.map(({ metadata }) => ({ name: metadata?.name ?? '' }));
}

/** The sandbox's clock follows its scenario, so its skew means nothing. */
async function isSimulated(transport: KubeTransport): Promise<boolean> {
  return (await transport.get<LooseObject>('/version')).platform === 'sandbox';
}

/** Finds it by the labels that its chart and its manifests use. */
async function clusterAutoscalers(transport: KubeTransport): Promise<KubeFacts['clusterAutoscaler']> {
  const selectors = [
    'app.kubernetes.io/name in (cluster-autoscaler, aws-cluster-autoscaler)',
    'app=cluster-autoscaler',
  ];
  const found = await Promise.all(
    selectors.map((selector) => read(transport.list<LooseObject>('/apis/apps/v1/deployments', selector))),
  );
  const failed = found.find((one) => !one.ok);
  if (failed && !failed.ok) return failed;
  return { ok: true, value: found.flatMap((one) => (one.ok ? one.value.map(controllerFacts) : [])) };
}

function autoscalerFacts({ metadata, spec }: LooseObject): AutoscalerFacts {
  const { kind = '', name = '' } = (spec?.scaleTargetRef ?? {}) as { kind?: string; name?: string };
  return { name: metadata?.name ?? '', target: { kind, name } };
}

/** Headstart's own quota covers every PriorityClass but its own. */
function countsPausePods(namespace: string) {
  const ours = priorityClassName(namespace);
  return ({ spec }: LooseObject): boolean => {
    const { matchExpressions = [] } = (spec?.scopeSelector ?? {}) as { matchExpressions?: readonly Scope[] };
    return !matchExpressions.some(
      ({ scopeName, operator, values = [] }) =>
        scopeName === 'PriorityClass' && operator === 'NotIn' && values.includes(ours),
    );
  };
}

interface Scope {
  readonly scopeName: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

function quotaFacts({ metadata, spec }: LooseObject): { name: string; hard: Record<string, string> } {
  return { name: metadata?.name ?? '', hard: (spec?.hard ?? {}) as Record<string, string> };
}

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

/** Asks the cluster's authorizer what the functions' group is not allowed to do, however it got its permissions. */
async function missingRights(transport: KubeTransport, cluster: ClusterConfig): Promise<readonly Right[]> {
  const { namespace } = cluster;
  const rights = neededRights(cluster);
  const allowed = await Promise.all(rights.map((right) => isAllowed(transport, namespace, right)));
  return rights.filter((_, index) => !allowed[index]);
}

/** The rules of our own Role and ClusterRole, one verb and resource at a time. */
function neededRights({ namespace, liveSchedules }: ClusterConfig): readonly Right[] {
  return rbacManifests(namespace, liveSchedules).flatMap(({ kind, rules }) => {
    const inNamespace = kind === 'Role' ? { namespace } : {};
    return ((rules ?? []) as readonly Rule[]).flatMap(({ apiGroups, resources, resourceNames: [name] = [], verbs }) =>
      resources.flatMap((resource) =>
        verbs.map((verb) => ({ verb, group: apiGroups[0] ?? '', resource, ...(name && { name }), ...inNamespace })),
      ),
    );
  });
}

async function isAllowed(
  transport: KubeTransport,
  ours: string,
  { verb, group, resource, name, namespace }: Right,
): Promise<boolean> {
  const { status } = await transport.create<LooseObject>('/apis/authorization.k8s.io/v1/subjectaccessreviews', {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SubjectAccessReview',
    spec: {
      user: 'headstart',
      groups: [runtimeGroup(ours), 'system:authenticated'],
      resourceAttributes: {
        verb,
        group,
        resource,
        ...(name && { name }),
        ...(namespace !== undefined && { namespace }),
      },
    },
  } as LooseObject);
  return status?.allowed === true;
}
