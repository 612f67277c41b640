import { LikeWorld, MINUTE, NOON, workload } from './like-setup';

const QUARTER = '  web: {unit: {like: shop/checkout}, base: 25%, max: 60}';
const LUNCH =
  'schedules: [{name: lunch, timezone: UTC, start: 30 12 * * *, end: 0 14 * * *, desiredReplicas: 50%}], leadTime: 5m';

describe('a headroom for a workload', () => {
  test('keeps room for a share of it, in pause pods of four pods', async () => {
    const world = new LikeWorld(QUARTER);
    await world.tick();
    expect(world.size).toBe(3);
    expect(world.reasons).toEqual(['base: 25 % of the 40 replicas of shop/checkout = 10 pods']);
    expect(world.podSpec.containers).toMatchObject([{ resources: { requests: { cpu: '1', memory: '2Gi' } } }]);
  });

  test('reads the workload once for each heartbeat and writes nothing while it stays as it is', async () => {
    const world = new LikeWorld(QUARTER);
    for (let minute = 0; minute < 10; minute += 1) {
      await world.tick();
      world.runs({ ...workload(40), metadata: { uid: `rollout ${minute}` } });
    }
    expect([world.reads(), world.cluster.writes]).toEqual([10, 1]);
  });

  test('reads a workload that two headrooms are for once', async () => {
    const world = new LikeWorld(`${QUARTER}\n  ci: {unit: {like: shop/checkout}, base: 8, max: 60}`);
    await world.tick();
    expect(world.reads()).toBe(1);
  });

  test('without such a unit reads no workload', async () => {
    const world = new LikeWorld('  web: {unit: {slice: {cpu: 1}}, base: 2, max: 60}');
    await world.tick();
    expect(world.reads()).toBe(0);
  });

  test('has all its sizes in pods, rounded up to pause pods', async () => {
    const world = new LikeWorld('  web: {unit: {like: shop/checkout}, base: 9, max: 11}');
    await world.tick();
    expect([world.size, world.reasons]).toEqual([3, ['base: 9 pods']]);
    await world.send({ headroom: 'web', atLeast: 11, for: '1h', by: 'ana' });
    expect(world.size).toBe(3);
    await expect(world.send({ headroom: 'web', atLeast: 12, for: '1h', by: 'ana' })).resolves.toMatchObject({
      rejected: expect.stringContaining('atLeast 12 is above max 11'),
    });
  });

  test('rolls its pods once for a new shape, and not for a new image', async () => {
    const world = new LikeWorld(QUARTER);
    await world.tick();
    world.runs(workload(40, { containers: [{ resources: { requests: { cpu: '500m', memory: '512Mi' } } }] }));
    await world.tick();
    await world.tick();
    expect(world.cluster.writes).toBe(2);
    expect(world.podSpec.containers).toMatchObject([{ resources: { requests: { cpu: '2', memory: '2Gi' } } }]);
  });
});

describe('a share of base', () => {
  test('follows the workload up at once and down after five minutes, with two writes in five minutes at most', async () => {
    const world = new LikeWorld(QUARTER, workload(8));
    const sizes: number[] = [];
    const history = [8, 40, 40, 40, 40, 40, 8, 8, 8, 8, 8, 8, 40, 40];
    for (const replicas of history) {
      world.runs(workload(replicas));
      await world.tick();
      sizes.push(world.size);
    }
    expect(sizes).toEqual([1, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 1, 3, 3]);
    expect(world.cluster.writes).toBe(5);
  });

  test('stays up while an autoscaler goes up and down every minute', async () => {
    const world = new LikeWorld(QUARTER);
    for (let minute = 0; minute < 60; minute += 1) {
      world.runs(workload(minute % 2 === 0 ? 40 : 8));
      await world.tick();
      expect(world.size).toBe(3);
    }
    expect(world.cluster.writes).toBeLessThanOrEqual(1 + 2 * 12);
  });

  test('is at least one pod', async () => {
    const world = new LikeWorld(QUARTER, workload(0));
    await world.tick();
    expect([world.size, world.reasons]).toEqual([1, ['base: 25 % of the 0 replicas of shop/checkout = 1 pod']]);
  });
});

describe('a share of a window', () => {
  test('is counted once, when it opens, and again when it opens the next day', async () => {
    const world = new LikeWorld(`  web: {unit: {like: shop/checkout}, max: 60, ${LUNCH}}`);
    await world.tick(25);
    expect([world.size, world.record.shares]).toEqual([
      5,
      { 'lunch@2026-11-17T12:30:00.000Z': { replicas: 40, at: NOON + 25 * MINUTE, until: NOON + 120 * MINUTE } },
    ]);
    world.runs(workload(80));
    await world.tick(30);
    expect(world.size).toBe(5);
    await world.tick(24 * 60);
    expect(world.size).toBe(10);
  });

  test('keeps the replicas, so that an edited share applies to the same count', async () => {
    const world = new LikeWorld(`  web: {unit: {like: shop/checkout}, max: 60, ${LUNCH}}`);
    await world.tick(30);
    const edited = world.with(`  web: {unit: {like: shop/checkout}, max: 60, ${LUNCH.replace('50%', '100%')}}`);
    edited.runs(workload(4));
    await edited.tick();
    expect(edited.size).toBe(10);
  });

  test('that opens while the workload cannot be read holds the size until it can', async () => {
    const world = new LikeWorld(`  web: {unit: {like: shop/checkout}, base: 8, max: 60, ${LUNCH}}`);
    await world.tick();
    world.cluster.fault = (call) => (call === 'workload' ? new Error('timed out') : undefined);
    await world.tick(29);
    expect([world.size, world.record.shares]).toEqual([2, undefined]);
    expect(world.reasons).toContain(
      'lunch open since 2026-11-17T12:30Z: 50 % of the replicas of shop/checkout, not counted yet',
    );
    world.cluster.fault = () => undefined;
    await world.tick();
    expect(world.size).toBe(5);
  });
});
