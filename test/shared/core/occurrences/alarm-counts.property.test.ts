import fc from 'fast-check';
import type { HeadroomConfig } from '../../../../shared/core/config/config';
import { decide } from '../../../../shared/core/decision/decide';
import type { Intent } from '../../../../shared/core/intents/intent';
import { ANNOTATIONS } from '../../../../shared/core/manifests/annotations';
import { isUncounted, withCount } from '../../../../shared/core/occurrences/occurrences';
import type { AlarmReading } from '../../../../shared/core/ports/ports';
import { writeRecord } from '../../../../shared/core/record/record-codec';
import { configOf } from '../../../fakes/fake-runtime';
import { updatedRecord } from '../../../fakes/updated-record';

const NOON = Date.parse('2026-11-16T12:00:00Z');
const MINUTE = 60_000;
/** Karpenter removes a node that no floor keeps and no work uses after at most this long. */
const REMOVED_WITHIN = 55;

const [pool = fail()] = configOf(`
  web:
    max: 6
    leadTime: 2m
    unit: {floor: {cpu: 4}}
    schedules: [{name: noon, timezone: UTC, start: 0 */3 * * *, end: 40 */3 * * *, addNodes: 3}]
    alarms: [{alarmName: a, addNodes: 2, hold: 5m}, {alarmName: b, addNodes: 4, hold: 12m}, {alarmName: c, add: 1, hold: 2m}]
`).headrooms;

function fail(): never {
  throw new Error('no pool');
}

interface Turn {
  readonly minutes: number;
  readonly alarm: 'a' | 'b' | 'c' | undefined;
  readonly work: number;
  readonly removedAfter: number;
}

const turns: fc.Arbitrary<readonly Turn[]> = fc.array(
  fc.record({
    minutes: fc.integer({ min: 1, max: 40 }),
    alarm: fc.constantFrom('a', 'b', 'c', undefined),
    work: fc.integer({ min: 0, max: 12 }),
    removedAfter: fc.integer({ min: 0, max: REMOVED_WITHIN }),
  }),
  { minLength: 5, maxLength: 40 },
);

/** The size at each minute, and how many nodes work needed then. */
function live(history: readonly Turn[], config: HeadroomConfig): { size: number; work: number }[] {
  const readings = new Map<string, AlarmReading>();
  let [annotations, replicas, now]: [Record<string, string> | undefined, number, number] = [undefined, 0, NOON];
  const seen: { size: number; work: number }[] = [];
  /** Until when each node that the floor no longer keeps is still there. */
  let leaving: number[] = [];
  for (const { minutes, alarm, work, removedAfter } of history) {
    if (alarm) readings.set(alarm, { state: readings.get(alarm)?.state === 'ALARM' ? 'OK' : 'ALARM', at: now });
    for (let minute = 0; minute < minutes; minute += 1) {
      leaving = leaving.filter((until) => until > now);
      const nodes = Math.max(work, replicas) + leaving.length;
      const current = annotations && { annotations, replicas };
      const intents: Intent[] = [];
      const { pool: effective, record } = updatedRecord({ pool: config, current, intents, readings, now });
      const counted = isUncounted(record, effective, now) ? withCount(record, effective, now, nodes) : record;
      const size = decide({ pool: effective, record: counted, now }).replicas;
      const spare = Math.max(0, nodes - leaving.length - Math.max(work, size));
      leaving.push(...Array<number>(spare).fill(now + removedAfter * MINUTE));
      annotations = { [ANNOTATIONS.record]: writeRecord(counted), [ANNOTATIONS.decided]: String(size) };
      replicas = size;
      seen.push({ size, work });
      now += MINUTE;
    }
  }
  return seen;
}

test('however alarms flap and Karpenter dawdles, no floor exceeds the most nodes that work has needed, and max', () => {
  const alarmsOnly = { ...pool, windows: [] };
  fc.assert(
    fc.property(turns, (history) => {
      let most = 0;
      for (const { size, work } of live(history, alarmsOnly)) {
        most = Math.max(most, work);
        expect(size).toBeLessThanOrEqual(most + pool.max);
      }
    }),
    { seed: 35, numRuns: 25 },
  );
});

test('nor with windows, where Karpenter has removed their nodes before the next one is requested', () => {
  fc.assert(
    fc.property(turns, (history) => {
      const prompt = history.map((turn) => ({ ...turn, removedAfter: 0 }));
      let most = 0;
      for (const { size, work } of live(prompt, pool)) {
        most = Math.max(most, work);
        expect(size).toBeLessThanOrEqual(most + pool.max);
      }
    }),
    { seed: 35, numRuns: 25 },
  );
});
