import { EMPTY_RECORD } from '../../../../shared/core/record/record';
import { readRecord, writeRecord } from '../../../../shared/core/record/record-codec';

const ISO = '2026-11-16T03:00:00.000Z';
const NOW = Date.parse(ISO);
const occurrence = { nodes: 10, at: ISO, until: ISO };
const order = { mode: 'addNodes', replicas: 3, until: ISO, at: ISO, by: 'ana', reason: 'sale' };

test.each([
  { name: 'a count of an occurrence', more: {} },
  { name: 'a count that was assumed', more: { assumed: 12 } },
])('$name is read and written again', ({ more }) => {
  const text = JSON.stringify({ v: 1, alarms: {}, surges: {}, counts: { lunch: { ...occurrence, ...more } } });
  const read = readRecord(text);
  expect(read).toStrictEqual({
    record: { ...EMPTY_RECORD, counts: { lunch: { nodes: 10, at: NOW, until: NOW, ...more } } },
  });
  expect(readRecord(writeRecord(read.record))).toStrictEqual(read);
});

test.each([{ nodes: '10' }, { nodes: -1 }, { nodes: 2.5 }, { at: 'earlier' }, { until: 'later' }])(
  'a count with $nodes $at $until is set aside',
  (more) => {
    const counts = { lunch: { ...occurrence, ...more } };
    const { record, quarantined } = readRecord(JSON.stringify({ v: 1, counts }));
    expect(Object.keys(record.counts ?? {})).toEqual([]);
    expect(quarantined).toBe(JSON.stringify({ counts }));
  },
);

test.each([{ nodes: 4 }, { nodes: '4', at: ISO }, { nodes: 4, at: 'earlier' }, null, 4])(
  'an override that counts from %p is set aside',
  (counted) => {
    const override = { ...order, counted };
    const { record, quarantined } = readRecord(JSON.stringify({ v: 1, override }));
    expect([record.override, quarantined]).toEqual([undefined, JSON.stringify({ override })]);
  },
);

test('counts stay where fields of a newer version make the record too long', () => {
  const more = { note: 'x'.repeat(60_000) };
  const { record } = readRecord(JSON.stringify({ v: 1, counts: { lunch: { ...occurrence, ...more } } }));
  const surges = Object.fromEntries(
    Array.from({ length: 300 }, (_, index) => [`i-${index}`, { cause: 'spot', until: NOW }]),
  );
  expect(readRecord(writeRecord({ ...record, surges })).record.counts).toStrictEqual({
    lunch: { nodes: 10, at: NOW, until: NOW },
  });
});
