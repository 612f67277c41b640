import { orMissing } from '../../../shared/adapters/kube/kube-error';
import type { KubeTransport } from '../../../shared/adapters/kube/kube-transport';
import { readConfigMap } from '../../../shared/adapters/kube/live-ports';
import { priorityClassName, runtimeGroup } from '../../../shared/core/basics/names';
import type { Config } from '../../../shared/core/config/config';
import { asList, asMap } from '../../../shared/core/config/yaml/untyped';
import { rbacManifests, switchesOf } from '../../../shared/core/manifests/cluster-object-manifests';
import { clockSkew } from '../../kube/clock-skew';
import { CLUSTER_AUTOSCALER } from '../../kube/cluster-autoscaler';
import type { OpenCluster } from '../../kube/open-cluster';
import { read } from '../../kube/read';
import { readCapacity } from '../../kube/read-capacity';
import {
  autoscalerFacts,
  controllerFacts,
  headroomFacts,
  type LooseObject,
  nodePoolFacts,
  priorityClassFacts,
  quotaFacts,
} from './loose-objects';
import { readAdmission } from './read-admission';
import { readFloors } from './read-floors';
import { readLike } from './read-like';

const DEPLOYMENTS = '/apis/apps/v1/deployments';

export type KubeFacts = Awaited<ReturnType<typeof readCluster>>;

/** Reads what doctor checks; a failure to read one part does not stop the others. */
export async function readCluster(cluster: OpenCluster, config: Config, now: () => number) {
  const { transport } = cluster;
  const { namespace } = config.cluster;
  const list = (path: string, selector?: string) => transport.list<LooseObject>(path, selector);
  // An API that the cluster does not serve has no objects.
  const listOrNone = async (path: string) => (await orMissing(list(path))) ?? [];
  const facts = async <T>(objects: Promise<readonly LooseObject[]>, factsOf: (object: LooseObject) => T) =>
    read(objects.then((items) => items.map(factsOf)));
  const inNamespace = `/api/v1/namespaces/${namespace}`;
  const { live, floors, ...others } = await allOf({
    namespace: read(
      orMissing(transport.get<LooseObject>(inNamespace)).then(
        (found) => found && { labels: found.metadata?.labels ?? {} },
      ),
    ),
    priorityClasses: facts(list('/apis/scheduling.k8s.io/v1/priorityclasses'), priorityClassFacts),
    nodePools: facts(list('/apis/karpenter.sh/v1/nodepools'), nodePoolFacts),
    headrooms: facts(list(`/apis/apps/v1/namespaces/${namespace}/deployments`), headroomFacts),
    karpenter: facts(list(DEPLOYMENTS, 'app.kubernetes.io/name=karpenter'), controllerFacts),
    clusterAutoscaler: facts(
      Promise.all(CLUSTER_AUTOSCALER.map((selector) => list(DEPLOYMENTS, selector))).then((lists) => lists.flat()),
      controllerFacts,
    ),
    missingRights: read(missingRights(transport, config)),
    autoscalers: facts(
      listOrNone(`/apis/autoscaling/v2/namespaces/${namespace}/horizontalpodautoscalers`),
      autoscalerFacts,
    ),
    budgets: facts(listOrNone(`/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets`), named),
    quotas: facts(
      listOrNone(`${inNamespace}/resourcequotas`).then((quotas) => quotas.filter(countsPausePods(namespace))),
      quotaFacts,
    ),
    networkPolicies: facts(listOrNone(`/apis/networking.k8s.io/v1/namespaces/${namespace}/networkpolicies`), named),
    skewMs: read(isSimulated(transport).then((simulated) => (simulated ? 0 : clockSkew(cluster.connection, now)))),
    capacity: Promise.all(config.headrooms.map((headroom) => readCapacity(transport, namespace, headroom))),
    floors: readFloors(transport, config),
    live: config.cluster.liveSchedules ? read(readConfigMap(transport, namespace)) : undefined,
    admissions: readAdmission(transport, config),
    like: readLike(transport, config),
  });
  return { ...others, ...(live && { live }), ...(floors && { floors }) };
}

async function allOf<T extends object>(parts: T): Promise<{ [Key in keyof T]: Awaited<T[Key]> }> {
  const read = Object.entries(parts).map(async ([key, part]) => [key, await part]);
  return Object.fromEntries(await Promise.all(read));
}

function named({ metadata }: LooseObject): { readonly name: string } {
  return { name: metadata?.name ?? '' };
}

/** The sandbox's clock follows its scenario, so its skew means nothing. */
async function isSimulated(transport: KubeTransport): Promise<boolean> {
  return (await transport.get<LooseObject>('/version')).platform === 'sandbox';
}

/** Headstart's own quota covers every PriorityClass but its own. */
function countsPausePods(namespace: string) {
  const ours = priorityClassName(namespace);
  return ({ spec }: LooseObject): boolean => {
    const scopes = asList(asMap(spec?.scopeSelector).matchExpressions).map(asMap);
    return !scopes.some(
      ({ scopeName, operator, values }) =>
        scopeName === 'PriorityClass' && operator === 'NotIn' && asList(values).includes(ours),
    );
  };
}

export type Right = ReturnType<typeof neededRights>[number];

/** Asks the cluster's authorizer what the functions' group is not allowed to do, however it got its permissions. */
async function missingRights(transport: KubeTransport, config: Config): Promise<readonly Right[]> {
  const rights = neededRights(config);
  const allowed = await Promise.all(rights.map((right) => isAllowed(transport, config.cluster.namespace, right)));
  return rights.filter((_, index) => !allowed[index]);
}

/** The rules of our own Role and ClusterRole, one verb and resource at a time. */
function neededRights(config: Config) {
  return rbacManifests(config.cluster.namespace, switchesOf(config)).flatMap(({ kind, rules }) =>
    asList(rules).flatMap((rule) => {
      const { apiGroups, resources, resourceNames, verbs } = asMap(rule);
      const [group = ''] = asList(apiGroups);
      const namespace = kind === 'Role' && { namespace: config.cluster.namespace };
      const names = resourceNames === undefined ? [{}] : asList(resourceNames).map((name) => ({ name }));
      return asList(resources).flatMap((resource) =>
        asList(verbs).flatMap((verb) =>
          names.map((name) => ({
            verb: String(verb),
            resource: String(resource),
            group: String(group),
            ...name,
            ...namespace,
          })),
        ),
      );
    }),
  );
}

async function isAllowed(transport: KubeTransport, ours: string, resourceAttributes: Right): Promise<boolean> {
  const { status } = await transport.create<LooseObject>('/apis/authorization.k8s.io/v1/subjectaccessreviews', {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SubjectAccessReview',
    spec: { user: 'headstart', groups: [runtimeGroup(ours), 'system:authenticated'], resourceAttributes },
  } as LooseObject);
  return status?.allowed === true;
}
