import { handle } from '../../../../shared/core/handle';
import { loadEvent } from '../../../events/load-event';
import { configOf, FakeService } from '../../../fakes/fake-service';
import { handleInterruptions, INSTANCE, made, message, NIGHT, NOON, record, size } from './service';

describe('window edges, heartbeat and deploy', () => {
  test.each(['window-edge', 'heartbeat', 'deploy'])('%s brings every NodePool to its size', async (name) => {
    const service = made();
    await handle(loadEvent(name), service);
    expect([size(service), size(service, 'batch')]).toEqual([6, 1]);
  });

  test('an edge that fires a moment before its time by this clock still counts', async () => {
    const service = made(Date.parse('2026-11-16T02:24:40Z'));
    await handle(loadEvent('window-edge'), service);
    expect(size(service)).toBe(6);
  });

  test('a time far ahead does not move the day', async () => {
    const service = made(Date.parse('2026-11-16T00:00:00Z'));
    await handle(loadEvent('window-edge'), service);
    expect(size(service)).toBe(0);
  });

  test('a second run writes nothing, and reads with two lists', async () => {
    const service = made();
    await handle(loadEvent('heartbeat'), service);
    service.cluster.calls.length = 0;
    service.time += 60_000;
    await handle(loadEvent('heartbeat'), service);
    expect(service.cluster.calls.sort()).toEqual(['list', 'nodePools']);
  });

  test('closing a window records no surge although its nodes go', async () => {
    const service = made();
    await handle(loadEvent('heartbeat'), service);
    service.time = NIGHT;
    await handle(loadEvent('heartbeat', { time: '2026-11-16T12:00:00Z' }), service);
    service.cluster.nodeClaims = [{ instanceId: INSTANCE, nodePool: 'service', deleting: true }];
    await handleInterruptions([message(loadEvent('instance-state-change', { time: '2026-11-16T12:00:30Z' }))], service);
    expect([size(service), record(service).surges]).toEqual([0, {}]);
  });

  test('a NodePool that left the config loses its headroom by the deploy, and by nothing else', async () => {
    const service = made();
    await handle(loadEvent('heartbeat'), service);
    const smaller = new FakeService(configOf('  batch: {max: 5, base: 1}\n'), NOON);
    Object.assign(smaller, { cluster: service.cluster });
    await expect(handle(loadEvent('heartbeat'), smaller)).resolves.toMatchObject({ leftovers: ['headroom-service'] });
    expect(size(service)).toBe(6);
    await expect(handle(loadEvent('deploy'), smaller)).resolves.toMatchObject({ removed: ['headroom-service'] });
    expect([size(service), size(service, 'batch')]).toEqual([undefined, 1]);
  });

  test('during a deploy a function with the old config does not delete a new pool with the override in it', async () => {
    const service = made();
    await handle({ nodePool: 'service', atLeast: 10, for: '1h' }, service);
    const old = new FakeService(configOf('  batch: {max: 5, base: 1}\n'), NOON);
    Object.assign(old, { cluster: service.cluster });
    await handle(loadEvent('window-edge'), old);
    await handle({ nodePool: 'batch', atLeast: 2, for: '1h' }, old);
    expect([size(service), record(service).override?.replicas]).toEqual([10, 10]);
  });
});
