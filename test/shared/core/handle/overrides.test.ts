import { handle } from '../../../../shared/core/handle';
import { loadEvent } from '../../../events/load-event';
import { made, NIGHT, NOON, record, size } from './service';

describe('overrides', () => {
  test('inflate answers with the decision, its reasons and what it replaced', async () => {
    const service = made(NIGHT);
    await handle({ headroom: 'service', atLeast: 4, for: '30m', by: 'ana', reason: 'test' }, service);
    service.time += 60_000;
    const order = { headroom: 'service', atLeast: 8, for: '1h', by: 'bo', reason: 'flash sale' };
    expect(await handle(order, service)).toMatchObject({
      decisions: [
        {
          headroom: 'service',
          replicas: 8,
          from: 4,
          reasons: ['Override by bo: 0 → 8 until 2026-11-16T13:01Z (flash sale)'],
          replaced: { by: 'ana', replicas: 4, until: '2026-11-16T12:30:00.000Z' },
          next: { at: '2026-11-16T13:01:00.000Z', replicas: 0 },
        },
      ],
    });
  });

  test('an override ends by itself', async () => {
    const service = made(NIGHT);
    await handle({ headroom: 'service', exactly: 2, for: '30m' }, service);
    service.time += 30 * 60_000;
    await handle(loadEvent('heartbeat', { time: '2026-11-16T12:30:00Z' }), service);
    expect([size(service), record(service).override]).toEqual([0, undefined]);
  });

  test('the loser of a race is told what stands instead', async () => {
    const service = made();
    await handle({ headroom: 'service', atLeast: 9, for: '1h', by: 'ana' }, service);
    const late = { headroom: 'service', atLeast: 12, for: '1h', by: 'bo', at: '2026-11-16T02:59:59Z' };
    const response = await handle(late, service);
    expect(response).toMatchObject({ decisions: [{ replicas: 9, supersededBy: { by: 'ana', replicas: 9 } }] });
    expect(JSON.stringify(response)).not.toContain('replaced');
  });

  test('an override that is given twice with its own time counts once', async () => {
    const service = made();
    const order = { headroom: 'service', atLeast: 9, for: '30m', at: '2026-11-16T03:00:00Z' };
    await handle(order, service);
    service.time += 60_000;
    const again = await handle(order, service);
    expect(record(service).override?.until).toBe(NOON + 30 * 60_000);
    expect(JSON.stringify(again)).not.toMatch(/replaced|superseded/);
  });

  test('an override with a name nested deeper than the stack gets a short response', async () => {
    const by = JSON.parse('['.repeat(50_000) + ']'.repeat(50_000));
    const response = await handle({ headroom: 'service', by, release: true }, made());
    expect(response).toHaveProperty('rejected');
    expect(JSON.stringify(response).length).toBeLessThan(600);
  });

  test('config is what was deployed', async () => {
    const service = made();
    const at = '2026-11-16T03:00:00.000Z';
    expect(await handle({ config: true }, service)).toEqual({ at, config: service.config });
    expect(service.cluster.calls).toEqual([]);
  });

  test.each([
    { name: 'a size above max', request: { headroom: 'service', atLeast: 99, for: '1h' } },
    { name: 'no request at all', request: null },
    { name: 'an event for another function', request: loadEvent('heartbeat') },
  ])('a mistyped request ($name) is answered and logged, and counts into no alarm', async ({ request }) => {
    const service = made();
    const inflate = { ...service, ports: service.ports, accepts: 'override' } as const;
    await expect(handle(request, inflate)).resolves.toMatchObject({ rejected: expect.any(String) });
    expect(service.counted).toEqual({});
    expect(service.logged.filter(({ message }) => message === 'event rejected')).toHaveLength(1);
  });

  test('a request that was sent to another function counts as a rejected event', async () => {
    const service = made();
    const alarm = { ...service, ports: service.ports, accepts: 'alarm' } as const;
    await handle({ headroom: 'service', atLeast: 9, for: '1h' }, alarm);
    expect(service.counted).toEqual({ rejectedEvents: 1 });
  });
});
