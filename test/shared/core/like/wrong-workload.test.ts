import { KubeError } from '../../../../shared/adapters/kube/kube-error';
import { ANNOTATIONS } from '../../../../shared/core/manifests/annotations';
import { loadEvent } from '../../../events/load-event';
import { LikeWorld, workload } from './like-setup';

const QUARTER = '  web: {unit: {like: shop/checkout}, base: 25%, max: 60}';
const FORBIDDEN = new KubeError({ method: 'GET', path: '/x' }, 403, 'Forbidden', 'no');

describe('a workload that cannot be used', () => {
  const bare = workload(40, { containers: [{}] });
  const elsewhere = workload(40, { nodeSelector: { 'karpenter.sh/nodepool': 'other' } });
  test.each([
    { name: 'that was deleted', found: undefined, says: 'it does not exist' },
    { name: 'whose pods request nothing', found: bare, says: 'its pods request nothing' },
    { name: 'whose pods select another NodePool', found: elsewhere, says: 'its pods do not select NodePool web' },
  ])('$name leaves size and shape as they are, and fails from the third heartbeat on', async ({ found, says }) => {
    const world = new LikeWorld(QUARTER);
    await world.tick();
    const before = world.podSpec;
    world.runs(found);
    await world.tick();
    expect(world.reasons.at(-1)).toContain(`shop/checkout not usable since 2026-11-17T12:02:00.000Z`);
    await world.tick();
    await expect(world.tick()).rejects.toThrow(`the workload of web: ${says}`);
    expect([world.size, world.podSpec]).toEqual([3, before]);
    expect(world.cluster.writes).toBe(2);
    world.runs(workload(80));
    await world.tick();
    expect([world.size, world.kept?.unread]).toEqual([5, undefined]);
  });

  test('never fails a deploy', async () => {
    const world = new LikeWorld(QUARTER, workload(40));
    await world.tick();
    world.runs(undefined);
    await world.tick(1);
    world.runtime.time += 600_000;
    await expect(world.deploy()).resolves.toMatchObject({ decisions: [{ replicas: 3 }] });
  });

  test('that may not be read creates a headroom without pods, to carry the record', async () => {
    const world = new LikeWorld(QUARTER);
    world.cluster.fault = (call) => (call === 'workload' ? FORBIDDEN : undefined);
    await world.tick();
    expect([world.size, world.reasons[0]]).toEqual([0, 'base: 25 % of the replicas of shop/checkout, not counted yet']);
    await world.send({ headroom: 'web', atLeast: 8, for: '1h', by: 'ana' });
    expect(world.size).toBe(0);
    world.cluster.fault = () => undefined;
    await world.tick();
    expect(world.size).toBe(3);
    expect(world.record.override).toMatchObject({ mode: 'atLeast', replicas: 8 });
  });

  test('tells whoever sets an override before its shape is known that it applies later', async () => {
    const world = new LikeWorld(QUARTER, undefined);
    world.runs(undefined);
    await world.tick();
    const answer = await world.send({ headroom: 'web', atLeast: 8, for: '1h', by: 'ana' });
    expect(JSON.stringify(answer)).toContain(
      'the pods of shop/checkout are not known yet: the size stays, and an override applies once they are',
    );
  });

  test('keeps a notice, which adds its pods once their shape is known', async () => {
    const world = new LikeWorld(
      '  web: {unit: {like: shop/checkout}, base: 4, max: 40, interruptions: {surge: 8, max: 20}}',
    );
    world.runs(undefined);
    await world.tick();
    const notice = loadEvent('spot-interruption') as { readonly detail: Readonly<Record<string, string>> };
    world.cluster.nodeClaims = [{ instanceId: notice.detail['instance-id'] ?? '', nodePool: 'web' }];
    await world.send({ ...notice, time: new Date(world.runtime.time).toISOString() });
    expect([world.size, Object.keys(world.record.surges)]).toEqual([0, [notice.detail['instance-id']]]);
    world.runs(workload());
    await world.tick();
    expect(world.size).toBe(3);
  });

  test('leaves a headroom that was of another kind as it is, except for an exact 0', async () => {
    const slices = new LikeWorld('  web: {unit: {slice: {cpu: 3}}, base: 7, max: 60}');
    await slices.tick();
    const before = slices.podSpec;
    const world = slices.with(QUARTER);
    world.runs(undefined);
    await world.tick();
    expect([world.size, world.podSpec]).toEqual([7, before]);
    await world.send({ headroom: 'web', exactly: 0, for: '1h', by: 'ana' });
    expect(world.size).toBe(0);
  });
});

describe('what was kept of another one', () => {
  const LUNCH = 'schedules: [{name: lunch, timezone: UTC, start: 0 12 * * *, end: 0 14 * * *, desiredReplicas: 50%}]';

  test('workload does not count: shape, base and every open share are taken anew', async () => {
    const world = new LikeWorld(`  web: {unit: {like: shop/checkout}, base: 25%, max: 900, ${LUNCH}}`);
    await world.tick();
    expect(world.size).toBe(5);
    const other = world.with(`  web: {unit: {like: shop/search}, base: 25%, max: 900, ${LUNCH}}`);
    other.runs(workload(800, { containers: [{ resources: { requests: { cpu: '1' } } }] }), 'shop/search');
    await other.tick();
    expect(other.size).toBe(200);
    expect(other.podSpec.containers).toMatchObject([{ resources: { requests: { cpu: '2' } } }]);
    expect(other.kept?.base).toEqual({ replicas: 800 });
  });

  test('workload does not count even if the new one cannot be read', async () => {
    const world = new LikeWorld(`  web: {unit: {like: shop/checkout}, base: 25%, max: 900, ${LUNCH}}`);
    await world.tick();
    const other = world.with(`  web: {unit: {like: shop/search}, base: 25%, max: 900, ${LUNCH}}`);
    await other.tick();
    expect([other.size, other.kept?.shape, other.record.shares]).toEqual([5, undefined, undefined]);
  });

  test('NodePool does not count', async () => {
    const world = new LikeWorld(QUARTER);
    await world.tick();
    world.cluster.edit('web', ({ annotations }) => ({
      annotations: {
        ...annotations,
        [ANNOTATIONS.like]: (annotations[ANNOTATIONS.like] ?? '').replace('on web', 'on old'),
      },
    }));
    world.runs(workload(8));
    await world.tick();
    expect([world.size, world.kept?.base]).toEqual([1, { replicas: 8 }]);
  });

  test('kind of unit is taken away with its annotation', async () => {
    const world = new LikeWorld(`  web: {unit: {like: shop/checkout}, max: 900, ${LUNCH}}`);
    await world.tick();
    const slices = world.with('  web: {unit: {slice: {cpu: 1}}, base: 2, max: 9}');
    await slices.tick();
    await slices.tick();
    expect([slices.size, slices.kept, slices.record.shares]).toEqual([2, undefined, undefined]);
    expect(slices.current.annotations[ANNOTATIONS.like]).toBeUndefined();
  });
});
