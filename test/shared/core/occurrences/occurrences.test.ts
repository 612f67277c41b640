import {
  countOf,
  isUncounted,
  MAX_OCCURRENCES,
  occurrenceOf,
  overdueOccurrences,
  recordOccurrences,
  withCount,
} from '../../../../shared/core/occurrences/occurrences';
import { EMPTY_RECORD, type HeadroomRecord, type Override } from '../../../../shared/core/record/record';
import { configOf } from '../../../fakes/fake-runtime';

const MINUTE = 60_000;
const [web, plain] = configOf(`
  web:
    max: 8
    leadTime: 5m
    unit: {floor: {cpu: 4}}
    schedules:
      - {name: lunch, timezone: UTC, start: 30 11 * * *, end: 30 13 * * *, addNodes: 6}
      - {name: late, timezone: UTC, start: 30 13 * * *, end: 30 14 * * *, addNodes: 6}
      - {name: night, timezone: UTC, start: 0 22 * * *, end: 0 23 * * *, desiredReplicas: 2}
      - {name: busy, timezone: UTC, start: "0 16,17 * * *", end: "58 16,17 * * *", addNodes: 1}
  plain: {max: 8}
`).headrooms;
const [lunch, late, , busy] = web?.windows ?? [];
if (!web || !plain || !lunch || !late || !busy) throw new Error('no pool');
const pool = web;
const units = plain;

const at = (time: string) => Date.parse(`2026-11-17T${time}:00Z`);
const key = (name: string, time: string) => `${name}@2026-11-17T${time}:00.000Z`;
const order = (more: Partial<Override>): Override => ({
  mode: 'addNodes',
  replicas: 3,
  until: at('18:00'),
  at: at('10:00'),
  by: 'ana',
  reason: 'sale',
  ...more,
});
const counted = (nodes: number, time: string, until: string) => ({ nodes, at: at(time), until: at(until) });

describe('an occurrence', () => {
  test.each([
    { time: '11:24', start: undefined },
    { time: '11:25', start: '11:30' },
    { time: '12:00', start: '11:30' },
    { time: '13:29', start: '11:30' },
    { time: '13:30', start: undefined },
  ])('of lunch at $time starts at $start', ({ time, start }) => {
    const wanted = start && {
      window: lunch,
      start: at(start),
      requestedAt: at(start) - 5 * MINUTE,
      isKnownLate: false,
    };
    expect(occurrenceOf(lunch, at(time), { leadOf: () => 5 })).toEqual(wanted);
  });

  test('that stands comes before the one whose lead time has begun', () => {
    expect(occurrenceOf(busy, at('16:56'), { leadOf: () => 5 })?.start).toBe(at('16:00'));
    expect(occurrenceOf(busy, at('16:58'), { leadOf: () => 5 })?.start).toBe(at('17:00'));
  });
});

describe('somebody has to count', () => {
  const rows: { name: string; time: string; record: HeadroomRecord; needed: boolean }[] = [
    { name: 'nothing outside the windows', time: '11:24', record: EMPTY_RECORD, needed: false },
    { name: 'for a window that is asked for', time: '11:25', record: EMPTY_RECORD, needed: true },
    { name: 'for a window that stands', time: '12:00', record: EMPTY_RECORD, needed: true },
    { name: 'nothing for a window with a size of its own', time: '22:30', record: EMPTY_RECORD, needed: false },
    {
      name: 'nothing where it was counted',
      time: '12:00',
      record: { ...EMPTY_RECORD, counts: { [key('lunch', '11:30')]: counted(10, '11:25', '13:30') } },
      needed: false,
    },
    {
      name: 'nothing where what stood before was counted',
      time: '13:26',
      record: { ...EMPTY_RECORD, counts: { [key('lunch', '11:30')]: counted(10, '11:25', '13:30') } },
      needed: false,
    },
    {
      name: 'where what was counted ended before the window was asked for',
      time: '13:31',
      record: { ...EMPTY_RECORD, counts: { [key('lunch', '11:30')]: counted(10, '11:25', '13:24') } },
      needed: true,
    },
    {
      name: 'for an override that adds nodes',
      time: '10:00',
      record: { ...EMPTY_RECORD, override: order({}) },
      needed: true,
    },
    {
      name: 'nothing for an override that was counted',
      time: '10:00',
      record: { ...EMPTY_RECORD, override: order({ counted: { nodes: 4, at: 1 } }) },
      needed: false,
    },
    {
      name: 'nothing for an override with a size of its own',
      time: '10:00',
      record: { ...EMPTY_RECORD, override: order({ mode: 'atLeast' }) },
      needed: false,
    },
  ];

  test.each(rows)('$name', ({ time, record, needed }) => {
    expect(isUncounted(record, pool, at(time))).toBe(needed);
    expect(isUncounted(record, units, at(time))).toBe(false);
  });
});

