import fc from 'fast-check';
import { decide } from '../../shared/core/decision/decide';
import { nextDecision } from '../../shared/core/decision/next-decision';
import { ANNOTATIONS } from '../../shared/core/manifests/annotations';
import { requestedOccurrences } from '../../shared/core/occurrences/requests';
import { readRecord, writeRecord } from '../../shared/core/record/record-codec';
import { occurrenceText } from '../../shared/drawing/occurrence-text';
import { configOf } from '../fakes/fake-runtime';
import { updatedRecord } from '../fakes/updated-record';
import { damaged, fuzz, RUNS, textOf } from './fuzz';
import { spoiled, textOfHostile } from './hostile';

const NOW = Date.parse('2026-11-16T03:00:00Z');
const ISO = '2026-11-16T03:30:00.000Z';
const window = (name: string, size: string) =>
  `{name: ${name}, timezone: UTC, start: 0 1-4 * * *, end: 30 1-4 * * *, ${size}}`;
const config = configOf(`
  web: {max: 9, base: 1, alarms: [{alarmName: a, add: 2}, {alarmName: constructor, add: 1}], interruptions: {surge: 1}}
  auto: {max: 9, leadTime: auto, schedules: [${window('lunch', 'desiredReplicas: 3')}, ${window('__proto__', 'desiredReplicas: 2')}]}
`);
const [floor] = configOf(
  `  floor: {max: 9, unit: {floor: {cpu: 4}}, leadTime: auto, schedules: [${window('lunch', 'addNodes: 3')}]}\n`,
).headrooms;
const RECORD = {
  v: 1,
  override: { mode: 'atLeast', replicas: 4, until: ISO, at: '2026-11-16T02:00:00.000Z', by: 'ana', reason: 'sale' },
  alarms: {
    a: { state: 'OK', at: '2026-11-16T02:58:00.000Z', ended: '2026-11-16T02:58:00.000Z' },
    constructor: { state: 'ALARM', at: '2026-11-16T02:58:00.000Z' },
  },
  surges: { 'i-1': { cause: 'spot', until: ISO }, 'i-2': { cause: 'rebalance', until: ISO } },
  counts: { 'lunch@2026-11-16T03:00:00.000Z': { nodes: 3, at: ISO, until: ISO } },
  requests: {
    'lunch@2026-11-16T02:00:00.000Z': { at: ISO, nodes: 5, took: 3, ready: ISO, why: 'no node is starting' },
    'lunch@2026-11-16T04:00:00.000Z': { at: '2026-11-16T02:59:00.000Z', nodes: 5, took: 3 },
    '__proto__@2026-11-16T03:00:00.000Z': { at: ISO },
    lunch: { at: ISO },
  },
  nodeStarts: { '2026-11-16T01:00:00Z/0a1b2c3d': 73, '2026-11-16T01:00:01Z/0a1b2c3e': 86400 },
  plans: { lunch: { count: 3 } },
};
const RELEASED = { ...RECORD, override: undefined, released: { at: '2026-11-16T02:00:00.000Z', by: 'bo' } };
const PIECES = ['"', '{', '}', '[', ']', ',', ':', 'null', '1e400', '"v":2', '"__proto__":1', '\\u0000', ISO];

const currentWith = (text: string) => ({
  name: 'headroom-web',
  uid: 'u',
  resourceVersion: '1',
  replicas: 500,
  ready: 0,
  labels: {},
  annotations: { [ANNOTATIONS.record]: text, [ANNOTATIONS.decided]: '7' },
  object: {},
});

const anyRecord = fc.oneof(
  { weight: 4, arbitrary: fc.oneof(spoiled(RECORD), spoiled(RELEASED)).map(textOfHostile) },
  { weight: 2, arbitrary: damaged(JSON.stringify(RECORD), PIECES) },
  textOf(PIECES),
);

test('any annotation is read, leads to a size within its bounds, and is written so that it can be read again', () => {
  let whole = 0;
  fuzz(anyRecord, (text) => {
    if (readRecord(text).quarantined === undefined) whole += 1;
    for (const pool of config.headrooms) {
      const {
        record,
        held,
        quarantined = '',
      } = updatedRecord({ pool, current: currentWith(text), intents: [], now: NOW });
      const { replicas, reasons } = decide({ pool, record, now: NOW, held });
      expect(replicas).toBeGreaterThanOrEqual(0);
      expect(replicas).toBeLessThanOrEqual(pool.max);
      expect(reasons.join().length + quarantined.length).toBeLessThan(150_000);
      expect(nextDecision({ pool, record, now: NOW, held })?.replicas).not.toBe(replicas);
      expect(readRecord(writeRecord(record))).toEqual({ record });
      for (const occurrence of requestedOccurrences(record, pool.windows))
        expect(occurrenceText(occurrence, { windows: pool.windows, now: NOW })).toMatch(/^Nodes (are|were) /);
    }
  });
  expect(whole).toBeGreaterThan(RUNS / 20);
});

test('any annotation of a floor leads to a size of at most a count and max, and is written so that it can be read again', () => {
  if (!floor) throw new Error('no pool');
  fuzz(anyRecord, (text) => {
    const { record, held } = updatedRecord({ pool: floor, current: currentWith(text), intents: [], now: NOW });
    const counts = [
      ...Object.values(record.counts ?? {}),
      ...(record.override?.counted ? [record.override.counted] : []),
    ];
    const most = Math.max(held?.replicas ?? 0, floor.max + Math.max(0, ...counts.map(({ nodes }) => nodes)));
    const { replicas } = decide({ pool: floor, record, now: NOW, held });
    expect(replicas).toBeGreaterThanOrEqual(held?.replicas ?? 0);
    expect(replicas).toBeLessThanOrEqual(most);
    expect(nextDecision({ pool: floor, record, now: NOW, held })?.at ?? NOW + 1).toBeGreaterThan(NOW);
    expect(readRecord(writeRecord(record))).toEqual({ record });
  });
});
