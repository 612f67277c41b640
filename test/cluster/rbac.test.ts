import { priorityClassName, runtimeGroup } from '../../shared/core/basics/names';
import { clusterObjects } from '../../shared/core/manifests/cluster-object-manifests';
import { pauseDeployment } from '../../shared/core/manifests/pause-deployment';
import { configOf } from './functions/installation';
import type { ApiClient } from './harness/api-client';
import type { Cluster } from './harness/cluster';
import { eventually } from './harness/eventually';
import { describeCluster, sharedCluster } from './harness/shared-cluster';

const OURS = 'rbac-ours';
const OTHER = 'rbac-other';
const deploymentsOf = (namespace: string) => `/apis/apps/v1/namespaces/${namespace}/deployments`;
const DEPLOYMENT = `${deploymentsOf(OURS)}/headroom-rbac`;
const CORE = '/api/v1';
const EVENTS = '/apis/events.k8s.io/v1';
const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const KARPENTER = '/apis/karpenter.sh/v1';
const CLASSES = '/apis/scheduling.k8s.io/v1/priorityclasses';
const APPLY = 'application/apply-patch+yaml';
const MERGE = 'application/merge-patch+json';

interface Rules {
  readonly status: {
    readonly resourceRules: readonly { verbs: string[]; apiGroups: string[]; resources: string[] }[];
  };
}

