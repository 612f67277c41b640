import { handle } from '../../../../shared/core/handle';
import { loadEvent } from '../../../events/load-event';
import { made, NOON, record, size, tickNow } from './service';

describe('alarms', () => {
  test('a boost comes with ALARM and goes after the hold', async () => {
    const service = made();
    await handle(loadEvent('alarm-state-change'), service);
    expect(size(service)).toBe(9);
    service.alarmStates.set('p95-high', { state: 'OK', at: Date.parse('2026-11-16T03:20:00Z') });
    service.time = Date.parse('2026-11-16T03:20:02Z');
    await handle(loadEvent('alarm-metric-ok'), service);
    expect(size(service)).toBe(9);
    service.time = Date.parse('2026-11-16T03:30:00Z');
    await handle(loadEvent('heartbeat', { time: '2026-11-16T03:30:00Z' }), service);
    expect(size(service)).toBe(6);
  });

  test('composite alarms and direct actions count in the same way', async () => {
    const service = made();
    await handle(loadEvent('alarm-composite-alarm'), service);
    await handle(loadEvent('alarm-direct-action'), service);
    expect(size(service)).toBe(10);
  });

  test('an alarm of nobody here changes nothing and is counted', async () => {
    const service = made();
    await handle(loadEvent('alarm-state-change', {}, { alarmName: 'billing' }), service);
    expect([size(service), service.counted]).toEqual([6, { foreignEvents: 1 }]);
  });

  test('a lost event is made up for by asking CloudWatch', async () => {
    const service = made();
    service.alarmStates.set('p95-high', { state: 'ALARM', at: NOON - 1_000 });
    await handle(tickNow('heartbeat', service), service);
    expect(size(service)).toBe(9);
  });

  test("CloudWatch's own reading counts over an event that lies in the future", async () => {
    const service = made();
    service.alarmStates.set('p95-high', { state: 'OK', at: NOON - 60_000 });
    const state = { value: 'ALARM', timestamp: '2031-01-01T00:00:00Z' };
    await handle(loadEvent('alarm-state-change', {}, { state }), service);
    expect([size(service), record(service).alarms['p95-high']?.state]).toEqual([6, 'OK']);
  });

  test('an alarm that was deleted while in ALARM counts as OK from now on', async () => {
    const service = made();
    await handle(loadEvent('alarm-state-change'), service);
    service.time = NOON + 60_000;
    await handle(loadEvent('heartbeat', { time: '2026-11-16T03:01:00Z' }), service);
    expect(record(service).alarms['p95-high']).toMatchObject({ state: 'OK', ended: expect.any(Number) });
    service.time = NOON + 12 * 60_000;
    await handle(loadEvent('heartbeat', { time: '2026-11-16T03:12:00Z' }), service);
    expect(size(service)).toBe(6);
  });
});
