import type { DeployedObjects } from '../../../lambdas/deploy/objects/deployed-objects';
import { changeObjects } from '../../../lambdas/deploy/objects/object-changes';
import type { ObjectsRequest } from '../../../lambdas/deploy/objects/objects-request';
import { kubeTransport } from '../../../shared/adapters/kube/kube-transport';
import { priorityClassName } from '../../../shared/core/basics/names';
import { nodePoolManifests } from '../../../shared/core/karpenter/node-pools';
import { clusterObjects } from '../../../shared/core/manifests/cluster-object-manifests';
import { deployGroup, deployRights } from '../../../shared/core/manifests/deploy-rights';
import { configIn } from '../../fakes/loaded-config';
import { memoryLog } from '../../lambdas/deploy/requests';
import type { ApiClient } from '../harness/api-client';
import type { Cluster, ClusterClient } from '../harness/cluster';
import { applyCrds } from '../harness/crds';
import { eventually } from '../harness/process/eventually';
import { rightsIn } from '../harness/rights';
import { describeCluster, sharedCluster } from '../harness/shared-cluster';
import { ec2NodeClassCrd } from '../schemas/ec2-node-class';

const CORE = '/api/v1';
const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const CLASSES = '/apis/scheduling.k8s.io/v1/priorityclasses';
const APPLY = 'application/apply-patch+yaml';
const MERGE = 'application/merge-patch+json';
const FORCED = '?fieldManager=headstart&force=true';
const OWNER = 'arn:aws:cloudformation:eu-west-1:123456789012:stack/proof/1/Objects';

/** The deploying role: with the admin policy on its access entry, and after that is off. */
interface Deployer {
  readonly admin: ClusterClient;
  readonly narrowed: ClusterClient;
  send(as: ClusterClient, order: ObjectsRequest['action']): ReturnType<typeof changeObjects>;
}

async function deployer(
  cluster: Cluster,
  what: string,
  namespace: string,
  deployed: DeployedObjects,
): Promise<Deployer> {
  const group = deployGroup({ what, namespace });
  // system:masters is what cluster admin is here; EKS' own access policies are not to be had.
  const admin = await cluster.issueClient(`deployer-${namespace}`, [group, 'system:masters']);
  const narrowed = await cluster.issueClient(`deployer-${namespace}`, [group]);
  return {
    admin,
    narrowed,
    send: (as, order) => {
      const tls = () => ({ ca: cluster.ca, cert: as.cert, key: as.key });
      const transport = kubeTransport({ server: () => cluster.server, tls, authorize: async () => ({}) });
      return changeObjects(
        { action: order, owner: OWNER },
        {
          connect: async () => transport,
          deployed,
          headroomOwner: `123456789012/eu-west-1/proof/${namespace}/proof`,
          now: () => Date.now(),
          sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
          log: memoryLog(),
          deadline: Date.now() + 120_000,
        },
      );
    },
  };
}

function headroomObjects(namespace: string): DeployedObjects {
  const objects = clusterObjects(namespace);
  return { objects, rights: deployRights({ what: 'deploy', namespace, objects }) };
}

