import { loopbackConnection } from '../../../../shared/adapters/kube/connection';
import { dryRunCluster } from '../../../../shared/adapters/kube/dry-run-cluster';
import { kubeCluster, liveHeadroom } from '../../../../shared/adapters/kube/kube-cluster';
import { KubeError } from '../../../../shared/adapters/kube/kube-error';
import type { KubeTransport } from '../../../../shared/adapters/kube/kube-transport';
import { ConflictError } from '../../../../shared/core/basics/errors';
import type { DeploymentManifest } from '../../../../shared/core/manifests/pause-deployment';
import type { NodeClaim } from '../../../../shared/core/ports/ports';

type Asked = readonly [method: string, path: string, ...rest: unknown[]];

/** A cluster whose API answers every request with this, and what it was asked. */
function answering(answer: unknown) {
  const asked: Asked[] = [];
  const call =
    (method: string) =>
    async (path: string, ...rest: unknown[]) => {
      asked.push([method, path, ...rest]);
      if (answer instanceof Error) throw answer;
      return answer;
    };
  const transport = { get: call('get'), create: call('create'), apply: call('apply'), delete: call('delete') };
  return { cluster: kubeCluster(transport as unknown as KubeTransport, 'headroom'), asked };
}

async function claimsOf(items: readonly unknown[], nodePools?: readonly string[]) {
  const { cluster, asked } = answering({ items });
  const seen: NodeClaim[] = [];
  await cluster.readNodeClaims(() => (claim) => void seen.push(claim), nodePools);
  return { seen, asked };
}

const at = (time: string) => Date.parse(`2026-11-16T${time}Z`);
const condition = (type: string, status: string, more = {}) => ({ type, status, ...more });

describe('what is read of a NodePool', () => {
  const named = { metadata: { name: 'web' } };
  const template = (spec: object) => ({ ...named, spec: { template: { spec } } });
  const status = (ready: object, other = 'Other') => ({
    ...named,
    status: { conditions: [condition(other, 'False', { message: 'no' }), { type: 'Ready', ...ready }] },
  });

  test.each([
    { name: 'its name', nodePool: named, facts: {} },
    { name: 'an empty spec', nodePool: { ...named, spec: {}, status: {} }, facts: {} },
    { name: 'an empty template', nodePool: { ...named, spec: { template: {} } }, facts: {} },
    { name: 'taints', nodePool: template({ taints: [{ key: 'a' }] }), facts: { taints: [{ key: 'a' }] } },
    {
      name: 'zones that it is limited to',
      nodePool: template({
        requirements: [
          { key: 'topology.kubernetes.io/zone', operator: 'NotIn', values: ['c'] },
          { key: 'kubernetes.io/arch', operator: 'In', values: ['arm64'] },
          { key: 'topology.kubernetes.io/zone', operator: 'In', values: ['a', 'b'] },
        ],
      }),
      facts: { zones: ['a', 'b'] },
    },
    {
      name: 'the group of its NodeClass',
      nodePool: template({ nodeClassRef: { group: 'eks.amazonaws.com', kind: 'NodeClass', name: 'x' } }),
      facts: { nodeClassGroup: 'eks.amazonaws.com' },
    },
    {
      name: 'limits and use, numbers as texts',
      nodePool: { ...named, spec: { limits: { cpu: 100 } }, status: { resources: { cpu: '8' } } },
      facts: { limits: { cpu: '100' }, used: { cpu: '8' } },
    },
    { name: 'ready', nodePool: status({ status: 'True', message: 'yes' }), facts: {} },
    {
      name: 'not ready, and why',
      nodePool: status({ status: 'False', message: 'no AMI', reason: 'R' }),
      facts: { notReady: 'no AMI' },
    },
    { name: 'not ready, with a reason', nodePool: status({ status: 'False', reason: 'R' }), facts: { notReady: 'R' } },
    { name: 'not ready, without one', nodePool: status({ status: 'False' }), facts: { notReady: 'Ready' } },
  ])('$name', async ({ nodePool, facts }) => {
    const { cluster, asked } = answering({ items: [nodePool] });
    expect(await cluster.listNodePools()).toStrictEqual([{ name: 'web', taints: [], ...facts }]);
    expect(asked).toEqual([['get', '/apis/karpenter.sh/v1/nodepools?limit=500']]);
  });

  test('one without a name has none', async () => {
    expect(await answering({ items: [{}] }).cluster.listNodePools()).toStrictEqual([{ name: '', taints: [] }]);
  });
});

