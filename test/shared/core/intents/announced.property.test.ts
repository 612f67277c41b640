import fc from 'fast-check';
import { keepMessages } from '../../../../shared/core/intents/announced';
import type { Intent } from '../../../../shared/core/intents/intent';
import { mergeIntents } from '../../../../shared/core/intents/newest-wins';
import { EMPTY_RECORD, type HeadroomRecord } from '../../../../shared/core/record/record';
import { readRecord, writeRecord } from '../../../../shared/core/record/record-codec';
import { configOf } from '../../../fakes/fake-runtime';

const NOW = Date.parse('2026-11-18T09:00:00Z');
const HOUR = 3_600_000;
const { headrooms } = configOf(`
  web:
    max: 12
    events:
      - {name: campaign, pattern: {source: [cms]}, from: $.detail.from, to: $.detail.to, key: $.detail.id, desiredReplicas: 6}
      - {name: import, pattern: {source: [s3]}, hold: 30m, desiredReplicas: 3}
`);
const [pool] = headrooms;
if (!pool) throw new Error('there is no NodePool');

/** Few seconds, keys and times, so that messages meet. */
const message = (keys: number) =>
  fc
    .record({
      key: fc.integer({ min: 1, max: keys }).map((number) => `campaign c${number}`),
      at: fc.integer({ min: 0, max: 3 }).map((seconds) => NOW - HOUR + seconds * 1_000),
      from: fc.option(fc.integer({ min: -2, max: 3 }).map((hours) => NOW + hours * HOUR)),
      length: fc.integer({ min: 1, max: 3 }),
    })
    .map(
      ({ key, at, from, length }): Intent => ({
        kind: 'peak',
        headroom: 'web',
        peak: from === null ? { key, at } : { key, at, from, to: from + length * HOUR },
      }),
    );

/** One batch after the other, each kept and written in between. */
function after(batches: readonly (readonly Intent[])[], before: HeadroomRecord = EMPTY_RECORD): HeadroomRecord {
  return batches.reduce((record, batch) => {
    const kept = keepMessages(mergeIntents(record, batch), pool as NonNullable<typeof pool>, NOW);
    expect(kept.dropped).toEqual([]);
    return readRecord(writeRecord(kept.record)).record;
  }, before);
}

const shuffled = (messages: readonly Intent[]) =>
  fc.tuple(
    fc.constant(messages),
    fc.shuffledSubarray([...messages, ...messages], { minLength: messages.length * 2 }),
    fc.integer({ min: 1, max: 4 }),
  );

test('up to twelve peaks, order, number and batches of deliveries do not matter', () => {
  fc.assert(
    fc.property(fc.array(message(12), { maxLength: 20 }).chain(shuffled), ([messages, others, size]) => {
      const batches = Array.from({ length: Math.ceil(others.length / size) }, (_, index) =>
        others.slice(index * size, (index + 1) * size),
      );
      expect(after(batches)).toEqual(after([messages]));
    }),
  );
});

test('the newest message stands, an announcement over a cancellation of its second', () => {
  fc.assert(
    fc.property(fc.array(message(1), { minLength: 1, maxLength: 8 }), (messages) => {
      const peaks = messages.flatMap((one) => (one.kind === 'peak' ? [one.peak] : []));
      const rank = ({ at, from = 0, to = 0 }: (typeof peaks)[number]) => [at, from, to];
      const [best] = peaks.sort((a, b) => {
        const [x, y] = [rank(a), rank(b)];
        const index = x.findIndex((value, place) => value !== y[place]);
        return index < 0 ? 0 : Number(y[index]) - Number(x[index]);
      });
      const { key: _key, ...stands } = best as (typeof peaks)[number];
      expect(after([messages]).announced).toEqual({ 'campaign c1': stands });
    }),
  );
});

test('of more than twelve those that begin first stay, and the others are named', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 500 }), { minLength: 13, maxLength: 30 }), (hours) => {
      const messages = hours.map(
        (hour): Intent => ({
          kind: 'peak',
          headroom: 'web',
          peak: { key: `campaign h${hour}`, at: NOW, from: NOW + hour * HOUR, to: NOW + (hour + 1) * HOUR },
        }),
      );
      const { record, dropped } = keepMessages(mergeIntents(EMPTY_RECORD, messages), pool, NOW);
      const inOrder = hours.toSorted((a, b) => a - b).map((hour) => `campaign h${hour}`);
      expect(Object.keys(record.announced ?? {}).sort()).toEqual(inOrder.slice(0, 12).sort());
      expect(dropped).toEqual(inOrder.slice(12));
    }),
  );
});

test('a record full of peaks takes what an older version passes on', () => {
  const key = `${'"'.repeat(40)} ${'k'.repeat(38)}`;
  const messages = Array.from({ length: 24 }, (_, index): Intent => {
    const peak = { key: `${key}${String(index).padStart(2, '0')}`, at: NOW, from: NOW - 2 * HOUR, to: NOW - HOUR };
    return { kind: 'peak', headroom: 'web', peak: index < 12 ? peak : { ...peak, to: NOW + HOUR } };
  });
  const { announced } = mergeIntents(EMPTY_RECORD, messages);
  expect(
    JSON.stringify(JSON.parse(writeRecord({ ...EMPTY_RECORD, ...(announced && { announced }) })).announced).length,
  ).toBeLessThan(8_192);
});
