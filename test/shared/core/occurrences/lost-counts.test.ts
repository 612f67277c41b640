import fc from 'fast-check';
import type { HeadroomConfig } from '../../../../shared/core/config/config';
import { decide } from '../../../../shared/core/decision/decide';
import type { Intent } from '../../../../shared/core/intents/intent';
import { ANNOTATIONS } from '../../../../shared/core/manifests/annotations';
import { isUncounted, withCount } from '../../../../shared/core/occurrences/occurrences';
import type { AlarmReading } from '../../../../shared/core/ports/ports';
import { readRecord, writeRecord } from '../../../../shared/core/record/record-codec';
import { configOf } from '../../../fakes/fake-runtime';
import { updatedRecord } from '../../../fakes/updated-record';

const NOON = Date.parse('2026-11-16T12:00:00Z');
const MINUTE = 60_000;
type Annotations = Readonly<Record<string, string>>;
type Losses = Readonly<Record<string, (annotations: Annotations) => Annotations>>;

/** Every way in which a count gets lost. */
const LOSSES: Losses = {
  'a removed record': ({ [ANNOTATIONS.record]: _record, ...rest }) => rest,
  'a removed record and decided size': ({ [ANNOTATIONS.record]: _record, [ANNOTATIONS.decided]: _decided, ...rest }) =>
    rest,
  'no annotation left': () => ({}),
  'an unreadable record': (annotations) => ({ ...annotations, [ANNOTATIONS.record]: 'nonsense' }),
  'unreadable counts': (annotations) => {
    const record = JSON.parse(annotations[ANNOTATIONS.record] ?? '{}');
    return { ...annotations, [ANNOTATIONS.record]: JSON.stringify({ ...record, counts: 'nonsense' }) };
  },
};

/** One headroom of a floor, whose nodes follow its size at once. */
class Floor {
  annotations: Annotations | undefined;
  replicas = 0;
  /** Who set the size last, if not Headstart. */
  scaledBy: string | undefined;
  now = NOON;
  nodes: number;
  /** The highest number of nodes that was ever counted. */
  mostCounted = 0;
  readings = new Map<string, AlarmReading>();

  constructor(
    readonly pool: HeadroomConfig,
    readonly trueCount: number,
  ) {
    this.nodes = trueCount;
  }

  step(intents: readonly Intent[] = []): number {
    const { annotations, replicas, scaledBy, readings, now } = this;
    const current = annotations && { annotations, replicas, ...(scaledBy && { scaledBy }) };
    const { pool, record, held, quarantined } = updatedRecord({
      pool: this.pool,
      current,
      intents,
      readings,
      now,
    });
    const counts = isUncounted(record, pool, now);
    const counted = counts ? withCount(record, pool, now, this.nodes) : record;
    if (counts) this.mostCounted = Math.max(this.mostCounted, this.nodes);
    this.replicas = decide({ pool, record: counted, now, held }).replicas;
    this.scaledBy = undefined;
    this.nodes = Math.max(this.nodes, this.replicas);
    const text = writeRecord(counted);
    expect(readRecord(text)).toEqual({ record: counted });
    this.annotations = {
      [ANNOTATIONS.record]: text,
      [ANNOTATIONS.decided]: String(this.replicas),
      ...(quarantined !== undefined && { [ANNOTATIONS.quarantined]: quarantined }),
    };
    return this.replicas;
  }

  lose(loss: keyof typeof LOSSES): void {
    this.annotations = LOSSES[loss]?.(this.annotations ?? {});
  }

  scale(replicas: number): void {
    Object.assign(this, { replicas, scaledBy: 'kubectl' });
  }
}

const window = (name: string, hours: string, size: string) =>
  `{name: ${name}, timezone: UTC, start: 0 ${hours.split('-')[0]} * * *, end: 0 ${hours.split('-')[1]} * * *, ${size}}`;
const poolOf = (max: number, schedules: readonly string[], add = 5) => {
  const text = `  web: {max: ${max}, leadTime: 2m, unit: {floor: {cpu: 4}}, schedules: [${schedules.join(', ')}], alarms: [{alarmName: a, add: ${add}, hold: 3m}], interruptions: {surge: 2, max: 6, hold: 3m}}\n`;
  return configOf(text).headrooms[0] as HeadroomConfig;
};
const surge = (id: number, now: number): Intent => ({
  ...{ kind: 'surge', headroom: 'web', instanceId: `i-${id}`, cause: 'spot', until: now + 3 * MINUTE },
});
const override = (mode: 'addNodes' | 'atLeast', replicas: number, at: number): Intent => ({
  ...{ kind: 'override', headroom: 'web' },
  override: { mode, replicas, at, until: at + 4 * MINUTE, by: 'ana', reason: 'sale' },
});