describe('what is read of a NodeClaim', () => {
  const labels = { 'karpenter.sh/nodepool': 'web', a: 'b' };
  const created = { labels, uid: 'u1', creationTimestamp: '2026-11-16T03:00:00Z' };
  const start = { nodePool: 'web', id: 'u1', createdAt: at('03:00:00'), deleting: false };
  const shape = { labels, taints: [], deleting: false, launched: false };
  const [launched, registered] = ['Launched', 'Registered'].map((type) => condition(type, 'True'));
  const initialized = condition('Initialized', 'True', { lastTransitionTime: '2026-11-16T03:01:00Z' });
  const withConditions = (...conditions: unknown[]) => ({ metadata: created, status: { conditions } });

  test.each([
    { name: 'nothing yet', claim: {}, shape: { ...shape, labels: {} } },
    { name: 'no labels', claim: { metadata: {}, spec: {}, status: {} }, shape: { ...shape, labels: {} } },
    {
      name: 'one that is being launched',
      claim: { metadata: created, spec: { taints: [{ key: 'x' }] }, status: { providerID: '' } },
      shape: { ...shape, taints: [{ key: 'x' }] },
      start,
    },
    {
      name: 'one that was launched',
      claim: { metadata: created, status: { providerID: 'aws:///eu-west-1a/i-1' } },
      facts: { instanceId: 'i-1', nodePool: 'web', deleting: false },
      shape: { ...shape, launched: true },
      start,
    },
    {
      name: 'one that is going away',
      claim: {
        metadata: { ...created, deletionTimestamp: '2026-11-16T03:02:00Z' },
        status: { providerID: 'kwok:///node-1' },
      },
      facts: { instanceId: 'node-1', nodePool: 'web', deleting: true },
      shape: { ...shape, deleting: true, launched: true },
      start: { ...start, deleting: true },
    },
    {
      name: 'one of no NodePool',
      claim: { metadata: { ...created, labels: {} }, status: { providerID: 'aws:///eu-west-1a/i-1' } },
      shape: { ...shape, labels: {}, launched: true },
    },
    { name: 'one without its creation', claim: { metadata: { labels } }, shape },
    {
      name: 'one without an id of its own',
      claim: { metadata: { ...created, uid: undefined } },
      shape,
      start: { ...start, id: '' },
    },
    {
      name: 'one whose node is ready, however its conditions are sorted',
      claim: withConditions(initialized, registered, launched),
      shape,
      start: { ...start, initializedAt: at('03:01:00') },
    },
    {
      name: 'one whose node is ready since nobody knows when',
      claim: withConditions(condition('Initialized', 'True'), registered, launched),
      shape,
      start,
    },
    {
      name: 'one that waits for its node, and why',
      claim: withConditions(
        condition('Initialized', 'Unknown', { message: 'later', lastTransitionTime: '2026-11-16T03:01:00Z' }),
        condition('Registered', 'Unknown', { message: 'no node yet', reason: 'R' }),
        launched,
      ),
      shape,
      start: { ...start, waitsFor: 'Registered: no node yet' },
    },
    {
      name: 'one that cannot be launched, with a reason only',
      claim: withConditions(condition('Launched', 'False', { reason: 'NoCapacity' })),
      shape,
      start: { ...start, waitsFor: 'Launched: NoCapacity' },
    },
  ])(
    '$name',
    async ({ claim, facts, shape, start }: { claim: object; facts?: object; shape: object; start?: object }) => {
      expect((await claimsOf([claim])).seen).toStrictEqual([{ facts, shape, start }]);
    },
  );

  test('all of them, or those of some NodePools', async () => {
    const path = '/apis/karpenter.sh/v1/nodeclaims';
    expect((await claimsOf([])).asked).toEqual([['get', `${path}?limit=500`]]);
    const query = new URLSearchParams({ labelSelector: 'karpenter.sh/nodepool in (web, batch)', limit: '500' });
    expect((await claimsOf([], ['web', 'batch'])).asked).toEqual([['get', `${path}?${query}`]]);
  });
});

