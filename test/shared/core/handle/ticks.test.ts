import { handle } from '../../../../shared/core/handle';
import { loadEvent } from '../../../events/load-event';
import { configOf, FakeRuntime } from '../../../fakes/fake-runtime';
import { handleInterruptions, INSTANCE, made, message, NIGHT, NOON, record, size, tickNow } from './service';

describe('window edges, heartbeat and deploy', () => {
  test.each(['window-edge', 'heartbeat', 'deploy'] as const)('%s brings every NodePool to its size', async (name) => {
    const service = made();
    await handle(tickNow(name, service), service);
    expect([size(service), size(service, 'batch')]).toEqual([6, 1]);
  });

  test.each([
    ['window-edge', 0],
    ['heartbeat', 1],
    ['deploy', 0],
  ] as const)('%s wakes up %i times, after everything is written', async (name, times) => {
    const service = made();
    const sizes: unknown[] = [];
    const wakeUp = jest.fn(async () => void sizes.push(size(service), size(service, 'batch')));
    await handle(tickNow(name, service), { ...service, now: () => NOON, ports: { ...service.ports, wakeUp } });
    expect(wakeUp).toHaveBeenCalledTimes(times);
    expect(sizes).toEqual(times === 0 ? [] : [6, 1]);
  });

  test('an edge that fires a moment before its time by this clock still counts', async () => {
    const service = made(Date.parse('2026-11-16T02:24:40Z'));
    await handle(loadEvent('window-edge'), service);
    expect(size(service)).toBe(6);
  });

  test('a time a few minutes ahead does not move the day', async () => {
    const service = made(Date.parse('2026-11-16T02:21:00Z'));
    await handle(loadEvent('window-edge'), service);
    expect(size(service)).toBe(0);
  });

  describe('a tick whose time is far from this clock', () => {
    const HOUR = 3_600_000;
    const heartbeat = (at: number) => loadEvent('heartbeat', { time: new Date(at).toISOString() });

    test.each([
      { name: 'a clock three hours ahead', off: 3 * HOUR },
      { name: 'a clock three hours behind', off: -3 * HOUR },
      { name: 'a clock more than five minutes ahead', off: 5 * 60_000 + 1 },
    ])('changes nothing, and is reported: $name', async ({ off }) => {
      const service = made();
      await handle({ headroom: 'service', atLeast: 10, for: '1h', by: 'ana', reason: 'sale' }, service);
      const before = service.cluster.headroom('service');
      service.cluster.calls.length = 0;
      service.time = NOON + off;
      const response = await handle(heartbeat(NOON), service);
      const [scheduled, actual] = [NOON, NOON + off].map((time) => new Date(time).toISOString());
      expect(response).toMatchObject({
        rejected: `event was scheduled for ${scheduled}, but the clock of this function says ${actual}; nothing was changed`,
      });
      expect(service.cluster.calls).toEqual([]);
      expect(service.counted.rejectedEvents).toBe(1);
      service.time = NOON + 60_000;
      await handle(heartbeat(NOON + 60_000), service);
      expect(service.cluster.headroom('service')).toEqual(before);
    });

    test('counts up to five minutes either way, and for a deploy whatever it is', async () => {
      for (const off of [5 * 60_000, -5 * 60_000]) {
        const service = made(NOON + off);
        expect(await handle(heartbeat(NOON), service)).toHaveProperty('decisions');
      }
      const service = made(NOON + 3 * HOUR);
      expect(await handle(loadEvent('deploy', { time: new Date(NOON).toISOString() }), service)).toHaveProperty(
        'decisions',
      );
    });
  });

  test('a second run writes nothing, and reads with two lists', async () => {
    const service = made();
    await handle(tickNow('heartbeat', service), service);
    service.cluster.calls.length = 0;
    service.time += 60_000;
    await handle(tickNow('heartbeat', service), service);
    expect(service.cluster.calls.sort()).toEqual(['list', 'nodePools']);
  });

  test('closing a window records no surge although its nodes go', async () => {
    const service = made();
    await handle(tickNow('heartbeat', service), service);
    service.time = NIGHT;
    await handle(loadEvent('heartbeat', { time: '2026-11-16T12:00:00Z' }), service);
    service.cluster.nodeClaims = [{ instanceId: INSTANCE, nodePool: 'service', deleting: true }];
    await handleInterruptions([message(loadEvent('instance-state-change', { time: '2026-11-16T12:00:30Z' }))], service);
    expect([size(service), record(service).surges]).toEqual([0, {}]);
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