describeCluster("the deploying role of Headstart's own objects, when it is admin no more,", () => {
  const OURS = 'deployer-ours';
  const OTHER = 'deployer-other';
  const deployed = headroomObjects(OURS);
  const inOurs = (group: string, tail: string) => `${group}/namespaces/${OURS}/${tail}`;
  const runtimeRole = deployed.objects.find(({ kind }) => kind === 'ClusterRole');
  let cluster: Cluster;
  let role: Deployer;
  let api: ApiClient;

  beforeAll(async () => {
    cluster = await sharedCluster();
    role = await deployer(cluster, 'deploy', OURS, deployed);
    await role.send(role.admin, 'apply');
    await cluster.admin.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: OTHER } });
    api = role.narrowed.api;
    await eventually(async () => (await api.request('GET', `${CORE}/namespaces/${OURS}`)).status === 200);
  });

  afterAll(async () => {
    for (const name of [OURS, OTHER]) await cluster.admin.remove(`${CORE}/namespaces/${name}`);
    for (const { kind, metadata } of [...deployed.objects, ...deployed.rights])
      if (/^Cluster/.test(kind)) await cluster.admin.remove(`${RBAC}/${kind.toLowerCase()}s/${metadata.name}`);
    await cluster.admin.remove(`${CLASSES}/${priorityClassName(OURS)}`);
  });

  test('finds everything as it was applied', async () => {
    await expect(role.send(role.narrowed, 'check')).resolves.toEqual({ commands: [], changed: [] });
  });

  test.each([
    {
      name: 'apply its own ClusterRole again',
      method: 'PATCH',
      path: `${RBAC}/clusterroles/headstart-runtime-${OURS}${FORCED}`,
      body: runtimeRole,
      type: APPLY,
    },
    {
      name: 'raise its own ClusterRole',
      method: 'PATCH',
      path: `${RBAC}/clusterroles/headstart-deploy-${OURS}`,
      body: { rules: [] },
      type: MERGE,
    },
    {
      name: 'bind itself to another role',
      method: 'POST',
      path: `${RBAC}/clusterrolebindings`,
      body: { metadata: { name: 'x' }, roleRef: { kind: 'ClusterRole', name: 'cluster-admin' } },
    },
    { name: 'delete another namespace', method: 'DELETE', path: `${CORE}/namespaces/${OTHER}` },
    { name: 'delete another PriorityClass', method: 'DELETE', path: `${CLASSES}/system-node-critical` },
    {
      name: 'change a Deployment',
      method: 'PATCH',
      path: inOurs('/apis/apps/v1', 'deployments/x'),
      body: {},
      type: MERGE,
    },
    { name: 'read secrets', method: 'GET', path: `${CORE}/secrets` },
    { name: 'list nodes', method: 'GET', path: `${CORE}/nodes` },
  ])('may not $name', async ({ method, path, body, type }) => {
    expect(await api.request(method, path, body, type)).toMatchObject({ status: 403, body: { reason: 'Forbidden' } });
  });

  test('has no further right than to look at its own objects and to delete them', async () => {
    const rbac = 'rbac.authorization.k8s.io';
    const wide = [
      `${rbac}/clusterrolebindings: delete,get on headstart-deploy-${OURS}`,
      `${rbac}/clusterrolebindings: delete,get on headstart-runtime-${OURS}`,
      `${rbac}/clusterroles: delete,get on headstart-deploy-${OURS}`,
      `${rbac}/clusterroles: delete,get on headstart-runtime-${OURS}`,
      `/namespaces: delete,get on ${OURS}`,
      `scheduling.k8s.io/priorityclasses: delete,get on ${priorityClassName(OURS)}`,
    ];
    const inside = [
      'apps/deployments: delete,list on *',
      `${rbac}/rolebindings: delete,get on headstart-deploy,headstart-runtime`,
      `${rbac}/roles: delete,get on headstart-deploy,headstart-runtime`,
      '/resourcequotas: delete,get on headstart-pause-pods-only',
      'networking.k8s.io/networkpolicies: delete,get on headstart-no-network',
    ];
    expect(await rightsIn(api, OURS)).toEqual([...wide, ...inside].sort());
    expect(await rightsIn(api, OTHER)).toEqual([...wide].sort());
  });

  const POD = {
    securityContext: { runAsNonRoot: true, runAsUser: 65535, seccompProfile: { type: 'RuntimeDefault' } },
    containers: [
      {
        name: 'pause',
        image: 'registry.k8s.io/pause:3.10',
        securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
      },
    ],
  };
  const create = (priorityClass?: string) =>
    cluster.admin.request('POST', inOurs(CORE, 'pods?dryRun=All'), {
      metadata: { name: 'one' },
      spec: { ...POD, ...(priorityClass !== undefined && { priorityClassName: priorityClass }) },
    });

  test.each([
    { name: 'none', priorityClass: undefined },
    { name: 'another', priorityClass: 'system-node-critical' },
  ])(
    'its quota refuses a pod with $name of the PriorityClasses, even to an administrator',
    async ({ priorityClass }) => {
      expect(await create(priorityClass)).toMatchObject({
        status: 403,
        body: { message: expect.stringContaining('exceeded quota: headstart-pause-pods-only') },
      });
    },
  );

  test('its quota admits a floor pod, gives it no request, and does not count it', async () => {
    expect(await create(priorityClassName(OURS))).toMatchObject({
      status: 201,
      body: { spec: { priority: -10, containers: [{ resources: {} }] } },
    });
    const pod = { metadata: { name: 'floor' }, spec: { ...POD, priorityClassName: priorityClassName(OURS) } };
    await cluster.admin.send('POST', inOurs(CORE, 'pods'), pod);
    const quota = await cluster.admin.send<{ status: { used?: object } }>(
      'GET',
      inOurs(CORE, 'resourcequotas/headstart-pause-pods-only'),
    );
    expect(quota.status.used ?? { pods: '0' }).toEqual({ pods: '0' });
    await cluster.admin.remove(inOurs(CORE, 'pods/floor'));
  });

  test('removes everything, its own rights at last', async () => {
    await role.send(role.narrowed, 'remove');
    const paths = await Promise.all([...deployed.objects, ...deployed.rights].map((one) => cluster.admin.pathOf(one)));
    const left = async () => {
      const found = await Promise.all(paths.map((path) => cluster.admin.find(path)));
      return paths.filter((_, index) => found[index] !== undefined);
    };
    // The last role goes by Kubernetes' garbage collector.
    await eventually(async () => (await left()).length === 0, { what: 'the end of every object', timeoutMs: 60_000 });
    expect((await api.request('GET', `${CORE}/namespaces/${OURS}`)).status).toBe(403);
  });
});