describe('a count', () => {
  test('is kept with its occurrence until the window ends', () => {
    expect(withCount(EMPTY_RECORD, pool, at('11:25'), 10)).toStrictEqual({
      ...EMPTY_RECORD,
      counts: { [key('lunch', '11:30')]: counted(10, '11:25', '13:30') },
    });
  });

  test('stays, whoever counts later', () => {
    const first = withCount(EMPTY_RECORD, pool, at('11:25'), 10);
    expect(withCount(first, pool, at('12:00'), 16)).toStrictEqual(first);
  });

  test('passes to the window that opens as the other ends, and is not counted anew', () => {
    const first = withCount(EMPTY_RECORD, pool, at('11:25'), 10);
    expect(withCount(first, pool, at('13:26'), 16).counts).toStrictEqual({
      [key('lunch', '11:30')]: counted(10, '11:25', '13:30'),
      [key('late', '13:30')]: { nodes: 10, at: at('11:25'), until: at('14:30') },
    });
  });

  test('is the lowest of what stood when the occurrence was first wanted', () => {
    const occurrence = { window: late, start: at('13:30'), requestedAt: at('13:25'), isKnownLate: false };
    const counts = {
      a: counted(9, '11:00', '13:25'),
      b: counted(7, '11:00', '15:00'),
      c: counted(8, '11:00', '15:00'),
    };
    const lower = { nodes: 5, at: at('12:00') };
    expect(countOf({ ...EMPTY_RECORD, counts }, pool, occurrence)?.nodes).toBe(7);
    expect(countOf({ ...EMPTY_RECORD, counts: { a: counts.a } }, pool, occurrence)?.nodes).toBe(9);
    expect(countOf({ ...EMPTY_RECORD, counts: { a: counted(9, '11:00', '13:24') } }, pool, occurrence)).toBeUndefined();
    const override = (until: string) => order({ counted: lower, until: at(until) });
    expect(countOf({ ...EMPTY_RECORD, counts, override: override('13:25') }, pool, occurrence)?.nodes).toBe(5);
    expect(countOf({ ...EMPTY_RECORD, counts, override: override('13:24') }, pool, occurrence)?.nodes).toBe(7);
    expect(countOf({ ...EMPTY_RECORD, override: order({}) }, pool, occurrence)).toBeUndefined();
  });

  test('is kept with an override that has none yet, and stays with one that has', () => {
    const record = { ...EMPTY_RECORD, override: order({}) };
    const first = withCount(record, pool, at('10:00'), 4);
    expect(first).toStrictEqual({ ...EMPTY_RECORD, override: order({ counted: { nodes: 4, at: at('10:00') } }) });
    expect(withCount(first, pool, at('10:05'), 9)).toStrictEqual(first);
    const sized = { ...EMPTY_RECORD, override: order({ mode: 'exactly' }) };
    expect(withCount(sized, pool, at('10:00'), 4)).toStrictEqual(sized);
  });

  test('keeps a later end that a deploy has moved, and whether it was assumed', () => {
    const known = { ...counted(10, '11:25', '15:00'), assumed: 12 };
    const record = { ...EMPTY_RECORD, counts: { [key('lunch', '11:30')]: known } };
    expect(recordOccurrences(record, pool, at('12:00')).counts).toStrictEqual(record.counts);
    const shorter = { ...EMPTY_RECORD, counts: { [key('lunch', '11:30')]: counted(10, '11:25', '12:30') } };
    expect(recordOccurrences(shorter, pool, at('12:00')).counts?.[key('lunch', '11:30')]?.until).toBe(at('13:30'));
  });

  test('is forgotten five minutes after its end', () => {
    const record = { ...EMPTY_RECORD, counts: { [key('old', '08:00')]: counted(10, '08:00', '09:00') } };
    expect(recordOccurrences(record, pool, at('09:05') - 1)).toStrictEqual(record);
    expect(recordOccurrences(record, pool, at('09:05'))).toStrictEqual(EMPTY_RECORD);
  });

  test('is not made up where nobody counts', () => {
    expect(recordOccurrences(EMPTY_RECORD, pool, at('12:00'))).toStrictEqual(EMPTY_RECORD);
  });

  test('is one of the newest where there are too many', () => {
    const many = Array.from({ length: MAX_OCCURRENCES + 2 }, (_, index) => [
      `w${index}`,
      { nodes: 1, at: at('09:00') + ((index * 7) % (MAX_OCCURRENCES + 2)), until: at('18:00') },
    ]);
    const kept = Object.values(
      recordOccurrences({ ...EMPTY_RECORD, counts: Object.fromEntries(many) }, pool, at('10:00')).counts ?? {},
    ).map((one) => one.at - at('09:00'));
    expect(kept).toEqual(Array.from({ length: MAX_OCCURRENCES }, (_, index) => MAX_OCCURRENCES + 1 - index));
  });
});

