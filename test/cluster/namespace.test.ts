import { clusterObjects } from '../../shared/core/manifests/cluster-object-manifests';
import type { Response } from '../../shared/core/respond';
import { batch, heartbeat, spotWarning } from './functions/events';
import { type Installation, install } from './functions/installation';
import { addInstances, removeInstances } from './functions/instances';
import { virtualTime } from './functions/virtual-time';
import type { Cluster } from './harness/cluster';
import { eventually } from './harness/process/eventually';
import { describeCluster, sharedCluster } from './harness/shared-cluster';

const FINALIZER = 'example.com/hold';
const MERGE = 'application/merge-patch+json';

describeCluster("trouble with Headstart's own namespace", () => {
  const minute = virtualTime();
  let cluster: Cluster;
  let headstart: Installation;

  const tick = (at: number) => headstart.invoke<Response>('reconcile', heartbeat(minute(at)), minute(at));
  const order = (at: number) => headstart.invoke('inflate', { headroom: 'first', atLeast: 4, for: '5m' }, minute(at));
  const namespacePath = () => `/api/v1/namespaces/${headstart.namespace}`;
  const inNamespace = (tail: string) => `${namespacePath()}/${tail}`;
  const gone = async () => (await cluster.admin.find(namespacePath())) === undefined;
  const sizes = async () =>
    Promise.all(['first', 'second'].map(async (nodePool) => (await headstart.headroom(nodePool)).spec.replicas));

  /** As a deploy would. */
  async function deployObjects(): Promise<void> {
    for (const manifest of clusterObjects(headstart.namespace)) await cluster.admin.apply(manifest);
  }
  /** Rights that were just given are known to the apiserver a moment later. */
  const tickOnceAllowed = (at: number) =>
    eventually(() => tick(at), { what: 'a tick that the apiserver allows', timeoutMs: 30_000 });

  beforeEach(async () => {
    cluster = await sharedCluster();
    headstart = await install(cluster, {
      nodePools: { first: { base: 3, max: 5, interruptions: { surge: 1, hold: '10m' } }, second: { base: 1, max: 5 } },
    });
  });

  afterEach(() => headstart?.remove());

  test('missing: every function fails and says so, and the first tick after the next deploy makes everything again', async () => {
    await tick(0);
    await addInstances(cluster, 'first', ['i-0ns']);
    await cluster.admin.remove(namespacePath());
    await eventually(gone, { what: 'the end of the namespace' });

    // Its Role has gone with it.
    const missing = `403 Forbidden: deployments.apps is forbidden: User "headstart-${headstart.namespace}" cannot list resource "deployments" in API group "apps" in the namespace "${headstart.namespace}"`;
    await expect(tick(1)).rejects.toThrow(missing);
    await expect(order(1)).rejects.toThrow(missing);
    const notice = batch(spotWarning('i-0ns', minute(1)));
    expect(await headstart.invoke('interruption', notice, minute(1))).toEqual({
      batchItemFailures: [{ itemIdentifier: '0' }],
    });
    expect(headstart.linesOf('reconcile')).toContainEqual(
      expect.objectContaining({
        level: 'error',
        reason: expect.stringContaining('reading the headroom of NodePools first, second'),
      }),
    );

    await deployObjects();
    await tickOnceAllowed(2);
    expect(await sizes()).toEqual([3, 1]);
    // SQS delivers what failed again.
    expect(await headstart.invoke('interruption', notice, minute(2))).toEqual({ batchItemFailures: [] });
    expect(await sizes()).toEqual([4, 1]);
    await removeInstances(cluster, 'first');
  });

  test('terminating: the refusal is passed on as it is, and the next namespace of that name is filled again', async () => {
    await tick(0);
    // The function's rights last as long as something holds its Role; the namespace ends all the while.
    await holdRole([FINALIZER]);
    await cluster.admin.remove(namespacePath());
    const emptied = async () => (await cluster.admin.find(headstart.pathOf('first'))) === undefined;
    await eventually(emptied, { what: 'the end of the Deployments' });

    await expect(tick(1)).rejects.toThrow('because it is being terminated');
    await expect(order(1)).rejects.toThrow('because it is being terminated');

    await holdRole(null);
    await eventually(gone, { what: 'the end of the namespace' });
    await deployObjects();
    await tickOnceAllowed(2);
    expect(await sizes()).toEqual([3, 1]);
  });

  test('a quota for Deployments: the headroom that it refuses is named, the others get their size', async () => {
    const path = inNamespace('resourcequotas');
    const hard = { 'count/deployments.apps': '1' };
    await cluster.admin.send('POST', path, { metadata: { name: 'quota' }, spec: { hard } });
    const quota = () => cluster.admin.send<{ status: { used?: object } }>('GET', `${path}/quota`);
    await eventually(async () => (await quota()).status.used !== undefined, { what: 'the quota to be counted' });
    await expect(tick(1)).rejects.toThrow(/^headroom (first|second): .*exceeded quota: quota/);
    const made = await cluster.admin.list(`/apis/apps/v1/namespaces/${headstart.namespace}/deployments`);
    expect(made).toHaveLength(1);

    await cluster.admin.remove(`${path}/quota`);
    await eventually(() => tick(2), { what: 'the end of the quota' });
    expect(await sizes()).toEqual([3, 1]);
  });

  async function holdRole(finalizers: readonly string[] | null): Promise<void> {
    for (const kind of ['roles', 'rolebindings']) {
      const path = `/apis/rbac.authorization.k8s.io/v1/namespaces/${headstart.namespace}/${kind}`;
      for (const { metadata } of await cluster.admin.list(path))
        await cluster.admin.send('PATCH', `${path}/${metadata.name}`, { metadata: { finalizers } }, MERGE);
    }
  }
});
