import fc from 'fast-check';
import { MAX_RECORD } from '../../../../shared/core/basics/record-limits';
import type { Intent } from '../../../../shared/core/intents/intent';
import { mergeIntent, mergeIntents } from '../../../../shared/core/intents/newest-wins';
import { pruneRecord } from '../../../../shared/core/record/prune-record';
import { EMPTY_RECORD, type HeadroomRecord } from '../../../../shared/core/record/record';
import { readRecord, writeRecord } from '../../../../shared/core/record/record-codec';
import { configOf } from '../../../fakes/fake-runtime';

const NOW = Date.parse('2026-11-16T03:00:00Z');
const MINUTE = 60_000;
const ISO = '2026-11-16T03:00:00.000Z';

const [pool] = configOf(`
  web:
    max: 20
    alarms: [{alarmName: a, add: 1}, {alarmName: b, add: 2}]
    interruptions: {surge: 2, max: 5}
`).headrooms;
if (!pool) throw new Error('no pool');

/** One alarm's life: states in time order, each event knowing the state before it. */
const alarmLife = fc
  .record({
    alarmName: fc.constantFrom('a', 'b'),
    states: fc.array(fc.constantFrom('ALARM' as const, 'OK' as const, 'INSUFFICIENT_DATA' as const), {
      minLength: 1,
      maxLength: 6,
    }),
  })
  .map(({ alarmName, states }) =>
    states
      .filter((state, i) => state !== states[i - 1])
      .map((state, i, all): Intent => {
        const previous = all[i - 1] ?? 'INSUFFICIENT_DATA';
        return { kind: 'alarm', headroom: 'web', alarmName, state, previous, at: NOW + i * MINUTE };
      }),
  );
const surge = fc.record({ id: fc.integer({ min: 1, max: 6 }), minutes: fc.integer({ min: 1, max: 30 }) }).map(
  ({ id, minutes }): Intent => ({
    kind: 'surge',
    headroom: 'web',
    instanceId: `i-${id}`,
    cause: 'spot',
    until: NOW + minutes * MINUTE,
  }),
);
/** Orders and releases, some of them at one millisecond, some over already. */
const override = fc
  .record({
    at: fc.integer({ min: 0, max: 3 }),
    replicas: fc.integer({ min: 0, max: 9 }),
    release: fc.boolean(),
    over: fc.boolean(),
  })
  .map(({ at, replicas, release, over }): Intent => {
    if (release) return { kind: 'release', headroom: 'web', release: { at: NOW + at, by: 'bo' } };
    const until = over ? NOW : NOW + 60 * MINUTE;
    const word = { mode: 'atLeast' as const, replicas, until, at: NOW + at - 60 * MINUTE, by: 'ana', reason: 'x' };
    return { kind: 'override', headroom: 'web', override: over ? word : { ...word, at: NOW + at } };
  });

const histories = fc.tuple(
  fc.uniqueArray(alarmLife, { maxLength: 2, selector: alarmOf }),
  fc.array(surge, { maxLength: 8 }),
  fc.array(override, { maxLength: 3 }),
);

function alarmOf(life: readonly Intent[]): string {
  const [first] = life;
  return first?.kind === 'alarm' ? first.alarmName : '';
}

const DEEP = `{"v":1,"plans":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;

/** Entries whose names take six characters of JSON for each of their own. */
const many = <T>(count: number, entry: T): Record<string, T> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${'\u0001'.repeat(60)}${index}`, entry]));

describe('the record', () => {
  test('is the same however often and in whatever order the events come', () => {
    fc.assert(
      fc.property(
        histories.chain(([lives, surges, overrides]) => {
          const inOrder = [...lives.flat(), ...surges, ...overrides];
          const delivered = fc.shuffledSubarray([...inOrder, ...inOrder], { minLength: inOrder.length * 2 });
          return fc.tuple(fc.constant(inOrder), delivered);
        }),
        ([inOrder, delivered]) => {
          const once = pruneRecord(inOrder.reduce(mergeIntent, EMPTY_RECORD), pool, NOW);
          expect(mergeIntents(EMPTY_RECORD, delivered)).toEqual(delivered.reduce(mergeIntent, EMPTY_RECORD));
          const jumbled = delivered.reduce(
            (record, intent) => pruneRecord(mergeIntent(record, intent), pool, NOW),
            EMPTY_RECORD,
          );
          expect(writeRecord(jumbled)).toBe(writeRecord(once));
        },
      ),
      { seed: 7, numRuns: 300 },
    );
  });

  test('a function of an older deploy, whose config knows no interruptions, keeps the surges until they end', () => {
    const { interruptions: _none, ...older } = pool;
    const surges = { 'i-1': { cause: 'spot', until: NOW }, 'i-2': { cause: 'spot', until: NOW + 1 } };
    expect(pruneRecord({ alarms: {}, surges }, older, NOW).surges).toEqual({
      'i-2': { cause: 'spot', until: NOW + 1 },
    });
  });

  test('a reading tells that an alarm has ended, although its event was lost', () => {
    const fired: Intent = { kind: 'alarm', headroom: 'web', alarmName: 'a', state: 'ALARM', at: NOW };
    const reading: Intent = { kind: 'alarm', headroom: 'web', alarmName: 'a', state: 'OK', at: NOW + MINUTE };
    expect([fired, reading].reduce(mergeIntent, EMPTY_RECORD).alarms.a).toEqual({
      state: 'OK',
      at: NOW + MINUTE,
      ended: NOW + MINUTE,
    });
  });

  test('pruning drops what has expired and what the config no longer names', () => {
    const record: HeadroomRecord = {
      override: { mode: 'atLeast', replicas: 3, until: NOW, at: NOW - 1, by: 'ana', reason: 'x' },
      alarms: { a: { state: 'OK', at: NOW }, gone: { state: 'ALARM', at: NOW } },
      surges: { 'i-1': { cause: 'spot', until: NOW }, 'i-2': { cause: 'spot', until: NOW + 1 } },
    };
    expect(pruneRecord(record, pool, NOW)).toEqual({
      released: { at: NOW - 1 },
      alarms: { a: { state: 'OK', at: NOW } },
      surges: { 'i-2': { cause: 'spot', until: NOW + 1 } },
    });
  });
});

