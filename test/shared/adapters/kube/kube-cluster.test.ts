import type { KubernetesObject, V1Deployment } from '@kubernetes/client-node';
import { createSimulatedCluster } from '../../../../lab/simulator/engine/simulated-cluster';
import { serveKube } from '../../../../lab/simulator/kube/rest/http-server';
import { loopbackConnection } from '../../../../shared/adapters/kube/connection';
import { currentHeadroom, kubeCluster } from '../../../../shared/adapters/kube/kube-cluster';
import { type KubeTransport, kubeTransport } from '../../../../shared/adapters/kube/kube-transport';
import { ConflictError } from '../../../../shared/core/basics/errors';
import { namespaceManifest, priorityClassManifest } from '../../../../shared/core/manifests/cluster-object-manifests';
import { pauseDeployment } from '../../../../shared/core/manifests/pause-deployment';
import type { NodeClaim, NodeClaimsRead } from '../../../../shared/core/ports/ports';
import { configOf } from '../../../fakes/fake-runtime';

let server: Awaited<ReturnType<typeof serveKube>>;
const simulated = createSimulatedCluster({ seed: 1, startTime: Date.parse('2026-11-16T00:00:00Z') });

beforeAll(async () => {
  server = await serveKube(simulated.api, {});
  await transport().create('/api/v1/namespaces', namespaceManifest('headroom'));
  await transport().create('/apis/scheduling.k8s.io/v1/priorityclasses', priorityClassManifest('headroom'));
});
afterAll(() => server.close());

function transport() {
  return kubeTransport(loopbackConnection(server.url));
}

const cluster = () => kubeCluster(transport(), 'headroom');

function manifestOf(nodePool: string, lines = 'base: 1') {
  const [pool] = configOf(`  ${nodePool}: {max: 3, ${lines}}\n`).headrooms;
  if (!pool) throw new Error('no pool');
  return pauseDeployment({
    pool,
    namespace: 'headroom',
    replicas: 2,
    annotations: { note: 'x' },
    defaultTolerations: [],
    imageVolumes: true,
  });
}

const templateOf = (object: unknown) => (object as V1Deployment).spec?.template.spec;

describe('kubeCluster on the Kubernetes API', () => {
  test('creates the whole headroom', async () => {
    const created = await cluster().createHeadroom(manifestOf('whole'));
    expect(created).toMatchObject({ name: 'headroom-whole', replicas: 2, annotations: { note: 'x' } });
  });

  test('what the config no longer states is taken away again, also from the first manifest', async () => {
    await cluster().createHeadroom(
      manifestOf(
        'shrinks',
        'zones: spread, tolerations: [{key: a, operator: Exists}], warmImages: [example.com/app:1]',
      ),
    );
    const before = await cluster().readHeadroom('headroom-shrinks');
    expect(templateOf(before?.object)).toMatchObject({ tolerations: [{ key: 'a' }], volumes: [{ name: 'warm-0' }] });
    const after = await cluster().applyHeadroom(manifestOf('shrinks'), before?.resourceVersion ?? '');
    const { tolerations, volumes, topologySpreadConstraints } = templateOf(after.object) ?? {};
    expect([tolerations, volumes, topologySpreadConstraints]).toEqual([undefined, undefined, undefined]);
  });

  test('a second create, and a write onto another version, are conflicts', async () => {
    const created = await cluster().createHeadroom(manifestOf('raced'));
    await expect(cluster().createHeadroom(manifestOf('raced'))).rejects.toBeInstanceOf(ConflictError);
    await cluster().applyHeadroom(manifestOf('raced', 'zones: spread'), created.resourceVersion);
    await expect(cluster().applyHeadroom(manifestOf('raced'), created.resourceVersion)).rejects.toBeInstanceOf(
      ConflictError,
    );
  });

  test('deletes only the object that was read, and none is fine too', async () => {
    const created = await cluster().createHeadroom(manifestOf('goes'));
    await expect(cluster().deleteHeadroom({ ...created, uid: 'another' })).rejects.toBeInstanceOf(ConflictError);
    await cluster().deleteHeadroom(created);
    await cluster().deleteHeadroom(created);
    expect(await cluster().readHeadroom('headroom-goes')).toBeUndefined();
  });
});

test('currentHeadroom tells who wrote last; neither we nor who writes the status counts', () => {
  const written = (manager: string, time: string, subresource?: string) => ({
    manager,
    time: new Date(`2026-11-17T${time}Z`) as never,
    ...(subresource && { subresource }),
  });
  const managedFields = [
    written('argocd', '09:00:00'),
    written('kubectl', '08:00:00'),
    written('headstart', '10:00:00'),
    written('kube-controller-manager', '11:00:00', 'status'),
  ];
  const spec = { replicas: 3, selector: {}, template: {} };
  expect(currentHeadroom({ metadata: { managedFields }, spec }).changedBy).toBe('argocd');
  expect(currentHeadroom({ metadata: { managedFields: managedFields.slice(2) }, spec }).changedBy).toBeUndefined();
});

test('the version of the cluster is asked where every API server tells it', async () => {
  const paths: string[] = [];
  const transport = {
    get: async (path: string) => {
      paths.push(path);
      return { minor: '35+' };
    },
  } as unknown as KubeTransport;
  expect(await kubeCluster(transport, 'headroom').kubernetesMinor()).toBe(35);
  expect(paths).toEqual(['/version']);
});

test('of which NodePool an instance is, is read of every NodeClaim that has one, from a table or from the objects', async () => {
  const claims = '/apis/karpenter.sh/v1/nodeclaims';
  const spec = { nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'web' }, requirements: [] };
  for (const [name, providerID] of Object.entries({ a: 'aws:///eu-west-1a/i-1', b: '', c: 'aws:///eu-west-1b/i-2' })) {
    const metadata = { name, labels: { 'karpenter.sh/nodepool': 'web' } };
    const claim = { apiVersion: 'karpenter.sh/v1', kind: 'NodeClaim', metadata, spec };
    await transport().create(claims, claim);
    const launched: KubernetesObject & { status: object } = { ...claim, status: { providerID } };
    if (providerID) await transport().apply(`${claims}/${name}/status`, launched, 'karpenter');
  }
  const read = async (which: NodeClaimsRead) => {
    const seen: NodeClaim[] = [];
    await cluster().readNodeClaims(() => (claim) => void seen.push(claim), which);
    return seen;
  };
  const [first, second] = ['i-1', 'i-2'].map((instanceId) => ({ instanceId, nodePool: 'web' }));
  expect(await read({ instancesOnly: true })).toEqual([{ facts: first }, {}, { facts: second }]);
  expect((await read({})).map(({ facts }) => facts)).toEqual([
    { ...first, deleting: false },
    undefined,
    { ...second, deleting: false },
  ]);
});