describeCluster('the deploying role of NodePools, when it is admin no more,', () => {
  const OURS = 'deployer-pools';
  // A name that no other test uses.
  const objects = nodePoolManifests(configIn('examples/full.yaml'))
    .filter(({ metadata }) => /^(default|service)/.test(metadata.name))
    .map((one) => ({ ...one, metadata: { ...one.metadata, name: `deployer-${one.metadata.name}` } }));
  const deployed = { objects, rights: deployRights({ what: 'node-pools', namespace: OURS, objects }) };
  const pool = objects.find(({ kind }) => kind === 'NodePool')?.metadata.name ?? '';
  const path = `/apis/karpenter.sh/v1/nodepools/${pool}`;
  let cluster: Cluster;
  let role: Deployer;
  let crd: string;

  beforeAll(async () => {
    cluster = await sharedCluster();
    const definition = await ec2NodeClassCrd();
    await applyCrds(cluster.admin, [definition]);
    crd = await cluster.admin.pathOf(definition);
    role = await deployer(cluster, 'node-pools', OURS, deployed);
    await role.send(role.admin, 'apply');
    await eventually(async () => (await role.narrowed.api.request('GET', path)).status === 200);
  });

  afterAll(async () => {
    for (const object of objects) await cluster.admin.remove(await cluster.admin.pathOf(object));
    await cluster.admin.remove(crd);
  });

  test('finds them as they were applied', async () => {
    await expect(role.send(role.narrowed, 'check')).resolves.toMatchObject({ changed: [] });
  });

  test.each([
    { name: 'change one', method: 'PATCH', path, body: { spec: { weight: 1 } }, type: MERGE },
    { name: 'delete one', method: 'DELETE', path },
    { name: 'create one', method: 'POST', path: '/apis/karpenter.sh/v1/nodepools', body: { metadata: { name: 'x' } } },
    { name: 'read NodeClaims', method: 'GET', path: '/apis/karpenter.sh/v1/nodeclaims' },
    { name: 'read another one by name', method: 'GET', path: '/apis/karpenter.sh/v1/nodepools/another' },
  ])('may not $name', async ({ method, path, body, type }) => {
    expect((await role.narrowed.api.request(method, path, body, type)).status).toBe(403);
  });

  test('removes its rights and leaves every NodePool', async () => {
    await role.send(role.narrowed, 'remove');
    const gone = async () =>
      (await cluster.admin.find(`${RBAC}/clusterroles/headstart-node-pools-${OURS}`)) === undefined;
    await eventually(gone, { what: 'the end of its rights', timeoutMs: 60_000 });
    expect(await cluster.admin.find(path)).toMatchObject({ metadata: { name: pool } });
  });
});
