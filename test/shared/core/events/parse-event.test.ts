import { parseEvent } from '../../../../shared/core/events/parse-event';
import { loadEvent } from '../../../events/load-event';

const at = (time: string) => Date.parse(`2026-11-16T${time}Z`);

describe('parseEvent', () => {
  const tick = (trigger: string, time: string) => ({ kind: 'tick', trigger, at: at(time) });
  const alarm = (alarmName: string, state: string, previous: string, time: string) => ({
    ...{ kind: 'alarm', alarmName, state, previous, at: at(time) },
  });
  const [ONE, OTHER] = ['i-0a1b2c3d4e5f60001', 'i-0a1b2c3d4e5f60002'];
  test.each([
    { name: 'window-edge', reads: tick('edge', '02:25:00') },
    { name: 'heartbeat', reads: tick('heartbeat', '02:26:00') },
    { name: 'deploy', reads: tick('deploy', '02:27:00') },
    { name: 'alarm-state-change', reads: alarm('p95-high', 'ALARM', 'OK', '03:00:05.985') },
    { name: 'alarm-metric-ok', reads: alarm('p95-high', 'OK', 'ALARM', '03:20:00') },
    { name: 'alarm-composite-alarm', reads: alarm('checkout-unhappy', 'ALARM', 'INSUFFICIENT_DATA', '03:00:10') },
    { name: 'alarm-direct-action', reads: alarm('p95-high', 'ALARM', 'OK', '03:00:05.985') },
    { name: 'spot-interruption', reads: { kind: 'interruption', cause: 'spot', instanceIds: [ONE] } },
    { name: 'rebalance-recommendation', reads: { cause: 'rebalance', instanceIds: [ONE] } },
    { name: 'capacity-reservation', reads: { cause: 'capacityReservation', instanceIds: [ONE] } },
    { name: 'instance-state-change', reads: { cause: 'stateChange', instanceIds: [ONE] } },
    { name: 'health-scheduled-change', reads: { cause: 'health', instanceIds: [ONE, OTHER], at: at('03:00:00') } },
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