describe('overrides', () => {
  const inflate = (at: number, replicas: number, by = 'ana'): Intent => ({
    kind: 'override',
    headroom: 'web',
    override: { mode: 'atLeast', replicas, until: NOW + 60 * MINUTE, at, by, reason: 'sale' },
  });
  const release = (at: number): Intent => ({
    kind: 'release',
    headroom: 'web',
    release: { at, by: 'bo', reason: 'over' },
  });
  const recordOf = (...intents: Intent[]) => intents.reduce(mergeIntent, EMPTY_RECORD);

  test('an override that comes late does not outlive a newer one that has ended by itself', () => {
    const short: Intent = {
      kind: 'override',
      headroom: 'web',
      override: { mode: 'exactly', replicas: 0, until: NOW + MINUTE, at: NOW + 1, by: 'ana', reason: 'short' },
    };
    const ended = pruneRecord(recordOf(short), pool, NOW + 2 * MINUTE);
    expect(pruneRecord(mergeIntent(ended, inflate(NOW, 15)), pool, NOW + 2 * MINUTE).override).toBeUndefined();
  });

  test('a release is remembered for a day, and no longer', () => {
    const day = 24 * 60 * MINUTE;
    expect(pruneRecord(recordOf(release(NOW)), pool, NOW + day - 1).released?.by).toBe('bo');
    expect(pruneRecord(recordOf(release(NOW)), pool, NOW + day).released).toBeUndefined();
  });
});

describe('hostile names', () => {
  test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
    'an alarm named %s is like any other',
    (name) => {
      const fired: Intent = { kind: 'alarm', headroom: 'web', alarmName: name, state: 'ALARM', at: NOW };
      const record = mergeIntent(EMPTY_RECORD, fired);
      expect(Object.entries(readRecord(writeRecord(record)).record.alarms)).toEqual([
        [name, { state: 'ALARM', at: NOW }],
      ]);
      const ended = mergeIntent(record, { ...fired, state: 'OK', previous: 'ALARM', at: NOW + 1 });
      expect(Object.values(ended.alarms)).toEqual([{ state: 'OK', at: NOW + 1, ended: NOW + 1 }]);
    },
  );
});

