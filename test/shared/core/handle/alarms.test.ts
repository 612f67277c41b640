import { handle } from '../../../../shared/core/handle';
import { loadEvent } from '../../../events/load-event';
import { made, NOON, size, tickNow } from './service';

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

  test('a lost event is made up for by asking CloudWatch', async () => {
    const service = made();
    service.alarmStates.set('p95-high', { state: 'ALARM', at: NOON - 1_000 });
    await handle(tickNow('heartbeat', service), service);
    expect(size(service)).toBe(9);
  });
});