describeCluster("the functions' own identity", () => {
  let cluster: Cluster;
  let api: ApiClient;
  const manifest = pauseDeployment({
    pool: configOf(OURS, { rbac: { max: 1 } }).headrooms[0] ?? fail(),
    namespace: OURS,
    replicas: 0,
    annotations: {},
    defaultTolerations: [],
    imageVolumes: false,
  });

  beforeAll(async () => {
    cluster = await sharedCluster();
    for (const object of clusterObjects(OURS)) await cluster.admin.apply(object);
    await cluster.admin.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: OTHER } });
    api = (await cluster.issueClient('headstart-function', [runtimeGroup(OURS)])).api;
    await eventually(async () => (await api.request('GET', deploymentsOf(OURS))).status === 200);
  });

  afterAll(async () => {
    for (const name of [OURS, OTHER]) await cluster.admin.remove(`${CORE}/namespaces/${name}`);
  });

  test.each([
    { name: 'create a Deployment of its own', method: 'POST', path: deploymentsOf(OURS), body: manifest },
    { name: 'read it', method: 'GET', path: DEPLOYMENT },
    { name: 'list what is there', method: 'GET', path: deploymentsOf(OURS) },
    {
      name: 'apply it',
      method: 'PATCH',
      path: `${DEPLOYMENT}?fieldManager=headstart&force=true`,
      body: manifest,
      contentType: APPLY,
    },
    { name: 'delete it', method: 'DELETE', path: DEPLOYMENT },
    { name: 'list the NodePools', method: 'GET', path: `${KARPENTER}/nodepools` },
    { name: 'list the NodeClaims', method: 'GET', path: `${KARPENTER}/nodeclaims` },
    { name: 'ask for the version', method: 'GET', path: '/version' },
    { name: 'list the pods of its own namespace', method: 'GET', path: `${CORE}/namespaces/${OURS}/pods` },
    { name: 'list their ReplicaSets', method: 'GET', path: `/apis/apps/v1/namespaces/${OURS}/replicasets` },
    { name: 'list the Events about them', method: 'GET', path: `${EVENTS}/namespaces/${OURS}/events` },
  ])('may $name', async ({ method, path, body, contentType }) => {
    const { status } = await api.request(method, path, body, contentType);
    expect([200, 201]).toContain(status);
  });

  test.each([
    { name: 'read secrets in its own namespace', method: 'GET', path: `${CORE}/namespaces/${OURS}/secrets` },
    { name: 'read secrets anywhere', method: 'GET', path: `${CORE}/secrets` },
    { name: 'read ConfigMaps', method: 'GET', path: `${CORE}/namespaces/kube-system/configmaps` },
    { name: 'list the pods of another namespace', method: 'GET', path: `${CORE}/namespaces/${OTHER}/pods` },
    { name: 'delete pods of another namespace', method: 'DELETE', path: `${CORE}/namespaces/${OTHER}/pods/any` },
    { name: 'delete all pods at once', method: 'DELETE', path: `${CORE}/namespaces/${OURS}/pods` },
    { name: 'list the Events of another namespace', method: 'GET', path: `${EVENTS}/namespaces/${OTHER}/events` },
    { name: 'delete Events', method: 'DELETE', path: `${EVENTS}/namespaces/${OURS}/events/any` },
    { name: 'list Deployments of all namespaces', method: 'GET', path: '/apis/apps/v1/deployments' },
    { name: 'read Deployments of another namespace', method: 'GET', path: deploymentsOf(OTHER) },
    { name: 'create a Deployment elsewhere', method: 'POST', path: deploymentsOf(OTHER), body: named(OTHER) },
    {
      name: 'apply a Deployment elsewhere',
      method: 'PATCH',
      path: `${deploymentsOf(OTHER)}/x?fieldManager=headstart&force=true`,
      body: named(OTHER),
      contentType: APPLY,
    },
    { name: 'delete a Deployment elsewhere', method: 'DELETE', path: `${deploymentsOf('kube-system')}/coredns` },
    { name: 'delete all Deployments at once', method: 'DELETE', path: deploymentsOf(OURS) },
    { name: 'replace a Deployment', method: 'PUT', path: DEPLOYMENT, body: named(OURS) },
    {
      name: 'scale a Deployment by the scale subresource',
      method: 'PATCH',
      path: `${DEPLOYMENT}/scale`,
      body: { spec: { replicas: 9 } },
      contentType: MERGE,
    },
    { name: 'watch', method: 'GET', path: `${deploymentsOf(OURS)}?watch=true&timeoutSeconds=1` },
    { name: 'create pods', method: 'POST', path: `${CORE}/namespaces/${OURS}/pods`, body: named(OURS) },
    { name: 'list the nodes', method: 'GET', path: `${CORE}/nodes` },
    { name: 'delete a node', method: 'DELETE', path: `${CORE}/nodes/system-0` },
    { name: 'taint a node', method: 'PATCH', path: `${CORE}/nodes/system-0`, body: { spec: {} }, contentType: MERGE },
    { name: 'create a NodePool', method: 'POST', path: `${KARPENTER}/nodepools`, body: { metadata: { name: 'x' } } },
    { name: 'change a NodePool', method: 'PATCH', path: `${KARPENTER}/nodepools/x`, body: {}, contentType: MERGE },
    { name: 'delete a NodePool', method: 'DELETE', path: `${KARPENTER}/nodepools/x` },
    { name: 'delete a NodeClaim', method: 'DELETE', path: `${KARPENTER}/nodeclaims/x` },
    { name: 'create a PriorityClass', method: 'POST', path: CLASSES, body: { metadata: { name: 'x' }, value: 1 } },
    { name: 'delete its own PriorityClass', method: 'DELETE', path: `${CLASSES}/${priorityClassName(OURS)}` },
    { name: 'delete another PriorityClass', method: 'DELETE', path: `${CLASSES}/system-node-critical` },
    { name: 'delete its own namespace', method: 'DELETE', path: `${CORE}/namespaces/${OURS}` },
    { name: 'read its own Role', method: 'GET', path: `${RBAC}/namespaces/${OURS}/roles` },
    {
      name: 'give itself rights',
      method: 'POST',
      path: `${RBAC}/clusterrolebindings`,
      body: { metadata: { name: 'x' }, roleRef: { kind: 'ClusterRole', name: 'cluster-admin' } },
    },
    {
      name: 'make a token of a service account',
      method: 'POST',
      path: `${CORE}/namespaces/${OURS}/serviceaccounts/default/token`,
      body: {},
    },
  ])('may not $name', async ({ method, path, body, contentType }) => {
    expect(await api.request(method, path, body, contentType)).toMatchObject({
      status: 403,
      body: { reason: 'Forbidden' },
    });
  });

  test.each([
    {
      namespace: OURS,
      own: [
        ['', 'pods', 'delete list'],
        ['apps', 'deployments', 'create delete get list patch'],
        ['apps', 'replicasets', 'list'],
        ['events.k8s.io', 'events', 'create list'],
      ],
    },
    { namespace: OTHER, own: [] },
  ])('the apiserver knows of no further right in $namespace', async ({ namespace, own }) => {
    const review = { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectRulesReview', spec: { namespace } };
    const { status } = await api.send<Rules>('POST', '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews', review);
    const rights = status.resourceRules
      .flatMap(({ apiGroups, resources, verbs }) => resources.map((one) => [apiGroups[0], one, verbs.sort().join(' ')]))
      // Every authenticated user may ask about itself.
      .filter(([, resource]) => !resource?.startsWith('selfsubject'));
    const reading = [
      ['karpenter.sh', 'nodeclaims', 'get list'],
      ['karpenter.sh', 'nodepools', 'get list'],
    ];
    expect(rights.sort()).toEqual([...reading, ...own].sort());
  });
});

function named(namespace: string) {
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'x', namespace } };
}

function fail(): never {
  throw new Error('the config has no NodePool');
}
