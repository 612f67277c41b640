import { handle } from '../../../shared/core/handle';
import { ANNOTATIONS } from '../../../shared/core/manifests/annotations';
import { reconcile } from '../../../shared/core/process-event';
import { configOf, FakeRuntime } from '../../fakes/fake-runtime';

const NIGHT = Date.parse('2026-11-16T12:00:00Z');
const config = configOf('  web: {max: 20, base: 2}\n');

const broken = async (record: string, replicas?: number) => {
  const service = new FakeRuntime(config, NIGHT);
  await handle({ headroom: 'web', atLeast: 12, for: '1h' }, service);
  service.cluster.edit('web', (current) => ({
    replicas: replicas ?? current.replicas,
    annotations: { ...current.annotations, [ANNOTATIONS.record]: record },
  }));
  return service;
};
const later = NIGHT + 2 * 3_600_000;

describe('while part of the record cannot be read', () => {
  test('the last decided size is held, counted as an error and told by status and next', async () => {
    const service = await broken('{oops');
    await reconcile(service, later, []);
    expect(service.cluster.headroom('web')?.replicas).toBe(12);
    expect(service.counted.unreadableRecords).toBe(1);
    service.time = later;
    await expect(handle({ status: true }, service)).resolves.toMatchObject({
      status: [{ wanted: 12, held: 12, unreadable: '{oops' }],
    });
  });

  test('an order is told what comes next with the hold in it', async () => {
    const service = await broken('{oops');
    const response = await handle({ headroom: 'web', atLeast: 15, for: '30m' }, service);
    expect(response).toMatchObject({ decisions: [{ replicas: 15, next: { replicas: 12 } }] });
  });

  test('a size that somebody set by hand is not held', async () => {
    const service = await broken('{oops', 500);
    await reconcile(service, later, []);
    expect(service.cluster.headroom('web')?.replicas).toBe(12);
  });

  test.each(['', ' ', '-1', '1.5', 'many'])('a decided size of %j holds what runs', async (decided) => {
    const service = await broken('{oops');
    service.cluster.edit('web', (current) => ({
      annotations: { ...current.annotations, [ANNOTATIONS.decided]: decided },
    }));
    await reconcile(service, later, []);
    expect(service.cluster.headroom('web')?.replicas).toBe(12);
  });

  test('nothing above max is held, whatever the annotations say', async () => {
    const service = await broken('{oops', 500);
    service.cluster.edit('web', (current) => ({
      annotations: { ...current.annotations, [ANNOTATIONS.decided]: '500' },
    }));
    await reconcile(service, later, []);
    expect(service.cluster.headroom('web')?.replicas).toBe(20);
  });

  test('a readable pin to 0 wins', async () => {
    const pin = { mode: 'exactly', replicas: 0, until: '2026-11-17T00:00:00Z', at: '2026-11-16T12:00:00Z' };
    const service = await broken(
      JSON.stringify({ v: 1, override: { ...pin, by: 'ana', reason: 'x' }, alarms: 'broken', surges: {} }),
    );
    await reconcile(service, later, []);
    expect(service.cluster.headroom('web')?.replicas).toBe(0);
  });

  test('a field of a newer version holds nothing', async () => {
    const service = await broken('{"v":1,"alarms":{},"surges":{},"forecast":{"lunch":12}}');
    await reconcile(service, later, []);
    expect(service.cluster.headroom('web')?.replicas).toBe(2);
    expect(service.counted.unreadableRecords).toBeUndefined();
  });
});

test('a NodePool that vanishes keeps its tolerations, and is counted', async () => {
  const service = new FakeRuntime(config, NIGHT);
  service.cluster.nodePools = [{ name: 'web', taints: [{ key: 'team', value: 'a', effect: 'NoSchedule' }] }];
  await reconcile(service, NIGHT, []);
  const tolerations = () => JSON.stringify(service.cluster.headroom('web')?.object).match(/"tolerations":\[.*?\]/)?.[0];
  const before = tolerations();
  service.cluster.nodePools = [];
  const { headrooms } = await reconcile(service, NIGHT + 60_000, []);
  expect(before).toContain('"value":"a"');
  expect([tolerations(), headrooms[0]?.noSuchNodePool, service.counted.missingNodePools]).toEqual([before, true, 1]);
});
