import { handle } from '../../../../shared/core/handle';
import { loadEvent } from '../../../events/load-event';
import { made, NIGHT, NOON, record, size } from './service';

describe('orders', () => {
  test('inflate answers with the decision, its reasons and what it replaced', async () => {
    const service = made(NIGHT);
    await handle({ headroom: 'service', atLeast: 4, for: '30m', by: 'ana', reason: 'test' }, service);
    service.time += 60_000;
    const answer = await handle(
      { headroom: 'service', atLeast: 8, for: '1h', by: 'bo', reason: 'flash sale' },
      service,
    );
    expect(answer).toMatchObject({
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

  test('release takes the override away', async () => {
    const service = made();
    await handle({ headroom: 'service', atLeast: 10, for: '1h' }, service);
    await expect(handle({ headroom: 'service', release: true }, service)).resolves.toMatchObject({
      decisions: [{ replicas: 6, replaced: { replicas: 10 } }],
    });
  });

  test('who released, when and why is in the record', async () => {
    const service = made();
    await handle({ headroom: 'service', atLeast: 10, for: '1h' }, service);
    service.time += 1_000;
    await handle({ headroom: 'service', release: true, by: 'bo', reason: 'sale is over' }, service);
    expect(record(service).released).toEqual({ at: NOON + 1_000, by: 'bo', reason: 'sale is over' });
  });

  test('the loser of a race is told what stands instead', async () => {
    const service = made();
    await handle({ headroom: 'service', atLeast: 9, for: '1h', by: 'ana' }, service);
    const late = { headroom: 'service', atLeast: 12, for: '1h', by: 'bo', at: '2026-11-16T02:59:59Z' };
    const response = await handle(late, service);
    expect(response).toMatchObject({ decisions: [{ replicas: 9, supersededBy: { by: 'ana', replicas: 9 } }] });
    expect(JSON.stringify(response)).not.toContain('replaced');
  });

  test('an order that is given twice with its own time counts once', async () => {
    const service = made();
    const order = { headroom: 'service', atLeast: 9, for: '30m', at: '2026-11-16T03:00:00Z' };
    await handle(order, service);
    service.time += 60_000;
    const again = await handle(order, service);
    expect(record(service).override?.until).toBe(NOON + 30 * 60_000);
    expect(JSON.stringify(again)).not.toMatch(/replaced|superseded/);
  });

  test('an order with 300,000 keys gets a short response and a short log line', async () => {
    const service = made();
    const order = Object.fromEntries(Array.from({ length: 300_000 }, (_, i) => [`key-${i}`, i]));
    const response = await handle(order, service);
    expect(JSON.stringify(response).length).toBeLessThan(600);
    expect(JSON.stringify(service.logged).length).toBeLessThan(1_500);
  });

  test.each([
    { name: 'a NodePool name of 100,000 letters', order: { headroom: 'x'.repeat(100_000), release: true } },
    { name: 'a name nested deeper than the stack', order: { headroom: 'service', by: deeplyNested(), release: true } },
  ])('an order with $name gets a short response', async ({ order }) => {
    const response = await handle(order, made());
    expect(response).toHaveProperty('rejected');
    expect(JSON.stringify(response).length).toBeLessThan(600);
  });

  test('status looks and changes nothing', async () => {
    const service = made();
    const answer = await handle({ status: true }, service);
    expect(answer).toMatchObject({
      status: [
        {
          headroom: 'service',
          wanted: 6,
          replicas: 0,
          shortfall: 6,
          missing: true,
          next: { at: '2026-11-16T04:30:00.000Z', replicas: 0 },
        },
        { headroom: 'batch', wanted: 1 },
      ],
    });
    expect(service.cluster.writes).toBe(0);
  });

  test('config is what was deployed', async () => {
    const service = made();
    const at = '2026-11-16T03:00:00.000Z';
    expect(await handle({ config: true }, service)).toEqual({ at, config: service.config });
    expect(service.cluster.calls).toEqual([]);
  });

  test('nothing at all answers like wrong input', async () => {
    expect(await handle(null, made())).toEqual({ rejected: 'event has no object at the top, got null' });
  });

  test('wrong input answers with what to write', async () => {
    const service = made();
    await expect(handle({ headroom: 'service', atLeast: 99, for: '1h' }, service)).resolves.toEqual({
      rejected: expect.stringContaining('write at most 12'),
      example: expect.objectContaining({ atLeast: 6 }),
    });
  });

  test.each([
    { name: 'a size above max', request: { headroom: 'service', atLeast: 99, for: '1h' } },
    { name: 'an unknown key', request: { nodepool: 'service', atLeast: 9, for: '1h' } },
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

  test("another NodePool's trouble is told beside the order, which took effect", async () => {
    const service = made();
    service.cluster.fault = (call, name) =>
      call === 'create' && name === 'headroom-batch' ? new Error('503') : undefined;
    await expect(handle({ headroom: 'service', atLeast: 10, for: '1h' }, service)).resolves.toMatchObject({
      decisions: [{ replicas: 10 }],
      alsoFailed: 'headroom batch: 503',
    });
  });
});

function deeplyNested(): unknown {
  return JSON.parse('['.repeat(50_000) + ']'.repeat(50_000));
}
