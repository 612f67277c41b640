import { runtimeGroup } from '../../../shared/core/basics/names';
import { clusterObjects, switchesOf } from '../../../shared/core/manifests/cluster-object-manifests';
import { pauseDeployment } from '../../../shared/core/manifests/pause-deployment';
import { configOf } from '../functions/installation';
import type { ApiClient } from '../harness/api-client';
import type { Cluster } from '../harness/cluster';
import { eventually } from '../harness/process/eventually';
import { rightsIn } from '../harness/rights';
import { describeCluster, sharedCluster } from '../harness/shared-cluster';

const OURS = 'rbac-ours';
const OTHER = 'rbac-other';
const deploymentsOf = (namespace: string) => `/apis/apps/v1/namespaces/${namespace}/deployments`;
const DEPLOYMENT = `${deploymentsOf(OURS)}/headroom-rbac`;
const CORE = '/api/v1';
const EVENTS = '/apis/events.k8s.io/v1';
const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const KARPENTER = '/apis/karpenter.sh/v1';
const APPLY = 'application/apply-patch+yaml';
const MERGE = 'application/merge-patch+json';

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

  // What the rights below leave out, spot-checked where a mistake would cost most.
  test.each([
    { name: 'read secrets', method: 'GET', path: `${CORE}/secrets` },
    { name: 'delete all pods at once', method: 'DELETE', path: `${CORE}/namespaces/${OURS}/pods` },
    { name: 'create a Deployment elsewhere', method: 'POST', path: deploymentsOf(OTHER), body: named(OTHER) },
    { name: 'delete a Deployment elsewhere', method: 'DELETE', path: `${deploymentsOf('kube-system')}/coredns` },
    { name: 'replace a Deployment', method: 'PUT', path: DEPLOYMENT, body: named(OURS) },
    {
      name: 'scale a Deployment by the scale subresource',
      method: 'PATCH',
      path: `${DEPLOYMENT}/scale`,
      body: { spec: { replicas: 9 } },
      contentType: MERGE,
    },
    { name: 'delete a node', method: 'DELETE', path: `${CORE}/nodes/system-0` },
    { name: 'delete a NodePool', method: 'DELETE', path: `${KARPENTER}/nodepools/x` },
    { name: 'delete a NodeClaim', method: 'DELETE', path: `${KARPENTER}/nodeclaims/x` },
    {
      name: 'give itself rights',
      method: 'POST',
      path: `${RBAC}/clusterrolebindings`,
      body: { metadata: { name: 'x' }, roleRef: { kind: 'ClusterRole', name: 'cluster-admin' } },
    },
  ])('may not $name', async ({ method, path, body, contentType }) => {
    expect(await api.request(method, path, body, contentType)).toMatchObject({
      status: 403,
      body: { reason: 'Forbidden' },
    });
  });

  test('has no further right in its own namespace, and elsewhere only to read NodePools and NodeClaims', async () => {
    const everywhere = ['karpenter.sh/nodeclaims: get,list on *', 'karpenter.sh/nodepools: get,list on *'];
    expect(await rightsIn(api, OTHER)).toEqual(everywhere);
    expect(await rightsIn(api, OURS)).toEqual([
      '/pods: delete,list on *',
      'apps/deployments: create,delete,get,list,patch on *',
      'apps/replicasets: list on *',
      'events.k8s.io/events: create,list on *',
      ...everywhere,
    ]);
  });
});

/** A Deployment and a StatefulSet of the user, which headrooms are shaped like. */
describeCluster('the identity of functions with headroom like a workload', () => {
  const LIKE = 'rbac-like';
  const SHOP = 'rbac-shop';
  const APPS = `/apis/apps/v1/namespaces/${SHOP}`;
  const CHECKOUT_ONLY = 'fieldSelector=metadata.name%3Dcheckout';
  let cluster: Cluster;
  let api: ApiClient;

  beforeAll(async () => {
    cluster = await sharedCluster();
    const unit = (kind: string, name: string) => ({ like: { kind, namespace: SHOP, name } });
    const nodePools = {
      rbac: { max: 8, unit: unit('Deployment', 'checkout') },
      'rbac-data': { max: 8, nodePool: 'rbac', unit: unit('StatefulSet', 'orders') },
    };
    for (const object of clusterObjects(LIKE, switchesOf(configOf(LIKE, nodePools)))) await cluster.admin.apply(object);
    await cluster.admin.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: SHOP } });
    for (const kind of ['Deployment', 'StatefulSet'])
      for (const name of ['checkout', 'orders']) await cluster.admin.apply(workload(kind, name, SHOP));
    api = (await cluster.issueClient('headstart-like', [runtimeGroup(LIKE)])).api;
    await eventually(async () => (await api.request('GET', `${APPS}/deployments/checkout`)).status === 200);
  });

  afterAll(async () => {
    for (const name of [LIKE, SHOP]) await cluster.admin.remove(`${CORE}/namespaces/${name}`);
  });

  test.each(['deployments/checkout', 'statefulsets/orders'])('may read %s by its name', async (path) => {
    expect(await api.request('GET', `${APPS}/${path}`)).toMatchObject({ status: 200, body: { spec: { replicas: 0 } } });
  });

  test.each([
    { name: 'read a Deployment of another name', method: 'GET', path: `${APPS}/deployments/orders` },
    { name: 'read a StatefulSet of another name', method: 'GET', path: `${APPS}/statefulsets/checkout` },
    { name: 'list the Deployments there', method: 'GET', path: `${APPS}/deployments` },
    { name: 'list the StatefulSets there', method: 'GET', path: `${APPS}/statefulsets` },
    { name: 'list those of the cluster', method: 'GET', path: '/apis/apps/v1/statefulsets' },
    { name: 'watch what it may read', method: 'GET', path: `${APPS}/deployments?watch=true&${CHECKOUT_ONLY}` },
    { name: 'read its scale', method: 'GET', path: `${APPS}/deployments/checkout/scale` },
    { name: 'change it', method: 'PATCH', path: `${APPS}/deployments/checkout`, body: { spec: { replicas: 9 } } },
    { name: 'delete it', method: 'DELETE', path: `${APPS}/deployments/checkout` },
    { name: 'list its pods', method: 'GET', path: `${CORE}/namespaces/${SHOP}/pods` },
  ])('may not $name', async ({ method, path, body }) => {
    expect((await api.request(method, path, body, MERGE)).status).toBe(403);
  });
});

function workload(kind: string, name: string, namespace: string) {
  const labels = { app: name };
  return {
    apiVersion: 'apps/v1',
    kind,
    metadata: { name, namespace },
    spec: {
      replicas: 0,
      ...(kind === 'StatefulSet' && { serviceName: name }),
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'work', image: 'work' }] } },
    },
  };
}

function named(namespace: string) {
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'x', namespace } };
}

function fail(): never {
  throw new Error('the config has no NodePool');
}
