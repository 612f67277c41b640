import { ANNOTATIONS } from '../../shared/core/manifests/annotations';
import type { DecisionResponse, Response } from '../../shared/core/respond';
import { deployed, heartbeat } from './functions/events';
import { type Installation, install } from './functions/installation';
import { virtualTime } from './functions/virtual-time';
import type { Cluster } from './harness/cluster';
import { describeCluster, sharedCluster } from './harness/shared-cluster';

const MERGE = 'application/merge-patch+json';
const STRATEGIC = 'application/strategic-merge-patch+json';
const IMAGE = 'registry.k8s.io/pause:3.10';

describeCluster('headroom that somebody changes by hand', () => {
  const minute = virtualTime();
  let cluster: Cluster;
  let headstart: Installation;

  const tick = async (at: number): Promise<DecisionResponse | undefined> => {
    const { decisions } = await headstart.invoke<Response>('reconcile', heartbeat(minute(at)), minute(at));
    return decisions[0];
  };
  const edit = (patch: object, tail = '', contentType = MERGE) =>
    cluster.admin.send('PATCH', `${headstart.pathOf('hand')}${tail}?fieldManager=kubectl-edit`, patch, contentType);

  beforeAll(async () => {
    cluster = await sharedCluster();
    headstart = await install(cluster, { nodePools: { hand: { base: 2, max: 5 } } });
  });

  beforeEach(async () => {
    await tick(0);
  });

  afterAll(() => headstart?.remove());

  test('scaled: the size is put back, and the reason says who did it', async () => {
    await edit({ spec: { replicas: 5 } }, '/scale');
    expect(await tick(1)).toMatchObject({
      change: 'resized',
      from: 5,
      replicas: 2,
      reasons: expect.arrayContaining([expect.stringContaining('scaled by kubectl-edit to 5, undone')]),
    });
    expect((await headstart.headroom('hand')).spec.replicas).toBe(2);
    expect(await tick(2)).toMatchObject({ change: 'none', reasons: ['base: 2'] });
  });

  test.each([
    { name: 'another image', patch: podSpec({ containers: [{ name: 'pause', image: 'nginx' }] }) },
    {
      name: 'a larger request',
      patch: podSpec({ containers: [{ name: 'pause', resources: { requests: { cpu: 7 } } }] }),
    },
    { name: 'a grace period', patch: podSpec({ terminationGracePeriodSeconds: 30 }) },
    { name: 'another strategy', patch: { spec: { strategy: { rollingUpdate: { maxSurge: 5 } } } } },
    { name: 'another label', patch: { metadata: { labels: { 'headstart.dev/nodepool': 'other' } } } },
  ])('edited: $name is put right once', async ({ patch }) => {
    const before = await headstart.headroom('hand');
    await edit(patch, '', STRATEGIC);
    expect(await tick(1)).toMatchObject({ change: 'updated', replicas: 2 });
    const after = await headstart.headroom('hand');
    expect(after.spec).toEqual(before.spec);
    expect(after.metadata.labels).toEqual(before.metadata.labels);
    expect(await tick(2)).toMatchObject({ change: 'none' });
  });

  test('edited: what the manifest does not state stays', async () => {
    await edit({ metadata: { annotations: { note: 'hands off' } } });
    expect(await tick(1)).toMatchObject({ change: 'none' });
    expect((await headstart.headroom('hand')).metadata.annotations).toMatchObject({ note: 'hands off' });
  });

  test('edited: a record that cannot be read is kept quarantined, and the size does not fall until a release', async () => {
    await headstart.invoke('inflate', { nodePool: 'hand', atLeast: 4, for: '10m' }, minute(1));
    await edit({ metadata: { annotations: { [ANNOTATIONS.record]: '{oops' } } });
    expect(await tick(2)).toMatchObject({ replicas: 4 });
    expect((await headstart.headroom('hand')).metadata.annotations).toMatchObject({
      [ANNOTATIONS.quarantined]: '{oops',
    });
    await headstart.invoke('inflate', { nodePool: 'hand', release: true }, minute(3));
    const released = await headstart.headroom('hand');
    expect(released.spec.replicas).toBe(2);
    expect(released.metadata.annotations).not.toHaveProperty([ANNOTATIONS.quarantined]);
  });

  test('deleted: it is made again as it was', async () => {
    const { spec } = await headstart.headroom('hand');
    await cluster.admin.remove(headstart.pathOf('hand'));
    expect(await tick(1)).toMatchObject({ replicas: 2 });
    const again = await headstart.headroom('hand');
    expect(again.spec).toEqual(spec);
    expect(again.spec.template.spec.containers).toMatchObject([{ image: IMAGE }]);
  });

  test('a NodePool that leaves the config loses its headroom by the deploy alone, and what is not ours stays', async () => {
    const others = `/apis/apps/v1/namespaces/${headstart.namespace}/deployments`;
    const names = async () => (await cluster.admin.list(others)).map(({ metadata }) => metadata.name).sort();
    const labels = { app: 'other' };
    const pod = { containers: [{ name: 'other', image: IMAGE }] };
    const spec = { replicas: 0, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: pod } };
    await cluster.admin.send('POST', others, { metadata: { name: 'headroom-other' }, spec });
    await headstart.deploy({ stays: { max: 1 } });

    const beat = await headstart.invoke<Response>('reconcile', heartbeat(minute(5)), minute(5));
    expect(beat.removed).toBeUndefined();
    expect(beat.leftovers).toEqual(['headroom-hand']);
    expect(await names()).toEqual(['headroom-hand', 'headroom-other', 'headroom-stays']);

    const last = await headstart.invoke<Response>('reconcile', deployed(minute(6)), minute(6));
    expect(last.removed).toEqual(['headroom-hand']);
    expect(await names()).toEqual(['headroom-other', 'headroom-stays']);
  });
});

function podSpec(spec: object) {
  return { spec: { template: { spec } } };
}
