import { MAX_COUNTED, MAX_RECORD, MAX_UNKNOWN } from '../../../../shared/core/basics/record-limits';
import { EMPTY_RECORD, type HeadroomRecord } from '../../../../shared/core/record/record';
import { readRecord, writeRecord } from '../../../../shared/core/record/record-codec';

const ISO = '2026-11-16T03:00:00.000Z';
const NOW = Date.parse(ISO);
/** The most that is kept of what cannot be read. */
const MAX_QUARANTINED = 4_096;

const override = { mode: 'atLeast', replicas: 3, until: ISO, at: ISO, by: 'ana', reason: 'sale' };
const released = { at: ISO, by: 'bo', reason: 'over' };
const alarm = { state: 'ALARM', at: ISO, ended: ISO };
const surge = { cause: 'spot', until: ISO };

describe('what can be read', () => {
  test.each([
    { name: 'nothing', text: undefined, record: EMPTY_RECORD },
    { name: 'an empty text', text: '', record: EMPTY_RECORD },
    { name: 'a record without parts', text: '{"v":1}', record: EMPTY_RECORD },
    {
      name: 'a pin to 0',
      text: JSON.stringify({ v: 1, override: { ...override, mode: 'exactly', replicas: 0 } }),
      record: { ...EMPTY_RECORD, override: { ...override, mode: 'exactly', replicas: 0, until: NOW, at: NOW } },
    },
    {
      name: 'alarms in every state',
      text: JSON.stringify({
        v: 1,
        alarms: { a: alarm, b: { state: 'OK', at: ISO }, c: { state: 'INSUFFICIENT_DATA', at: ISO } },
      }),
      record: {
        ...EMPTY_RECORD,
        alarms: {
          a: { state: 'ALARM', at: NOW, ended: NOW },
          b: { state: 'OK', at: NOW },
          c: { state: 'INSUFFICIENT_DATA', at: NOW },
        },
      },
    },
    {
      name: 'surges',
      text: JSON.stringify({ v: 1, surges: { 'i-1': surge } }),
      record: { ...EMPTY_RECORD, surges: { 'i-1': { cause: 'spot', until: NOW } } },
    },
  ])('is $name', ({ text, record }) => {
    expect(readRecord(text)).toStrictEqual({ record });
  });
});

describe('what cannot be read is set aside, and nothing of it counts', () => {
  test.each(['null', '3', '"text"', 'true', '{"v":"1"}', '{}'])('%s', (text) => {
    expect(readRecord(text)).toStrictEqual({
      record: EMPTY_RECORD,
      quarantined: text,
      lostCounts: true,
      lostAlarms: true,
    });
  });

  test.each([
    { part: 'override', what: null },
    { part: 'override', what: 'inflate' },
    { part: 'override', what: { ...override, mode: 'perhaps' } },
    { part: 'override', what: { ...override, replicas: '3' } },
    { part: 'override', what: { ...override, replicas: 2.5 } },
    { part: 'override', what: { ...override, replicas: -1 } },
    { part: 'override', what: { ...override, until: 'later' } },
    { part: 'override', what: { ...override, until: 2_030 } },
    { part: 'override', what: { ...override, at: 'earlier' } },
    { part: 'override', what: { ...override, by: 7 } },
    { part: 'override', what: { ...override, reason: 7 } },
    { part: 'released', what: [] },
    { part: 'released', what: { ...released, at: 'earlier' } },
    { part: 'released', what: { ...released, by: 7 } },
    { part: 'released', what: { ...released, reason: 7 } },
    { part: 'alarms', what: 'none' },
    { part: 'alarms', what: [alarm] },
    { part: 'alarms', what: null },
    { part: 'alarms', what: { a: null } },
    { part: 'alarms', what: { a: { ...alarm, state: 'LOUD' } } },
    { part: 'alarms', what: { a: { ...alarm, at: 'earlier' } } },
    { part: 'alarms', what: { a: { ...alarm, ended: 'earlier' } } },
    { part: 'surges', what: 3 },
    { part: 'surges', what: { 'i-1': { ...surge, cause: 7 } } },
    { part: 'surges', what: { 'i-1': { ...surge, until: 'later' } } },
  ])('$part: $what', ({ part, what }) => {
    const text = JSON.stringify({ v: 1, [part]: what });
    const lost = part === 'alarms' ? { lostAlarms: true } : {};
    const quarantined = JSON.stringify({ [part]: what });
    expect(readRecord(text)).toStrictEqual({ record: EMPTY_RECORD, quarantined, ...lost });
  });

  test('broken parts are set aside together, and the others count', () => {
    const text = JSON.stringify({ v: 1, override: 1, released, alarms: { a: 2, b: alarm }, surges: { 'i-1': surge } });
    expect(readRecord(text)).toStrictEqual({
      record: {
        released: { ...released, at: NOW },
        alarms: { b: { state: 'ALARM', at: NOW, ended: NOW } },
        surges: { 'i-1': { cause: 'spot', until: NOW } },
      },
      quarantined: '{"override":1,"alarms":{"a":2}}',
      lostAlarms: true,
    });
  });
});

