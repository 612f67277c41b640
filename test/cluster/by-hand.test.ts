import { ANNOTATIONS } from '../../shared/core/manifests/annotations';
import type { Response } from '../../shared/core/respond';
import { deployed, heartbeat } from './functions/events';
import { type EditOptions, installOnePool, type OnePool } from './functions/one-pool';
import { describeCluster } from './harness/shared-cluster';

const IMAGE = 'registry.k8s.io/pause:3.10';

describeCluster('headroom that somebody changes by hand', () => {
  let one: OnePool;

  const edit = (patch: object, options?: EditOptions) => one.edit('kubectl-edit', patch, options);

  beforeAll(async () => {
    one = await installOnePool('hand', { base: 2, max: 5 });
  });

  beforeEach(async () => {
    await one.tick(0);
  });

  afterAll(() => one?.headstart.remove());

  test('scaled: the size is put back, and the reason says who did it', async () => {
    await edit({ spec: { replicas: 5 } }, { subresource: 'scale' });
    expect(await one.tick(1)).toMatchObject({
      change: 'resized',
      from: 5,
      replicas: 2,
      reasons: expect.arrayContaining([expect.stringContaining('scaled by kubectl-edit to 5, undone')]),
    });
    expect(await one.size()).toBe(2);
    expect(await one.tick(2)).toMatchObject({ change: 'none', reasons: ['base: 2 nodes'] });
  });

  test.each([
    { name: 'another image', patch: podSpec({ containers: [{ name: 'pause', image: 'nginx' }] }) },
    {
      name: 'a larger request',
      patch: podSpec({ containers: [{ name: 'pause', resources: { requests: { cpu: 7 } } }] }),
    },
    { name: 'a grace period', patch: podSpec({ terminationGracePeriodSeconds: 30 }) },
    { name: 'another strategy', patch: { spec: { strategy: { rollingUpdate: { maxSurge: 5 } } } } },
    { name: 'another label', patch: { metadata: { labels: { 'headstart.dev/headroom': 'other' } } } },
  ])('edited: $name is put right once', async ({ patch }) => {
    const before = await one.headroom();
    await edit(patch, { type: 'strategic-merge' });
    expect(await one.tick(1)).toMatchObject({ change: 'updated', replicas: 2 });
    const after = await one.headroom();
    expect(after.spec).toEqual(before.spec);
    expect(after.metadata.labels).toEqual(before.metadata.labels);
    expect(await one.tick(2)).toMatchObject({ change: 'none' });
  });

  test('edited: what the manifest does not state stays', async () => {
    await edit({ metadata: { annotations: { note: 'hands off' } } });
    expect(await one.tick(1)).toMatchObject({ change: 'none' });
    expect((await one.headroom()).metadata.annotations).toMatchObject({ note: 'hands off' });
  });

  test('edited: a record that cannot be read is kept quarantined, and the size does not fall until a release', async () => {
    await one.headstart.invoke('inflate', { headroom: 'hand', atLeast: 4, for: '10m' }, one.minute(1));
    await edit({ metadata: { annotations: { [ANNOTATIONS.record]: '{oops' } } });
    expect(await one.tick(2)).toMatchObject({ replicas: 4 });
    expect((await one.headroom()).metadata.annotations).toMatchObject({
      [ANNOTATIONS.quarantined]: '{oops',
    });
    await one.headstart.invoke('inflate', { headroom: 'hand', release: true }, one.minute(3));
    const released = await one.headroom();
    expect(released.spec.replicas).toBe(2);
    expect(released.metadata.annotations).not.toHaveProperty([ANNOTATIONS.quarantined]);
  });

  test('deleted: it is made again as it was', async () => {
    const { spec } = await one.headroom();
    await one.cluster.admin.remove(one.headstart.pathOf('hand'));
    expect(await one.tick(1)).toMatchObject({ replicas: 2 });
    const again = await one.headroom();
    expect(again.spec).toEqual(spec);
    expect(again.spec.template.spec.containers).toMatchObject([{ image: IMAGE }]);
  });

  test('a NodePool that leaves the config loses its headroom by the deploy alone, and what is not ours stays', async () => {
    const others = `/apis/apps/v1/namespaces/${one.headstart.namespace}/deployments`;
    const names = async () => (await one.cluster.admin.list(others)).map(({ metadata }) => metadata.name).sort();
    const labels = { app: 'other' };
    const pod = { containers: [{ name: 'other', image: IMAGE }] };
    const spec = { replicas: 0, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: pod } };
    await one.cluster.admin.send('POST', others, { metadata: { name: 'headroom-other' }, spec });
    await one.headstart.deploy({ stays: { max: 1 } });

    const beat = await one.headstart.invoke<Response>('reconcile', heartbeat(one.minute(5)), one.minute(5));
    expect(beat.removed).toBeUndefined();
    expect(beat.leftovers).toEqual(['headroom-hand']);
    expect(await names()).toEqual(['headroom-hand', 'headroom-other', 'headroom-stays']);

    const last = await one.headstart.invoke<Response>('reconcile', deployed(one.minute(6)), one.minute(6));
    expect(last.removed).toEqual(['headroom-hand']);
    expect(await names()).toEqual(['headroom-other', 'headroom-stays']);
  });
});

function podSpec(spec: object) {
  return { spec: { template: { spec } } };
}
