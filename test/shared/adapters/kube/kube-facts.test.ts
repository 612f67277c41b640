import { loopbackConnection } from '../../../../shared/adapters/kube/connection';
import { currentHeadroom } from '../../../../shared/adapters/kube/kube-cluster';
import type { NodeClaim } from '../../../../shared/core/ports/ports';
import { answering } from './answering';

async function claimsOf(items: readonly unknown[], nodePools?: readonly string[]) {
  const { cluster, asked } = answering({ items });
  const seen: NodeClaim[] = [];
  await cluster.readNodeClaims(() => (claim) => void seen.push(claim), nodePools && { nodePools });
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

describe('instances read from the printed columns of NodeClaims', () => {
  const objects = {
    items: [{ metadata: { labels: { 'karpenter.sh/nodepool': 'web' } }, status: { providerID: 'x/i-1' } }],
  };
  const table = (columns: readonly string[], ...rows: readonly (readonly unknown[])[]) => ({
    columnDefinitions: columns.map((name) => ({ name })),
    rows: rows.map((cells) => ({ cells })),
  });
  const web = { facts: { instanceId: 'i-1', nodePool: 'web' } };

  test.each([
    { name: 'ID and NodePool', answer: table(['ID', 'NodePool'], ['aws:///a/i-1', 'web']), seen: [web], requests: 1 },
    {
      name: 'columns in another order, among others',
      answer: table(['NodePool', 'Name', 'ID'], ['web', 'n', 'aws:///a/i-1']),
      seen: [web],
      requests: 1,
    },
    {
      name: 'empty cells of a NodeClaim that has not launched',
      answer: table(['ID', 'NodePool'], ['', 'web'], [null, 'web'], ['aws:///a/i-1', null]),
      seen: [{}, {}, {}],
      requests: 1,
    },
    { name: 'no ID: the objects', answer: table(['Name', 'NodePool'], ['n', 'web']), seen: [web], requests: 2 },
    {
      name: 'no NodePool: the objects',
      answer: table(['ID', 'Name'], ['aws:///a/i-1', 'n']),
      seen: [web],
      requests: 2,
    },
  ])('$name', async ({ answer, seen, requests }) => {
    const { cluster, asked } = answering((path: string) => (path.includes('includeObject') ? answer : objects));
    const found: NodeClaim[] = [];
    await cluster.readNodeClaims(() => (claim) => void found.push(claim), { instancesOnly: true });
    expect(found).toEqual(seen);
    expect(asked).toHaveLength(requests);
  });
});

describe('what is read of a Deployment', () => {
  test('nothing but an empty object', () => {
    const object = {};
    expect(currentHeadroom(object)).toStrictEqual({
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
    const status = { observedGeneration: 4, replicas: 3, updatedReplicas: 3, readyReplicas: 2 };
    const object = { metadata: { ...metadata, generation: 4 }, spec: { replicas: 3 }, status } as never;
    expect(currentHeadroom(object)).toStrictEqual({
      ...{ name: 'headroom-web', uid: 'u1', resourceVersion: '7', replicas: 3, ready: 2 },
      ...{
        labels: { a: 'b' },
        annotations: { c: 'd' },
        writtenAt: Date.parse('2026-11-16T10:00:00Z'),
        scaledBy: 'argocd',
        changedBy: expect.any(String),
        deleting: true,
      },
      object,
    });
  });

  test.each([
    { name: 'a status of the previous generation', status: { observedGeneration: 1, updatedReplicas: 3 }, ready: 0 },
    { name: 'no status yet', status: undefined, ready: 0 },
    { name: 'pods of the current template', status: { updatedReplicas: 3, readyReplicas: 2 }, ready: 2 },
    { name: 'pods of the old template only', status: {}, ready: 0 },
    { name: 'a roll that is halfway', status: { replicas: 5, updatedReplicas: 3, readyReplicas: 4 }, ready: 2 },
    { name: 'old pods that are not ready', status: { updatedReplicas: 1, readyReplicas: 1 }, ready: 0 },
    { name: 'no ready pod', status: { updatedReplicas: 3, readyReplicas: undefined }, ready: 0 },
  ])('ready counts only pods of the current template: $name', ({ status, ready }) => {
    const written = status && { observedGeneration: 2, replicas: 3, readyReplicas: 3, ...status };
    const object = { metadata: { generation: 2 }, spec: { replicas: 3 }, status: written } as never;
    expect(currentHeadroom(object).ready).toBe(ready);
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

test('loopback needs no credentials', async () => {
  const { server, tls, authorize } = loopbackConnection('http://127.0.0.1:1');
  expect([server(), tls(), await authorize(false)]).toEqual(['http://127.0.0.1:1', {}, {}]);
});