describe('what is read of a Deployment', () => {
  test('nothing but an empty object', () => {
    const object = {};
    expect(liveHeadroom(object)).toStrictEqual({
      ...{ name: '', uid: '', resourceVersion: '', replicas: 1, ready: 0, labels: {}, annotations: {} },
      object,
    });
  });

  test('its size, and who else had a hand in it', () => {
    const fields = (manager: string, replicas: unknown, time?: string) => ({
      manager,
      ...(time && { time: `2026-11-16T${time}Z` as never }),
      fieldsV1: { 'f:spec': { 'f:replicas': replicas } },
    });
    const managedFields = [
      fields('kubectl', {}, '09:00:00'),
      fields('argocd', {}),
      { manager: 'other' },
      { manager: 'another', fieldsV1: {} },
      fields('headstart', {}, '10:00:00'),
    ];
    const metadata = {
      ...{ name: 'headroom-web', uid: 'u1', resourceVersion: '7', labels: { a: 'b' }, annotations: { c: 'd' } },
      ...{ deletionTimestamp: new Date(), managedFields },
    };
    const object = { metadata, spec: { replicas: 3 }, status: { readyReplicas: 2 } } as never;
    expect(liveHeadroom(object)).toStrictEqual({
      ...{ name: 'headroom-web', uid: 'u1', resourceVersion: '7', replicas: 3, ready: 2 },
      ...{
        labels: { a: 'b' },
        annotations: { c: 'd' },
        scaledBy: 'argocd',
        changedBy: expect.any(String),
        deleting: true,
      },
      object,
    });
  });

  const ours = { 'app.kubernetes.io/managed-by': 'headstart' };

  test.each([
    { name: 'our label', metadata: { labels: ours } },
    { name: "our owner's annotation", metadata: { annotations: { 'headstart.dev/owner': 'x' } } },
    { name: 'our decision', metadata: { annotations: { 'headstart.dev/decided-replicas': '3' } } },
  ])('it is ours by $name', async ({ metadata }) => {
    const { cluster, asked } = answering({ metadata });
    expect(await cluster.readHeadroom('headroom/web')).toMatchObject(metadata);
    expect(asked).toEqual([['get', '/apis/apps/v1/namespaces/headroom/deployments/headroom%2Fweb']]);
  });

  test.each([
    { name: 'no metadata', object: {} },
    { name: 'the label of another', object: { metadata: { labels: { 'app.kubernetes.io/managed-by': 'helm' } } } },
  ])('one with $name is not ours', async ({ object }) => {
    await expect(answering(object).cluster.readHeadroom('headroom-web')).rejects.toThrow(
      "Deployment headroom-web in headroom is not Headstart's (no label app.kubernetes.io/managed-by: headstart); rename it, or write another cluster.namespace",
    );
  });

  test('ours are listed by their label', async () => {
    const { cluster, asked } = answering({ items: [{ metadata: { name: 'headroom-web' } }] });
    expect(await cluster.listHeadrooms()).toMatchObject([{ name: 'headroom-web' }]);
    const query = new URLSearchParams({ labelSelector: 'app.kubernetes.io/managed-by=headstart', limit: '500' });
    expect(asked).toEqual([['get', `/apis/apps/v1/namespaces/headroom/deployments?${query}`]]);
  });
});

