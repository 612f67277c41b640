import { AlarmTable } from '../../../../lab/simulator/bus/alarm-table';

function tableOf(...names: string[]): AlarmTable {
  const table = new AlarmTable();
  table.watch(names, 100);
  return table;
}

test('an alarm starts as OK and says where it came from', async () => {
  const table = tableOf('orders');
  const change = table.set('orders', 'ALARM', 200);
  expect(change).toEqual({ alarmName: 'orders', state: 'ALARM', previous: 'OK', at: 200, previousAt: 100 });
  expect(await table.read(['orders', 'other'])).toEqual(new Map([['orders', { state: 'ALARM', at: 200 }]]));
});

test('the same state again is no change', () => {
  expect(tableOf('orders').set('orders', 'OK', 200)).toBeUndefined();
});

test('a state survives a new config that still names the alarm', () => {
  const table = tableOf('orders', 'queue');
  table.set('orders', 'ALARM', 200);
  table.watch(['orders'], 300);
  expect(table.isFiring('orders')).toBe(true);
  expect(() => table.set('queue', 'ALARM', 400)).toThrow('alarm "queue" is not in the config; write one of orders');
});
