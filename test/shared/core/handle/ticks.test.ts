import { handle } from '../../../../shared/core/handle';
import { loadEvent } from '../../../events/load-event';
import { configOf, FakeRuntime } from '../../../fakes/fake-runtime';
import { made, NOON, record, size, tickNow } from './service';

describe('window edges, heartbeat and deploy', () => {
  test.each([
    ['window-edge', 0],
    ['heartbeat', 1],
    ['deploy', 0],
  ] as const)('%s brings every NodePool to its size, and then wakes up %i times', async (name, times) => {
    const service = made();
    const sizes: unknown[] = [];
    const wakeUp = jest.fn(async () => void sizes.push(size(service), size(service, 'batch')));
    await handle(tickNow(name, service), { ...service, now: () => NOON, ports: { ...service.ports, wakeUp } });
    expect([size(service), size(service, 'batch'), wakeUp.mock.calls.length]).toEqual([6, 1, times]);
    expect(sizes).toEqual(times === 0 ? [] : [6, 1]);
  });

  test('an edge that fires a moment before its time by this clock still counts', async () => {
    const service = made(Date.parse('2026-11-16T02:24:40Z'));
    await handle(loadEvent('window-edge'), service);
    expect(size(service)).toBe(6);
  });

  test('a tick whose time is far from this clock changes nothing, and is reported', async () => {
    const service = made();
    await handle({ headroom: 'service', atLeast: 10, for: '1h', by: 'ana', reason: 'sale' }, service);
    const before = service.cluster.headroom('service');
    service.cluster.calls.length = 0;
    const heartbeat = tickNow('heartbeat', service);
    service.time = NOON + 3 * 3_600_000;
    expect(await handle(heartbeat, service)).toHaveProperty('rejected');
    expect([service.cluster.calls, service.counted]).toEqual([[], { rejectedEvents: 1 }]);
    service.time = NOON + 60_000;
    await handle(tickNow('heartbeat', service), service);
    expect(service.cluster.headroom('service')).toEqual(before);
  });

  test('a second run writes nothing, and reads with two lists', async () => {
    const service = made();
    await handle(tickNow('heartbeat', service), service);
    service.cluster.calls.length = 0;
    service.time += 60_000;
    await handle(tickNow('heartbeat', service), service);
    expect(service.cluster.calls.sort()).toEqual(['list', 'nodePools']);
  });

  test('a NodePool that left the config loses its headroom by the deploy, and by nothing else', async () => {
    const service = made();
    await handle(tickNow('heartbeat', service), service);
    const smaller = new FakeRuntime(configOf('  batch: {max: 5, base: 1}\n'), NOON);
    Object.assign(smaller, { cluster: service.cluster });
    await expect(handle(tickNow('heartbeat', smaller), smaller)).resolves.toMatchObject({
      leftovers: ['headroom-service'],
    });
    expect(size(service)).toBe(6);
    await expect(handle(loadEvent('deploy'), smaller)).resolves.toMatchObject({ removed: ['headroom-service'] });
    expect([size(service), size(service, 'batch')]).toEqual([undefined, 1]);
  });

  test('during a deploy a function with the old config does not delete a new pool with the override in it', async () => {
    const service = made();
    await handle({ headroom: 'service', atLeast: 10, for: '1h' }, service);
    const old = new FakeRuntime(configOf('  batch: {max: 5, base: 1}\n'), NOON);
    Object.assign(old, { cluster: service.cluster });
    await handle(tickNow('window-edge', old), old);
    await handle({ headroom: 'batch', atLeast: 2, for: '1h' }, old);
    expect([size(service), record(service).override?.replicas]).toEqual([10, 10]);
  });
});
