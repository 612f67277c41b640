import { AlarmTable } from '../../../../lab/simulator/bus/alarm-table';

test('an alarm starts as OK, changes once for each state, and keeps its state in a config that still names it', async () => {
  const table = new AlarmTable();
  table.watch(['orders', 'queue'], 100);
  expect(table.set('orders', 'OK', 150)).toBeUndefined();
  const change = { alarmName: 'orders', state: 'ALARM', previous: 'OK', at: 200, previousAt: 100 };
  expect(table.set('orders', 'ALARM', 200)).toEqual(change);
  expect(await table.read(['orders', 'other'])).toEqual(new Map([['orders', { state: 'ALARM', at: 200 }]]));
  table.watch(['orders'], 300);
  expect(table.isFiring('orders')).toBe(true);
  expect(() => table.set('queue', 'ALARM', 400)).toThrow('alarm "queue" is not in the config; write one of orders');
});