test.each(Object.keys(LOSSES))('a count lost with %s every minute of an alarm does not add the boost again', (loss) => {
  const floor = new Floor(poolOf(12, [window('lunch', '12-14', 'addNodes: 5')]), 5);
  floor.step();
  floor.readings.set('a', { state: 'ALARM', at: NOON });
  const sizes = [floor.step()];
  for (let minute = 1; minute <= 10; minute += 1) {
    floor.now += MINUTE;
    floor.lose(loss);
    sizes.push(floor.step());
  }
  expect(sizes).toEqual(Array(11).fill(15));
});

test.each(Object.keys(LOSSES))('a floor above max keeps its size when its count is lost with %s', (loss) => {
  const floor = new Floor(poolOf(12, [window('lunch', '12-14', 'addNodes: 5')]), 50);
  expect(floor.step()).toBe(55);
  floor.lose(loss);
  expect(floor.step()).toBe(55);
});

test('a size that was set by hand is no count, although everything that was recorded is lost', () => {
  const floor = new Floor(poolOf(12, [window('lunch', '12-14', 'addNodes: 5')]), 5);
  floor.step();
  floor.lose('no annotation left');
  floor.scale(500);
  expect(floor.step()).toBe(12);
});

test('a count that was lost is the same whichever of two windows is first', () => {
  const windows = [window('small', '12-14', 'addNodes: 2'), window('large', '12-14', 'addNodes: 6')];
  for (const schedules of [windows, windows.toReversed()]) {
    const floor = new Floor(poolOf(12, schedules), 5);
    floor.step();
    floor.lose('a removed record');
    floor.step();
    const { counts = {} } = readRecord(floor.annotations?.[ANNOTATIONS.record]).record;
    expect(Object.values(counts).map(({ nodes }) => nodes)).toEqual([5, 5]);
  }
});

test('a boost after a loss is added, up to the larger of max and what was decided before', () => {
  const floor = new Floor(poolOf(9, [window('lunch', '12-14', 'addNodes: 3')]), 2);
  expect(floor.step()).toBe(5);
  floor.lose('a removed record');
  expect(floor.step()).toBe(5);
  floor.readings.set('a', { state: 'ALARM', at: NOON });
  expect(floor.step([surge(1, NOON)])).toBe(9);
  expect(JSON.parse(floor.annotations?.[ANNOTATIONS.record] ?? '').counts).toMatchObject({
    'lunch@2026-11-16T12:00:00.000Z': { nodes: 2, assumed: 9 },
  });
});

type Step = 'lose' | 'scale' | 'minute' | 'alarm' | 'ok' | 'surge' | 'addNodes' | 'atLeast';
const anyStep = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant<Step>('lose'), loss: fc.constantFrom(...Object.keys(LOSSES)) }) },
  fc.record({
    do: fc.constantFrom<Step[]>('scale', 'minute', 'alarm', 'ok', 'surge', 'addNodes', 'atLeast'),
    loss: fc.constant(''),
  }),
);
const anyPool = fc
  .record({
    max: fc.integer({ min: 4, max: 12 }),
    adds: fc.array(fc.tuple(fc.constantFrom('12-14', '11-13', '12-13'), fc.integer({ min: 1, max: 4 })), {
      minLength: 1,
      maxLength: 3,
    }),
    absolute: fc.integer({ min: 0, max: 4 }),
    add: fc.integer({ min: 1, max: 4 }),
  })
  .map(({ max, adds, absolute, add }) =>
    poolOf(
      max,
      [
        ...adds.map(([hours, nodes], index) => window(`w${index}`, hours, `addNodes: ${nodes}`)),
        ...(absolute > 0 ? [window('fixed', '12-14', `desiredReplicas: ${absolute}`)] : []),
      ],
      add,
    ),
  );

/** Whoever scales by hand may also lose what was recorded. */
function happen(floor: Floor, { do: what, loss }: { do: Step; loss: string }, index: number): Intent[] {
  if (what === 'lose') floor.lose(loss);
  else if (what === 'scale') floor.scale(500);
  else floor.now += MINUTE;
  if (what === 'scale' && index % 2 === 0) floor.lose('no annotation left');
  if (what === 'alarm') floor.readings.set('a', { state: 'ALARM', at: floor.now });
  if (what === 'ok') floor.readings.set('a', { state: 'OK', at: floor.now });
  if (what === 'surge') return [surge(index, floor.now)];
  return what === 'addNodes' || what === 'atLeast' ? [override(what, 2, floor.now)] : [];
}

test('losing counts, however often and whatever else is asked, never makes a floor larger than a count and max, nor larger by itself', () => {
  fc.assert(
    fc.property(
      anyPool,
      fc.integer({ min: 0, max: 20 }),
      fc.array(anyStep, { maxLength: 30 }),
      (pool, trueCount, steps) => {
        const floor = new Floor(pool, trueCount);
        floor.step();
        for (const [index, step] of steps.entries()) {
          const before = floor.replicas;
          const size = floor.step(happen(floor, step, index));
          if (step.do === 'lose') expect(size).toBeLessThanOrEqual(before);
          expect(size).toBeLessThanOrEqual(floor.mostCounted + pool.max);
        }
      },
    ),
    { numRuns: 500, seed: 20_261_118 },
  );
});
