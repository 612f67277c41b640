import fc from 'fast-check';
import {
  MAX_BEGUN,
  MAX_CAUSE,
  MAX_INSTANCE_ID,
  MAX_OVERRIDE_TEXT,
  MAX_REQUESTED,
  MAX_STARTS,
  MAX_UNKNOWN,
  MAX_WHY,
} from '../../../../../shared/core/basics/record-limits';
import { MAX_KNOWN_RECORD, worstRecordSize } from '../../../../../shared/core/config/check/record-size';
import type { AlarmConfig, HeadroomConfig } from '../../../../../shared/core/config/config';
import { INTERRUPTION_CAUSES } from '../../../../../shared/core/events/interruption-causes';
import { ANNOTATIONS } from '../../../../../shared/core/manifests/annotations';
import { countableNodes } from '../../../../../shared/core/record/additions';
import type { HeadroomRecord } from '../../../../../shared/core/record/record';
import { readRecord, writeRecord } from '../../../../../shared/core/record/record-codec';
import { codePoint } from '../../../../fakes/code-point';
import { updatedRecord } from '../../../../fakes/updated-record';
import { cronWindow } from '../../windows/sample-windows';
import { CLUSTER, load, problemsIn } from '../config-text';

type Pool = Pick<HeadroomConfig, 'alarms' | 'interruptions' | 'windows'>;

const names = fc.uniqueArray(
  fc.oneof(fc.string({ minLength: 1, maxLength: 255 }), fc.string({ unit: codePoint, minLength: 1, maxLength: 255 })),
  {
    maxLength: 60,
  },
);
const pools: fc.Arbitrary<Pool> = fc
  .record({
    names,
    surge: fc.integer({ min: 0, max: 9 }),
    max: fc.integer({ min: 0, max: 500 }),
    interrupted: fc.boolean(),
    windows: fc.uniqueArray(fc.string({ unit: codePoint, minLength: 1, maxLength: 30 }), { maxLength: 40 }),
  })
  .map(({ names: alarmNames, surge, max, interrupted, windows }) => ({
    windows: windows.map((name) => cronWindow('0 9 * * *', '0 10 * * *', 'UTC', { name })),
    alarms: alarmNames.map((alarmName): AlarmConfig => ({ name: alarmName, alarmName, add: 1, holdSeconds: 300 })),
    ...(interrupted && { interruptions: { surge, max, holdSeconds: 600, on: INTERRUPTION_CAUSES } }),
  }));

/** Every alarm, every surge that is kept, and an override that says as much as it may. */
function fullest({ alarms, interruptions, windows }: Pool, text: string, far: number): HeadroomRecord {
  const nodes = interruptions ? countableNodes(interruptions) : 0;
  const by = text.repeat(MAX_OVERRIDE_TEXT).slice(0, MAX_OVERRIDE_TEXT);
  return {
    override: { mode: 'atLeast', replicas: 5_000, until: far, at: far, by, reason: by },
    alarms: Object.fromEntries(
      alarms.map(({ alarmName }) => [alarmName, { state: 'INSUFFICIENT_DATA', at: far, ended: far }]),
    ),
    surges: Object.fromEntries(
      Array.from({ length: nodes }, (_, i) => [
        `i-${String(i).padStart(MAX_INSTANCE_ID - 2, '0')}`,
        { cause: INTERRUPTION_CAUSES[i % INTERRUPTION_CAUSES.length] ?? '', until: far },
      ]),
    ),
    ...(windows.length > 0 && { requests: requestsOf(windows, far), nodeStarts: STARTS }),
  };
}

const STARTS = Object.fromEntries(
  Array.from({ length: MAX_STARTS }, (_, i) => [`9999-12-31T23:59:59Z/abcdef${10 + i}`, 86_400]),
);

/** One of each window that is to come, and as many as are kept of the one with the longest name. */
function requestsOf(windows: Pool['windows'], far: number): NonNullable<HeadroomRecord['requests']> {
  const bytes = ({ name }: { name: string }) => Buffer.byteLength(JSON.stringify(name));
  const longest = [...windows].sort((a, b) => bytes(b) - bytes(a));
  const coming = longest
    .slice(0, MAX_REQUESTED - MAX_BEGUN)
    .map(({ name }) => [`${name}@9999-12-31T23:59:59.999Z`, { at: far, nodes: MAX_STARTS, took: 1_440 }]);
  const begun = Array.from({ length: MAX_BEGUN }, (_, i) => [
    `${longest[0]?.name}@2026-11-17T02:0${i}:00.000Z`,
    { at: far, nodes: MAX_STARTS, took: 1_440, ready: far, why: 'w'.repeat(MAX_WHY) },
  ]);
  return Object.fromEntries([...coming, ...begun]);
}

const texts = fc.constantFrom('a', '"', '\u0000', '\ud800', '한', '\u{1f680}');
const times = fc.constantFrom(Date.parse('2026-11-16T00:00:00Z'), 8_640_000_000_000_000, -8_640_000_000_000_000);
/** What the reader takes for a time: from 1970 until the end of the year 9999. */
const readable = fc.constantFrom(Date.parse('2026-11-16T00:00:00Z'), 0, Date.UTC(9999, 11, 31));

