import fc from 'fast-check';
import { decide } from '../../shared/core/decision/decide';
import { nextDecision } from '../../shared/core/decision/next-decision';
import { ANNOTATIONS } from '../../shared/core/manifests/annotations';
import { readRecord, writeRecord } from '../../shared/core/record/record-codec';
import { recordIntents } from '../../shared/core/record/record-intents';
import { configOf } from '../fakes/fake-service';
import { damaged, FUZZ_TIMEOUT_MS, fuzz, textOf } from './fuzz';
import { spoiled, textOfHostile } from './hostile';

jest.setTimeout(FUZZ_TIMEOUT_MS);

const NOW = Date.parse('2026-11-16T03:00:00Z');
const ISO = '2026-11-16T03:30:00.000Z';
const config = configOf(
  '  web: {max: 9, base: 1, alarms: [{alarmName: a, add: 2}, {alarmName: constructor, add: 1}], interruptions: {surge: 1}}\n',
);
const RECORD = {
  v: 1,
  override: { mode: 'atLeast', replicas: 4, until: ISO, at: '2026-11-16T02:00:00.000Z', by: 'ana', reason: 'sale' },
  alarms: {
    a: { state: 'OK', at: '2026-11-16T02:58:00.000Z', ended: '2026-11-16T02:58:00.000Z' },
    constructor: { state: 'ALARM', at: '2026-11-16T02:58:00.000Z' },
  },
  surges: { 'i-1': { cause: 'spot', until: ISO }, 'i-2': { cause: 'rebalance', until: ISO } },
  plans: { lunch: { count: 3 } },
};
const RELEASED = { ...RECORD, override: undefined, released: { at: '2026-11-16T02:00:00.000Z', by: 'bo' } };
const PIECES = ['"', '{', '}', '[', ']', ',', ':', 'null', '1e400', '"v":2', '"__proto__":1', '\\u0000', ISO];

const anyRecord = fc.oneof(
  { weight: 4, arbitrary: fc.oneof(spoiled(RECORD), spoiled(RELEASED)).map(textOfHostile) },
  { weight: 2, arbitrary: damaged(JSON.stringify(RECORD), PIECES) },
  textOf(PIECES),
);

test('any annotation is read, leads to a size within its bounds, and is written so that it can be read again', () => {
  let whole = 0;
  fuzz(anyRecord, (text) => {
    if (readRecord(text).quarantined === undefined) whole += 1;
    for (const pool of config.nodePools) {
      const live = {
        name: 'headroom-web',
        uid: 'u',
        resourceVersion: '1',
        replicas: 500,
        ready: 0,
        labels: {},
        annotations: { [ANNOTATIONS.record]: text, [ANNOTATIONS.decided]: '7' },
        object: {},
      };
      const { record, held, quarantined = '' } = recordIntents({ pool, live, intents: [], now: NOW });
      const { replicas, reasons } = decide({ pool, record, now: NOW, held });
      expect(replicas).toBeGreaterThanOrEqual(0);
      expect(replicas).toBeLessThanOrEqual(pool.max);
      expect(reasons.join().length + quarantined.length).toBeLessThan(150_000);
      expect(nextDecision({ pool, record, now: NOW, held })?.replicas).not.toBe(replicas);
      expect(readRecord(writeRecord(record))).toEqual({ record });
    }
  });
  expect(whole).toBeGreaterThan(50);
});
