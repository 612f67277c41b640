import { MAX_RECORD } from '../../../../shared/core/basics/record-limits';
import { EMPTY_RECORD, type HeadroomRecord } from '../../../../shared/core/record/record';
import { readRecord, writeRecord } from '../../../../shared/core/record/record-codec';

const ISO = '2026-11-17T02:26:00.000Z';
const NOW = Date.parse(ISO);
const KEY = 'lunch@2026-11-17T02:30:00.000Z';
const NODE = '2026-11-17T01:00:00Z/0a1b2c3d';
const asked = { at: ISO, nodes: 42, took: 3, ready: ISO, why: 'no node is starting' };
const text = (parts: object) => JSON.stringify({ v: 1, ...parts });

test('occurrences and nodes are read as they were written', () => {
  const record: HeadroomRecord = {
    ...EMPTY_RECORD,
    requests: {
      [KEY]: { ...asked, at: NOW, ready: NOW },
      'once@2026-11-18T00:00:00.000Z': { at: NOW, nodes: 0, unknown: { newer: 1 } },
    },
    nodeStarts: { [NODE]: 73, '2026-11-17T01:00:01Z/a': 0 },
  };
  expect(readRecord(writeRecord(record))).toEqual({ record });
  expect(JSON.parse(writeRecord(record))).toMatchObject({ requests: { [KEY]: asked }, nodeStarts: { [NODE]: 73 } });
});

test.each([
  { name: 'without a time', entry: { ...asked, at: undefined } },
  { name: 'that was ready at no time', entry: { ...asked, ready: 'soon' } },
  { name: 'of half a node', entry: { ...asked, nodes: 1.5 } },
  { name: 'of nodes that took less than nothing', entry: { ...asked, took: -1 } },
  { name: 'with a reason that is none', entry: { ...asked, why: 7 } },
])('an occurrence $name is set aside, and the others still count', ({ entry }) => {
  const other = 'dinner@2026-11-17T09:00:00.000Z';
  const { record, quarantined } = readRecord(text({ requests: { [KEY]: entry, [other]: { at: ISO } } }));
  expect(record.requests).toEqual({ [other]: { at: NOW } });
  expect(quarantined).toContain('"requests"');
});

test.each([
  { name: 'no map', nodeStarts: [73] },
  { name: 'a key without a time', nodeStarts: { 'i-1': 73 } },
  { name: 'a key that is too long', nodeStarts: { [`${NODE}4`]: 73 } },
  { name: 'a time that is no number', nodeStarts: { [NODE]: '73' } },
  { name: 'a time before creation', nodeStarts: { [NODE]: -1 } },
  { name: 'a time beyond a day', nodeStarts: { [NODE]: 86_401 } },
])('nodes with $name are set aside, and the others still count', ({ nodeStarts }) => {
  const good = '2026-11-17T01:00:01Z/a';
  const raw = Array.isArray(nodeStarts) ? nodeStarts : { ...nodeStarts, [good]: 5 };
  const { record, quarantined } = readRecord(text({ nodeStarts: raw }));
  expect(record.nodeStarts).toEqual(Array.isArray(nodeStarts) ? {} : { [good]: 5 });
  expect(quarantined).toContain('"nodeStarts"');
});

test('occurrences and nodes stay when a record would be too long with what a newer version wrote', () => {
  const long = { newer: 'x'.repeat(MAX_RECORD) };
  const record = {
    ...EMPTY_RECORD,
    requests: { [KEY]: { at: NOW, unknown: long } },
    nodeStarts: { [NODE]: 73 },
    unknown: long,
  };
  expect(readRecord(writeRecord(record)).record).toEqual({
    ...EMPTY_RECORD,
    requests: { [KEY]: { at: NOW } },
    nodeStarts: { [NODE]: 73 },
  });
});