describe('the worst record of a NodePool', () => {
  test('is no larger than worstRecordSize says, whatever its names, overrides and times', () => {
    fc.assert(
      fc.property(pools, texts, times, (pool, text, far) => {
        const written = Buffer.byteLength(writeRecord(fullest(pool, text, far)));
        expect(written).toBeLessThanOrEqual(worstRecordSize(pool));
      }),
      { numRuns: 200, seed: 20261201 },
    );
  });

  test('is read back whole, also with the fields of a newer version, where validate lets the config pass', () => {
    let passed = 0;
    fc.assert(
      fc.property(pools, texts, readable, (pool, text, far) => {
        if (worstRecordSize(pool) > MAX_KNOWN_RECORD) return;
        passed += 1;
        const unknown = { newer: 'x'.repeat(MAX_UNKNOWN - 30) };
        const record = { ...fullest(pool, text, far), unknown };
        expect(readRecord(writeRecord(record))).toEqual({ record });
      }),
      { numRuns: 200, seed: 20261202 },
    );
    expect(passed).toBeGreaterThan(50);
  });
});

test('the worst peaks are those of the event with the longest name, wherever it stands', () => {
  const event = (name: string) => ({ name, bus: 'default', pattern: {}, replicas: 1, earlyMinutes: 0 });
  const pool = (...events: string[]) => ({ windows: [], alarms: [], events: events.map(event) });
  const worst = worstRecordSize(pool('long'.repeat(9)));
  expect(worst).toBeGreaterThan(worstRecordSize(pool('s', 'short')));
  expect(worstRecordSize(pool('long'.repeat(9), 's'))).toBe(worst);
  expect(worstRecordSize(pool('s', 'long'.repeat(9), 'short'))).toBe(worst);
});

describe('what a deploy leaves behind', () => {
  const NOW = Date.parse('2026-11-17T02:00:00Z');
  const poolOf = (text: string) => {
    const [pool] = load(`${CLUSTER}nodePools:\n  web: {max: 500, ${text}}\n`).config.headrooms;
    if (!pool) throw new Error('no pool');
    return pool;
  };
  const long = Array.from({ length: 130 }, (_, i) => `{alarmName: ${'a'.repeat(251)}${1_000 + i}, add: 1}`).join(', ');

  test('never makes a record that cannot be read: surges without interruptions give way to the alarms', () => {
    const [before, after] = [poolOf('interruptions: {max: 500}'), poolOf(`alarms: [${long}]`)];
    const intents = Array.from({ length: 500 }, (_, i) => ({
      kind: 'surge' as const,
      headroom: 'web',
      instanceId: `i-${String(i).padStart(17, '0')}`,
      cause: 'capacityReservation',
      until: NOW + (600 + i) * 1_000,
    }));
    const first = writeRecord(updatedRecord({ pool: before, current: undefined, intents, now: NOW }).record);
    const readings = new Map(after.alarms.map(({ alarmName }) => [alarmName, { state: 'OK' as const, at: NOW }]));
    const next = (text: string) => {
      const live = { replicas: 500, annotations: { [ANNOTATIONS.record]: text, [ANNOTATIONS.decided]: '500' } };
      return writeRecord(updatedRecord({ pool: after, current: live, intents: [], readings, now: NOW }).record);
    };
    const second = next(first);
    const { record, quarantined } = readRecord(second);
    expect(quarantined).toBeUndefined();
    expect(Object.keys(record.alarms)).toHaveLength(130);
    expect(record.surges['i-00000000000000499']).toBeDefined();
    // Nor does the next heartbeat write anything else.
    expect(next(second)).toBe(second);
  });

  test('never makes a record that cannot be read, whatever it consists of', () => {
    const far = Date.UTC(9999, 11, 30);
    const counts = (count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, i) => [
          `${'\u0001'.repeat(58)}${10 + i}@9999-12-30T00:00:00.000Z`,
          { nodes: 100_000, at: far, until: far },
        ]),
      );
    fc.assert(
      fc.property(pools, texts, fc.nat(50), (pool, text, count) => {
        const other = { surge: 1, max: 500, holdSeconds: 600, on: INTERRUPTION_CAUSES };
        const record = { ...fullest({ ...pool, interruptions: other }, text, far), counts: counts(count) };
        const { quarantined } = readRecord(writeRecord(record));
        expect(quarantined).toBeUndefined();
      }),
      { numRuns: 100, seed: 20261203 },
    );
  });
});

describe('validate', () => {
  const alarms = (count: number, length: number) =>
    Array.from({ length: count }, (_, i) => `{alarmName: ${'a'.repeat(length - 4)}${1_000 + i}, add: 1}`).join(', ');
  const config = (count: number, length: number, max: number) =>
    `${CLUSTER}nodePools:\n  web: {max: 9, interruptions: {max: ${max}}, alarms: [${alarms(count, length)}]}\n`;

  test('refuses 120 long alarm names with 500 surges, whose record could not be read again', () => {
    expect(problemsIn(config(120, 255, 500))).toEqual([
      expect.stringMatching(
        /^headroom\.yaml:3:3: nodePools\.web has 120 alarms and up to 500 interruption surges, whose record could take \d+ bytes, more than 57344; write fewer alarms, shorter alarm names or a lower interruptions\.max$/,
      ),
    ]);
  });

  test.each([
    { name: '100 long alarm names', count: 100, length: 255, max: 5 },
    { name: '200 alarms of usual length', count: 200, length: 40, max: 50 },
    { name: '500 surges', count: 10, length: 60, max: 500 },
  ])('accepts $name', ({ count, length, max }) => {
    expect(load(config(count, length, max)).config.headrooms[0]?.alarms).toHaveLength(count);
  });
});

test('no cause of an interruption is longer than the record plans for', () => {
  expect(Math.max(...INTERRUPTION_CAUSES.map((cause) => cause.length))).toBe(MAX_CAUSE);
});
