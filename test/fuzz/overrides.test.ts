import fc from 'fast-check';
import { PermanentError } from '../../shared/core/basics/errors';
import { parseOverride } from '../../shared/core/events/parse-override';
import { overrideIntents } from '../../shared/core/intents/override-intents';
import { readRecord, writeRecord } from '../../shared/core/record/record-codec';
import { configOf } from '../fakes/fake-runtime';
import { updatedRecord } from '../fakes/updated-record';
import { fuzz, RUNS } from './fuzz';
import { hostileValue, received, spoiled } from './hostile';

const NOW = Date.parse('2026-11-16T03:00:00Z');
const DAY = 86_400_000;
const config = configOf('  web: {max: 9}\n  ci: {max: 3}\n');
const SAMPLES = [
  { headroom: 'web', atLeast: 6, for: '30m', reason: 'flash sale', by: 'ana' },
  { headroom: '*', exactly: 0, until: '2026-11-16T09:30:00Z', at: '2026-11-16T02:59:00Z' },
  { headroom: 'ci', release: true, by: 'ana', at: '2026-11-16T02:59:00+00:00' },
];

const anyOverride = fc.oneof(
  { weight: 8, arbitrary: fc.oneof(...SAMPLES.map(spoiled)) },
  fc.dictionary(fc.constantFrom('headroom', 'atLeast', 'exactly', 'for', 'until', 'at', 'release', 'x'), hostileValue),
  hostileValue,
);

test('any override is taken within its bounds, or refused in one short sentence', () => {
  let taken = 0;
  fuzz(anyOverride, (raw) => {
    try {
      const event = parseOverride(received(raw), NOW);
      const intents = overrideIntents(event, config);
      for (const pool of config.headrooms) {
        const own = intents.filter(({ headroom }) => headroom === pool.name);
        const { record } = updatedRecord({ pool, current: undefined, intents: own, now: NOW });
        const { override } = record;
        expect(override?.until ?? NOW + 1).toBeGreaterThan(NOW);
        expect(override?.until ?? NOW).toBeLessThanOrEqual(NOW + DAY + 60_000);
        expect(override?.replicas ?? 0).toBeLessThanOrEqual(pool.max);
        expect(readRecord(writeRecord(record))).toEqual({ record });
      }
      taken += 1;
    } catch (error) {
      if (!(error instanceof PermanentError)) throw error;
      expect(error.message.length).toBeLessThan(800);
    }
  });
  expect(taken).toBeGreaterThan(RUNS / 20);
});