describe('the record as an annotation', () => {
  test('what is written is read back', () => {
    fc.assert(
      fc.property(histories, ([lives, surges, overrides]) => {
        const record = [...lives.flat(), ...surges, ...overrides].reduce(mergeIntent, EMPTY_RECORD);
        const { record: read, quarantined } = readRecord(writeRecord(record));
        expect(quarantined).toBeUndefined();
        expect(read).toEqual(record);
      }),
      { seed: 8 },
    );
  });

  test('a person can read it', () => {
    const record = mergeIntent(EMPTY_RECORD, {
      kind: 'surge',
      headroom: 'web',
      instanceId: 'i-1',
      cause: 'spot',
      until: NOW,
    });
    expect(writeRecord(record)).toBe(
      '{"v":1,"alarms":{},"surges":{"i-1":{"cause":"spot","until":"2026-11-16T03:00:00.000Z"}}}',
    );
  });

  test.each([
    { name: 'text that is no JSON', text: '{"v":1,', quarantined: '{"v":1,', lostCounts: true, lostAlarms: true },
    {
      name: 'another version',
      text: '{"v":2,"alarms":{}}',
      quarantined: '{"v":2,"alarms":{}}',
      lostCounts: true,
      lostAlarms: true,
    },
    { name: 'a list', text: '[]', quarantined: '[]', lostCounts: true, lostAlarms: true },
    {
      name: 'a text that is nested deeper than the stack',
      text: DEEP,
      quarantined: DEEP.slice(0, 4_096),
      lostCounts: true,
      lostAlarms: true,
    },
    {
      name: 'a time from which nothing can be counted on',
      text: '{"v":1,"alarms":{"a":{"state":"OK","at":"2026-11-16T03:00:00Z","ended":"+275760-09-13T00:00:00Z"}}}',
      quarantined: '{"alarms":{"a":{"state":"OK","at":"2026-11-16T03:00:00Z","ended":"+275760-09-13T00:00:00Z"}}}',
      lostAlarms: true,
    },
    {
      name: 'an override without an end',
      text: '{"v":1,"override":{"mode":"atLeast","replicas":3}}',
      quarantined: '{"override":{"mode":"atLeast","replicas":3}}',
    },
  ])('$name is set aside', ({ name: _name, text, ...found }) => {
    expect(readRecord(text)).toEqual({ record: EMPTY_RECORD, ...found });
  });

  test('fields of a newer version are kept and passed on', () => {
    const text = JSON.stringify({
      v: 1,
      override: {
        ...{ mode: 'addNodes', replicas: 3, until: ISO, at: ISO, by: 'ana', reason: 'x', ticket: 7 },
        counted: { nodes: 4, at: ISO, zone: 'a' },
      },
      released: { at: ISO, ticket: 7 },
      alarms: { a: { state: 'ALARM', at: ISO, since: 'long' } },
      surges: { 'i-1': { cause: 'comet', until: ISO, zone: 'a' } },
      counts: { [`lunch@${ISO}`]: { nodes: 4, at: ISO, until: ISO, zone: 'a' } },
      requests: { [`lunch@${ISO}`]: { at: ISO, zone: 'a' } },
      forecast: { lunch: { count: 10 } },
    });
    const { record, quarantined } = readRecord(text);
    expect([quarantined, JSON.parse(writeRecord(record))]).toEqual([undefined, JSON.parse(text)]);
  });

  test('a field of a newer version survives a change by this one', () => {
    const { record } = readRecord('{"v":1,"alarms":{},"surges":{},"forecast":{"lunch":{"count":10}}}');
    const changed = pruneRecord(
      mergeIntent(record, { kind: 'surge', headroom: 'web', instanceId: 'i-1', cause: 'spot', until: NOW + MINUTE }),
      pool,
      NOW,
    );
    expect(JSON.parse(writeRecord(changed)).forecast).toEqual({ lunch: { count: 10 } });
  });

  test.each([
    { name: 'counts of windows', more: { counts: many(400, { nodes: 4, at: NOW, until: NOW }) } },
    { name: 'alarms', more: { alarms: many(400, { state: 'OK' as const, at: NOW }) } },
    { name: 'surges', more: { surges: many(400, { cause: 'spot', until: NOW }) } },
  ])('an override outlives more $name than fit', ({ more }) => {
    const override = { mode: 'atLeast' as const, replicas: 3, until: NOW, at: NOW, by: 'ana', reason: 'sale' };
    const text = writeRecord({ ...EMPTY_RECORD, override, ...more });
    expect(text.length).toBeLessThanOrEqual(MAX_RECORD);
    expect(readRecord(text).record.override).toEqual(override);
  });

  test('the count of an override outlives what a newer version added to it', () => {
    const counted = { nodes: 4, at: NOW };
    const override = { mode: 'addNodes' as const, replicas: 3, until: NOW, at: NOW, by: 'ana', reason: 'sale' };
    const unknown = { note: 'x'.repeat(MAX_RECORD) };
    const text = writeRecord({ ...EMPTY_RECORD, override: { ...override, counted: { ...counted, unknown } } });
    expect(readRecord(text).record.override).toEqual({ ...override, counted });
  });

  test('what is written can always be read, however much a newer version added', () => {
    const record = readRecord(
      JSON.stringify({ v: 1, alarms: { a: { state: 'OK', at: ISO, note: 'x'.repeat(60_000) } }, surges: {} }),
    ).record;
    const surges = Object.fromEntries(
      Array.from({ length: 300 }, (_, i) => [`i-${i}`, { cause: 'spot', until: NOW + MINUTE }]),
    );
    const again = readRecord(writeRecord({ ...record, surges }));
    expect([again.quarantined, Object.keys(again.record.surges).length]).toEqual([undefined, 300]);
  });

  test('one broken entry is set aside and the others still count', () => {
    const good = { state: 'ALARM', at: '2026-11-16T03:00:00.000Z' };
    const text = JSON.stringify({ v: 1, alarms: { a: good, b: { state: 'LOUD' } }, surges: {} });
    expect(readRecord(text)).toEqual({
      record: { alarms: { a: { state: 'ALARM', at: NOW } }, surges: {} },
      quarantined: '{"alarms":{"b":{"state":"LOUD"}}}',
      lostAlarms: true,
    });
  });

  test('what is set aside is bounded', () => {
    expect(readRecord('x'.repeat(100_000)).quarantined).toHaveLength(4_096);
  });
});