describe('bounds', () => {
  test('a count is one that a cluster can have, and more is set aside', () => {
    const occurrence = (nodes: number) => ({
      nodes,
      at: '2026-11-16T02:25:00.000Z',
      until: '2026-11-16T04:30:00.000Z',
    });
    const text = (nodes: number) => JSON.stringify({ v: 1, counts: { 'lunch@x': occurrence(nodes) } });
    expect(readRecord(text(MAX_COUNTED))).toMatchObject({
      record: { counts: { 'lunch@x': { nodes: MAX_COUNTED } } },
    });
    expect(readRecord(text(MAX_COUNTED + 1))).toMatchObject({
      record: EMPTY_RECORD,
      quarantined: JSON.stringify({ counts: { 'lunch@x': occurrence(MAX_COUNTED + 1) } }),
    });
  });

  const ofLength = (length: number) => '{"v":1}'.padEnd(length, ' ');

  test('a text of the greatest length is read, a longer one is set aside', () => {
    expect(readRecord(ofLength(MAX_RECORD))).toStrictEqual({ record: EMPTY_RECORD });
    expect(readRecord(ofLength(MAX_RECORD + 1)).quarantined).toHaveLength(MAX_QUARANTINED);
  });

  test('a broken part is set aside up to the same length as a broken text', () => {
    expect(readRecord(JSON.stringify({ v: 1, override: 'x'.repeat(9_000) })).quarantined).toHaveLength(MAX_QUARANTINED);
  });

  test('fields of a newer version are kept up to a length, and set aside beyond it', () => {
    const empty = JSON.stringify({ later: '' }).length;
    const most = 'x'.repeat(MAX_UNKNOWN - empty);
    expect(readRecord(JSON.stringify({ v: 1, later: most }))).toStrictEqual({
      record: { ...EMPTY_RECORD, unknown: { later: most } },
    });
    const { record, quarantined } = readRecord(JSON.stringify({ v: 1, later: `${most}x` }));
    expect(record).toStrictEqual(EMPTY_RECORD);
    expect(quarantined?.startsWith('{"unknown":{"later":"xxx')).toBe(true);
  });

  test('fields of a newer version stay with the record where another part is broken', () => {
    expect(readRecord('{"v":1,"override":1,"later":2}').record).toStrictEqual({
      ...EMPTY_RECORD,
      unknown: { later: 2 },
    });
  });

  const withNote = (note: string): HeadroomRecord => ({
    ...EMPTY_RECORD,
    alarms: { a: { state: 'OK', at: NOW, unknown: { note } } },
  });
  const frame = writeRecord(withNote('')).length;

  test('a record that just fits is written with all that a newer version added', () => {
    const note = 'x'.repeat(MAX_RECORD - frame);
    expect(JSON.parse(writeRecord(withNote(note))).alarms.a.note).toBe(note);
    expect(writeRecord(withNote(`${note}x`))).toBe(
      writeRecord({ ...EMPTY_RECORD, alarms: { a: { state: 'OK', at: NOW } } }),
    );
  });

  test('what is written can be read, wherever a newer version added too much', () => {
    const unknown = { note: 'x'.repeat(MAX_RECORD) };
    const full: HeadroomRecord = {
      override: { mode: 'atLeast', replicas: 3, until: NOW, at: NOW, by: 'ana', reason: 'sale', unknown },
      released: { at: NOW, by: 'bo', unknown },
      alarms: { a: { state: 'ALARM', at: NOW, unknown } },
      surges: { 'i-1': { cause: 'spot', until: NOW, unknown } },
      unknown,
    };
    expect(readRecord(writeRecord(full))).toStrictEqual({
      record: {
        override: { mode: 'atLeast', replicas: 3, until: NOW, at: NOW, by: 'ana', reason: 'sale' },
        released: { at: NOW, by: 'bo' },
        alarms: { a: { state: 'ALARM', at: NOW } },
        surges: { 'i-1': { cause: 'spot', until: NOW } },
      },
    });
  });
});

test('entries are written in the order of their names, so that equal records are equal texts', () => {
  const { at, state } = { at: NOW, state: 'OK' as const };
  const text = writeRecord({ ...EMPTY_RECORD, alarms: { b: { state, at }, c: { state, at }, a: { state, at } } });
  expect(Object.keys(JSON.parse(text).alarms)).toEqual(['a', 'b', 'c']);
});
