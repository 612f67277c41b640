import { RecordBands, windowBands } from '../../../../lab/console/snapshot/pool-bands';
import { EMPTY_RECORD } from '../../../../shared/core/record/record';
import { FULL, HOUR, MINUTE } from '../../simulator/run/simulations';

const [POOL] = FULL.headrooms;
if (!POOL) throw new Error('no pool');
const pool = POOL;
const time = (text: string) => Date.parse(text);

test('windows and their leads are bands', () => {
  const from = time('2026-03-02T00:00:00Z');
  expect(windowBands(pool, from, from + 24 * HOUR)).toEqual([
    { kind: 'lead', label: 'lunch', from: time('2026-03-02T02:25:00Z'), to: time('2026-03-02T02:30:00Z') },
    { kind: 'window', label: 'lunch', from: time('2026-03-02T02:30:00Z'), to: time('2026-03-02T04:30:00Z') },
  ]);
});

test('a window that is open at the start of the picture is in it', () => {
  const from = time('2026-03-02T03:00:00Z');
  expect(windowBands(pool, from, from + HOUR).map(({ kind }) => kind)).toEqual(['lead', 'window']);
});

test('a boost runs from the alarm to the end of its hold, as one band', () => {
  const bands = new RecordBands();
  bands.observe(pool, { ...EMPTY_RECORD, alarms: { 'orders-high': { state: 'ALARM', at: 1_000 } } }, 2_000);
  expect(bands.since(0)).toEqual([{ kind: 'boost', label: 'orders-high', from: 1_000 }]);
  const ended = { state: 'OK', at: 60_000, ended: 60_000 } as const;
  bands.observe(pool, { ...EMPTY_RECORD, alarms: { 'orders-high': ended } }, 61_000);
  expect(bands.since(0)).toEqual([{ kind: 'boost', label: 'orders-high', from: 1_000, to: 60_000 + 5 * MINUTE }]);
});

test('an override that is taken back ends where it was taken back', () => {
  const bands = new RecordBands();
  const override = { mode: 'atLeast', replicas: 6, at: 1_000, until: HOUR, by: 'ana', reason: 'sale' } as const;
  bands.observe(pool, { ...EMPTY_RECORD, override }, 1_000);
  bands.observe(pool, EMPTY_RECORD, 5_000);
  expect(bands.since(0)).toEqual([{ kind: 'override', label: 'at least 6', from: 1_000, to: 5_000 }]);
  expect(bands.since(6_000)).toEqual([]);
});

test('each node that is taken away is a surge of its own', () => {
  const bands = new RecordBands();
  const surges = { 'i-1': { cause: 'spot', until: 9_000 }, 'i-2': { cause: 'rebalance', until: 8_000 } } as const;
  bands.observe(pool, { ...EMPTY_RECORD, surges }, 1_000);
  expect(bands.since(0)).toEqual([
    { kind: 'surge', label: 'spot i-1', from: 1_000, to: 9_000 },
    { kind: 'surge', label: 'rebalance i-2', from: 1_000, to: 8_000 },
  ]);
});