describe('an occurrence was counted late', () => {
  test.each([
    { name: 'not within five minutes', now: at('11:30'), names: [] },
    { name: 'after five minutes', now: at('11:30') + 1, names: ['lunch'] },
  ])('$name', ({ now, names }) => {
    expect(overdueOccurrences(EMPTY_RECORD, pool, now).map(({ window }) => window.name)).toEqual(names);
    expect(overdueOccurrences(withCount(EMPTY_RECORD, pool, at('11:25'), 10), pool, now)).toEqual([]);
  });
});

test('a window that has had its last start is not asked for again', () => {
  const once = '{name: sale, timezone: UTC, from: "2026-11-16T08:00", to: "2026-11-16T20:00", desiredReplicas: 3}';
  const [auto] = configOf(`  web: {max: 8, leadTime: auto, unit: {node: {cpu: 2}}, schedules: [${once}]}\n`).headrooms;
  const [sale] = auto?.windows ?? [];
  if (!sale) throw new Error('no window');
  const requested = { 'sale@2026-11-16T08:00:00.000Z': { at: 0 } };
  expect(occurrenceOf(sale, Date.parse('2026-11-17T00:00:00Z'), { leadOf: () => 5, requested })).toBeUndefined();
});

test('a count that is inherited says whether it was assumed', () => {
  const counted = { nodes: 4, at: Date.parse('2026-11-17T11:25:00Z'), assumed: 12 };
  const counts = { 'lunch@2026-11-17T11:30:00.000Z': { ...counted, until: Date.parse('2026-11-17T13:30:00Z') } };
  const now = Date.parse('2026-11-17T13:26:00Z');
  const { counts: kept } = recordOccurrences({ ...EMPTY_RECORD, counts }, pool, now);
  expect(kept?.['late@2026-11-17T13:30:00.000Z']).toMatchObject(counted);
  const { assumed: _assumed, ...seen } = counted;
  const known = { 'lunch@2026-11-17T11:30:00.000Z': { ...seen, until: Date.parse('2026-11-17T13:30:00Z') } };
  const { counts: plainly } = recordOccurrences({ ...EMPTY_RECORD, counts: known }, pool, now);
  expect(Object.keys(plainly?.['late@2026-11-17T13:30:00.000Z'] ?? {})).toEqual(['nodes', 'at', 'until']);
});