describe('what is written of a Deployment', () => {
  const container = { name: 'pause', image: 'pause:1', securityContext: { a: 1 }, resources: { requests: {} } };
  const manifest = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'headroom-web', namespace: 'headroom', labels: { a: 'b' }, annotations: { note: 'x' } },
    spec: {
      replicas: 2,
      selector: { matchLabels: {} },
      template: {
        metadata: { labels: {} },
        spec: { containers: [container], securityContext: { b: 2 }, tolerations: [] },
      },
    },
  } as unknown as DeploymentManifest;
  const path = '/apis/apps/v1/namespaces/headroom/deployments';
  const applied = (resourceVersion: string) => ({ ...manifest, metadata: { ...manifest.metadata, resourceVersion } });

  test.each([
    { name: 'of nobody', annotations: { note: 'x' }, owner: '' },
    { name: 'of a stack', annotations: { note: 'x', 'headstart.dev/owner': 'stack' }, owner: 'stack' },
  ])(
    'a headroom $name is created with what an apply may own later, and then applied',
    async ({ annotations, owner }) => {
      const { cluster, asked } = answering({ metadata: { resourceVersion: '7' } });
      const one = { ...manifest, metadata: { ...manifest.metadata, annotations } } as unknown as DeploymentManifest;
      await cluster.createHeadroom(one);
      const { resources: _applied, ...skeleton } = container;
      expect(asked).toEqual([
        [
          'create',
          `${path}?fieldManager=headstart`,
          {
            apiVersion: 'apps/v1',
            kind: 'Deployment',
            metadata: { ...one.metadata, annotations: { 'headstart.dev/owner': owner } },
            spec: {
              replicas: 0,
              selector: { matchLabels: {} },
              template: {
                metadata: { labels: {} },
                spec: { containers: [skeleton], securityContext: { b: 2 } },
              },
            },
          },
        ],
        ['apply', `${path}/headroom-web`, { ...one, metadata: { ...one.metadata, resourceVersion: '7' } }, 'headstart'],
      ]);
    },
  );

  test('a create that answers without a version is applied onto none', async () => {
    const { cluster, asked } = answering({});
    await cluster.createHeadroom(manifest);
    expect(asked[1]?.[2]).toEqual(applied(''));
  });

  test('is deleted only as it was read', async () => {
    const { cluster, asked } = answering({});
    await cluster.deleteHeadroom({ ...liveHeadroom({}), name: 'headroom-web', uid: 'u1', resourceVersion: '7' });
    expect(asked).toEqual([['delete', `${path}/headroom-web`, { uid: 'u1', resourceVersion: '7' }]]);
  });

  const failed = (status: number) => new KubeError({ method: 'PATCH', path: '/x' }, status, 'Reason', 'why');

  test('a conflict says which request met it; any other failure is thrown as it is', async () => {
    const conflict = failed(409);
    await expect(answering(conflict).cluster.applyHeadroom(manifest, '7')).rejects.toMatchObject({
      constructor: ConflictError,
      message: 'PATCH /x: 409 Reason: why',
      cause: conflict,
    });
    for (const other of [failed(403), Object.assign(new Error('odd'), { status: 409 })])
      await expect(answering(other).cluster.applyHeadroom(manifest, '7')).rejects.toBe(other);
  });

  test('a dry run reads, and answers as if it had written', async () => {
    const { cluster, asked } = answering({ items: [] });
    const pretending = dryRunCluster(cluster);
    const live = await pretending.createHeadroom(manifest);
    expect(live).toMatchObject({ name: 'headroom-web', replicas: 2 });
    expect(await pretending.applyHeadroom(manifest, '7')).toEqual(live);
    await pretending.deleteHeadroom(live);
    expect(asked).toEqual([]);
    expect(await pretending.listNodePools()).toEqual([]);
  });
});

test('loopback needs no credentials', async () => {
  const { server, tls, authorize } = loopbackConnection('http://127.0.0.1:1');
  expect([server(), tls(), await authorize(false)]).toEqual(['http://127.0.0.1:1', {}, {}]);
});
