import { isNewerMessage, keepMessages, withPeaks } from '../../../../shared/core/intents/announced';
import type { AnnouncedRecord, HeadroomRecord } from '../../../../shared/core/record/record';
import { readRecord, writeRecord } from '../../../../shared/core/record/record-codec';
import { configOf } from '../../../fakes/fake-runtime';

const NOW = Date.parse('2026-11-18T09:00:00Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const [pool] = configOf(`
  web:
    max: 12
    unit: {floor: {cpu: 4}}
    events:
      - {name: campaign, pattern: {source: [cms, shop]}, from: $.detail.from, to: $.detail.to, key: $.detail.id, desiredReplicas: 6}
      - {name: import, pattern: {source: [{prefix: s3}]}, hold: 30m, addNodes: 3}
`).headrooms;
if (!pool) throw new Error('no pool');

const peak = (from: number, hours = 1, at = NOW - HOUR): AnnouncedRecord => ({
  ...{ at, from: NOW + from * HOUR, to: NOW + (from + hours) * HOUR },
});
const recordOf = (announced: Readonly<Record<string, AnnouncedRecord>>): HeadroomRecord => ({
  ...{ alarms: {}, surges: {}, announced },
});
const numbered = (name: string, count: number, message: (index: number) => AnnouncedRecord) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${name} k${10 + index}`, message(index)]));

/** The keys that are kept, in their order, and those that fall out. */
function kept(announced: Readonly<Record<string, AnnouncedRecord>>) {
  const { record, dropped } = keepMessages(recordOf(announced), pool as NonNullable<typeof pool>, NOW);
  return { kept: Object.keys(record.announced ?? {}), dropped };
}

test.each([
  { name: 'the later', a: { at: 2 }, b: { at: 1, from: 9, to: 9 }, newer: true },
  { name: 'of one second the announcement', a: { at: 1, from: 2, to: 3 }, b: { at: 1 }, newer: true },
  { name: 'of two the one that begins later', a: { at: 1, from: 3, to: 4 }, b: { at: 1, from: 2, to: 9 }, newer: true },
  { name: 'then the one that ends later', a: { at: 1, from: 2, to: 9 }, b: { at: 1, from: 2, to: 4 }, newer: true },
  {
    name: 'neither of two that are the same',
    a: { at: 1, from: 2, to: 3 },
    b: { at: 1, from: 2, to: 3 },
    newer: false,
  },
])('$name counts', ({ a, b, newer }) => {
  expect([isNewerMessage(a, b), isNewerMessage(b, a)]).toEqual([newer, false]);
});

test('twelve peaks that begin first stand, those that end first among them', () => {
  const peaks = {
    ...numbered('campaign', 11, () => peak(1)),
    'campaign z': peak(1, 2),
    'campaign a': peak(1, 3),
    'campaign b': peak(2, 1),
  };
  const stand = [...Object.keys(peaks).slice(0, 11), 'campaign z'];
  expect(kept(peaks)).toEqual({ kept: stand, dropped: ['campaign a', 'campaign b'] });
});

test('of peaks at the same time those with the first keys stand', () => {
  const peaks = numbered('campaign', 14, () => peak(1));
  const backwards = Object.fromEntries(Object.entries(peaks).reverse());
  for (const one of [peaks, backwards])
    expect(kept(one)).toEqual({ kept: Object.keys(peaks).slice(0, 12), dropped: ['campaign k22', 'campaign k23'] });
});

test('twelve other messages are kept, the newest, beside twelve peaks', () => {
  const standing = numbered('campaign', 12, () => peak(1));
  const cancelled = Object.fromEntries(
    Array.from({ length: 13 }, (_, index) => [`campaign x${10 + index}`, { at: NOW - HOUR + index }]),
  );
  const [oldest = '', ...newest] = Object.keys(cancelled);
  expect(kept({ ...cancelled, ...standing })).toEqual({
    kept: [...Object.keys(standing), ...newest],
    dropped: [oldest],
  });
});

test('peaks that are over make way for cancellations and are forgotten without a word, however many a day has', () => {
  const over = numbered('campaign', 13, (index) => ({ ...peak(-2), at: NOW - HOUR + index }));
  const [oldest = '', ...newest] = Object.keys(over);
  expect(kept(over)).toEqual({ kept: newest, dropped: [] });
  const cancelled = { 'campaign x': { at: NOW - DAY } };
  expect(kept({ ...over, ...cancelled })).toEqual({ kept: [...newest.slice(1), 'campaign x'], dropped: [] });
  expect(oldest).toBe('campaign k10');
});

test('what the config does not name is kept, takes no place from what counts, and falls out with its key: a newer deploy may name it', () => {
  const unknown = numbered('gone', 2, () => peak(0));
  const known = numbered('campaign', 12, () => peak(5));
  expect(kept({ ...unknown, 'campaign k10': peak(5) }).kept).toEqual(['campaign k10', ...Object.keys(unknown)]);
  expect(kept({ ...unknown, ...known })).toEqual({ kept: Object.keys(known), dropped: Object.keys(unknown) });
});

