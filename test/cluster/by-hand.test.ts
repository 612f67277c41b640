import { type EditOptions, installOnePool, type OnePool } from './functions/one-pool';
import { eventually } from './harness/process/eventually';
import { describeCluster } from './harness/shared-cluster';
import { podsOf } from './workload/pods';

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

  test('paused: sizes take effect as ever', async () => {
    const awaitPods = (count: number) =>
      eventually(async () => (await podsOf(one.cluster, one.headstart.namespace)).length === count);
    await edit({ spec: { paused: true } });
    await one.pin(4, 1);
    await awaitPods(4);
    await one.pin(1, 3);
    await awaitPods(1);
    await edit({ spec: { paused: false } });
    await one.headstart.invoke('inflate', { headroom: 'hand', release: true }, one.minute(4));
  });

  test('edited: what the manifest does not state stays', async () => {
    await edit({ metadata: { annotations: { note: 'hands off' } } });
    expect(await one.tick(1)).toMatchObject({ change: 'none' });
    expect((await one.headroom()).metadata.annotations).toMatchObject({ note: 'hands off' });
  });
});

function podSpec(spec: object) {
  return { spec: { template: { spec } } };
}
