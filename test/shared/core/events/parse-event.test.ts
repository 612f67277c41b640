import { parseEvent } from '../../../../shared/core/events/parse-event';
import { loadEvent } from '../../../events/load-event';

const at = (iso: string) => Date.parse(iso);

describe('parseEvent', () => {
  test.each([
    { name: 'window-edge', reads: { kind: 'tick', trigger: 'edge', at: at('2026-11-16T02:25:00Z') } },
    { name: 'heartbeat', reads: { kind: 'tick', trigger: 'heartbeat', at: at('2026-11-16T02:26:00Z') } },
    { name: 'deploy', reads: { kind: 'tick', trigger: 'deploy', at: at('2026-11-16T02:27:00Z') } },
    {
      name: 'alarm-state-change',
      reads: {
        kind: 'alarm',
        alarmName: 'p95-high',
        state: 'ALARM',
        previous: 'OK',
        at: at('2026-11-16T03:00:05.985Z'),
      },
    },
    {
      name: 'alarm-metric-ok',
      reads: { kind: 'alarm', alarmName: 'p95-high', state: 'OK', previous: 'ALARM', at: at('2026-11-16T03:20:00Z') },
    },
    {
      name: 'alarm-composite-alarm',
      reads: {
        kind: 'alarm',
        alarmName: 'checkout-unhappy',
        state: 'ALARM',
        previous: 'INSUFFICIENT_DATA',
        at: at('2026-11-16T03:00:10Z'),
      },
    },
    {
      name: 'alarm-direct-action',
      reads: {
        kind: 'alarm',
        alarmName: 'p95-high',
        state: 'ALARM',
        previous: 'OK',
        at: at('2026-11-16T03:00:05.985Z'),
      },
    },
    { name: 'spot-interruption', reads: { kind: 'interruption', cause: 'spot', instanceIds: ['i-0a1b2c3d4e5f60001'] } },
    { name: 'rebalance-recommendation', reads: { cause: 'rebalance', instanceIds: ['i-0a1b2c3d4e5f60001'] } },
    {
      name: 'capacity-reservation',
      reads: { cause: 'capacityReservation', instanceIds: ['i-0a1b2c3d4e5f60001'] },
    },
    { name: 'instance-state-change', reads: { cause: 'stateChange', instanceIds: ['i-0a1b2c3d4e5f60001'] } },
    {
      name: 'health-scheduled-change',
      reads: {
        cause: 'health',
        instanceIds: ['i-0a1b2c3d4e5f60001', 'i-0a1b2c3d4e5f60002'],
        at: at('2026-11-16T03:00:00Z'),
      },
    },
  ])('understands $name', ({ name, reads }) => {
    expect(parseEvent(loadEvent(name), 0)).toMatchObject(reads);
  });

  test.each(['unknown', 'state-change-running', 'health-issue', 'health-other-service', 'alarm-configuration-change'])(
    'finds nothing for us in %s',
    (name) => {
      expect(parseEvent(loadEvent(name), 0)).toBeUndefined();
    },
  );

  test('finds nothing in a health event that is closed', () => {
    expect(parseEvent(loadEvent('health-scheduled-change', {}, { statusCode: 'closed' }), 0)).toBeUndefined();
  });
});