test.each([
  { name: 'a peak that ends in a moment', key: 'campaign a', message: { ...peak(-1), to: NOW + 1 }, stays: true },
  { name: 'a peak that is over', key: 'campaign a', message: { ...peak(-1), to: NOW }, stays: true },
  { name: 'a cancellation', key: 'campaign a', message: { at: NOW - DAY }, stays: true },
  {
    name: 'one of a day and almost five minutes',
    key: 'campaign a',
    message: { at: NOW - DAY - 299_999 },
    stays: true,
  },
  { name: 'one of a day and five minutes', key: 'campaign a', message: { at: NOW - DAY - 300_000 }, stays: false },
  { name: 'a cancellation of a hold', key: 'import a', message: { at: NOW }, stays: true },
  { name: 'a hold that is over', key: 'import a', message: { ...peak(-1), to: NOW }, stays: false },
  { name: 'a hold that is not', key: 'import a', message: { ...peak(-1), to: NOW + 1 }, stays: true },
  { name: 'one of an event that is gone', key: 'gone a', message: { ...peak(-1), to: NOW }, stays: true },
])('$name is kept: $stays', ({ key, message, stays }) => {
  expect(kept({ [key]: message })).toEqual({ kept: stays ? [key] : [], dropped: [] });
});

test('a record without messages has none afterwards', () => {
  const bare = { alarms: {}, surges: {} };
  expect(keepMessages(bare, pool, NOW)).toStrictEqual({ record: bare, dropped: [] });
  expect(keepMessages(recordOf({ 'import a': peak(-1) }), pool, NOW).record).toStrictEqual(bare);
});

test('each peak that the config names is a window, as large as the config says', () => {
  const announced = {
    'campaign summer sale': peak(1),
    'campaign a': peak(1),
    'import b': peak(2),
    'gone a': peak(1),
    'campaign cancelled': { at: NOW },
    'campaign half': { at: NOW, from: NOW },
    'campaign other': { at: NOW, to: NOW },
  } as Record<string, AnnouncedRecord>;
  const window = (name: string, from: string, to: string, by: string, more: object) => ({
    ...{ kind: 'once', name, timezone: 'UTC', from: `2026-11-18T${from}`, to: `2026-11-18T${to}` },
    ...more,
    live: { since: NOW - HOUR, by, earlyMinutes: pool.events?.[0]?.earlyMinutes, announced: true },
  });
  expect(withPeaks(pool, { announced }).windows).toStrictEqual([
    window('event:campaign a', '10:00:00', '11:00:00', 'cms or shop', { replicas: 6 }),
    window('event:import b', '11:00:00', '12:00:00', 'an event', { replicas: 3, relative: true }),
  ]);
});

test('without a peak a NodePool is the same', () => {
  expect(withPeaks(pool, {})).toBe(pool);
  expect(withPeaks(pool, { announced: { 'gone a': peak(1) } })).toBe(pool);
});

describe('messages in the record', () => {
  const text = (announced: unknown) => JSON.stringify({ v: 1, alarms: {}, surges: {}, announced });
  const [at, from, to] = ['2026-11-18T08:00:00.000Z', '2026-11-18T10:00:00.000Z', '2026-11-18T11:00:00.000Z'];

  test.each([
    { name: 'a peak', message: { at, from, to } },
    { name: 'a cancellation', message: { at } },
    { name: 'fields of a newer version', message: { at, from, to, size: 3 } },
  ])('$name is read and written again', ({ message }) => {
    const written = text({ 'campaign a': message });
    const { record, quarantined } = readRecord(written);
    expect([writeRecord(record), quarantined]).toEqual([written, undefined]);
  });

  test.each([
    { name: 'no time', message: { from, to } },
    { name: 'no end', message: { at, from } },
    { name: 'no begin', message: { at, to } },
    { name: 'an end that is no time', message: { at, from, to: 'later' } },
    { name: 'a begin that is no time', message: { at, from: 'soon', to } },
    { name: 'an end at its begin', message: { at, from, to: from } },
  ])('$name is set aside', ({ message }) => {
    const { record, quarantined } = readRecord(text({ 'campaign a': message, 'campaign b': { at } }));
    expect(record.announced).toEqual({ 'campaign b': { at: Date.parse(at) } });
    expect(quarantined).toBe(JSON.stringify({ announced: { 'campaign a': message } }));
  });

  test('stay, without what nobody knows, where the record would be too long', () => {
    const long = { ...recordOf({ 'campaign a': { ...peak(1), unknown: { x: 'x'.repeat(300_000) } } }) };
    expect(readRecord(writeRecord(long)).record.announced).toEqual({ 'campaign a': peak(1) });
  });
});
