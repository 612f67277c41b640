import type { AlarmState } from '../../../../shared/core/events/event';
import type { Intent } from '../../../../shared/core/intents/intent';
import { ANNOTATIONS } from '../../../../shared/core/manifests/annotations';
import type { AlarmReading, CurrentHeadroom } from '../../../../shared/core/ports/ports';
import { EMPTY_RECORD, type HeadroomRecord, type Override } from '../../../../shared/core/record/record';
import { writeRecord } from '../../../../shared/core/record/record-codec';
import { configOf } from '../../../fakes/fake-runtime';
import { updatedRecord } from '../../../fakes/updated-record';

const NOW = Date.parse('2026-11-16T03:00:00Z');
const MINUTE = 60_000;

const [web] = configOf('  web: {max: 20, alarms: [{alarmName: a, add: 1}, {alarmName: b, add: 2}]}\n').headrooms;
if (!web) throw new Error('no pool');
const pool = web;

const live = (annotations: Record<string, string>, replicas = 7): CurrentHeadroom => ({
  name: 'headroom-web',
  uid: '1',
  resourceVersion: '1',
  replicas,
  ready: 0,
  labels: {},
  annotations,
  object: {},
});
const holding = (record: Partial<HeadroomRecord>, more: Record<string, string> = {}): CurrentHeadroom =>
  live({ [ANNOTATIONS.record]: writeRecord({ ...EMPTY_RECORD, ...record }), ...more });

const order = (at: number, more: Partial<Override> = {}): Override => ({
  mode: 'atLeast',
  replicas: 3,
  until: NOW + 60 * MINUTE,
  at,
  by: 'ana',
  reason: 'sale',
  ...more,
});
const inflate = (override: Override): Intent => ({ kind: 'override', headroom: 'web', override });
const release = (at: number): Intent => ({ kind: 'release', headroom: 'web', release: { at, by: 'bo' } });

describe('what CloudWatch says', () => {
  const reading = (state: AlarmState, at: number) => new Map<string, AlarmReading>([['a', { state, at }]]);
  const fired: Intent = { kind: 'alarm', headroom: 'web', alarmName: 'a', state: 'ALARM', at: NOW };
  const alarmsAfter = (
    known: Partial<HeadroomRecord>,
    readings: ReadonlyMap<string, AlarmReading> | undefined,
    intents: readonly Intent[] = [],
  ) => updatedRecord({ pool, current: holding(known), intents, readings, now: NOW }).record.alarms;

  test('is recorded for every configured alarm, and for no other', () => {
    const readings = new Map([...reading('ALARM', NOW), ['other', { state: 'ALARM', at: NOW }]] as const);
    expect(alarmsAfter({}, readings)).toStrictEqual({ a: { state: 'ALARM', at: NOW } });
  });

  test('is missing where it was not asked: the recorded states stay', () => {
    const known = { a: { state: 'ALARM' as const, at: NOW - 1 } };
    expect(alarmsAfter({ alarms: known }, undefined)).toStrictEqual(known);
  });

  test('an alarm that is gone counts as OK from now on', () => {
    const known = { a: { state: 'ALARM' as const, at: NOW - 9 }, b: { state: 'OK' as const, at: NOW - 9 } };
    expect(alarmsAfter({ alarms: known }, new Map())).toStrictEqual({
      a: { state: 'OK', at: NOW - 9, ended: NOW },
      b: { state: 'OK', at: NOW - 9 },
    });
  });

  test('an alarm that was gone and is read again in its old state is in ALARM again', () => {
    const known = { a: { state: 'OK' as const, at: NOW - 9, ended: NOW - 5 } };
    expect(alarmsAfter({ alarms: known }, reading('ALARM', NOW - 9)).a?.state).toBe('ALARM');
  });

  test.each([
    {
      name: 'a state that lies a minute ahead still counts over a reading',
      at: NOW + MINUTE,
      after: { state: 'ALARM', at: NOW + MINUTE },
    },
    { name: 'a state that lies further ahead does not', at: NOW + MINUTE + 1, after: { state: 'OK', at: NOW - 1 } },
  ])('$name', ({ at, after }) => {
    const known = { a: { state: 'ALARM' as const, at } };
    expect(alarmsAfter({ alarms: known }, reading('OK', NOW - 1))).toStrictEqual({ a: after });
  });

  test('a state that lies ahead stays where CloudWatch was not asked, or says nothing of that alarm', () => {
    const known = { a: { state: 'ALARM' as const, at: NOW + 60 * MINUTE } };
    expect(alarmsAfter({ alarms: known }, undefined)).toStrictEqual(known);
    expect(alarmsAfter({ alarms: known }, new Map()).a).toMatchObject({ state: 'OK', ended: NOW });
  });

  test('counts over an event whose time was not believed', () => {
    const doubtful: Intent = { ...fired, doubtful: true };
    expect(alarmsAfter({}, reading('OK', NOW - 1), [doubtful])).toStrictEqual({ a: { state: 'OK', at: NOW - 1 } });
    expect(alarmsAfter({}, reading('OK', NOW - 1), [fired]).a).toMatchObject({ state: 'ALARM' });
  });

  test.each([
    { name: 'CloudWatch was not asked', readings: undefined },
    { name: 'CloudWatch does not know the alarm', readings: new Map<string, AlarmReading>() },
  ])('such an event counts where $name', ({ readings }) => {
    expect(alarmsAfter({}, readings, [{ ...fired, doubtful: true }])).toStrictEqual({ a: { state: 'ALARM', at: NOW } });
  });
});

describe('what is held while part of the record cannot be read', () => {
  const { record, quarantined, decided } = ANNOTATIONS;
  const now = NOW;

  test.each([
    { name: 'nothing where there is no headroom yet', found: undefined, held: 0 },
    { name: 'nothing where all can be read', found: live({ [record]: '{"v":1}', [decided]: '9' }), held: 0 },
    {
      name: 'the decided size, not the live one',
      found: live({ [record]: '{oops', [decided]: '9' }),
      held: 9,
      unread: '{oops',
    },
    { name: 'a decided 0', found: live({ [record]: '{oops', [decided]: '0' }), held: 0, unread: '{oops' },
    { name: 'the live size where none was decided', found: live({ [record]: '{oops' }), held: 7, unread: '{oops' },
    {
      name: 'the live size where the decided one is no size',
      found: live({ [record]: '{oops', [decided]: '-1' }),
      held: 7,
      unread: '{oops',
    },
    {
      name: 'the live size where the decided one is no whole number',
      found: live({ [record]: '{oops', [decided]: '2.5' }),
      held: 7,
      unread: '{oops',
    },
    {
      name: 'also what was set aside earlier',
      found: holding({}, { [quarantined]: 'old', [decided]: '9' }),
      held: 9,
      unread: 'old',
    },
    {
      name: 'by what cannot be read now rather than what was set aside earlier',
      found: live({ [record]: '{oops', [quarantined]: 'old', [decided]: '9' }),
      held: 9,
      unread: '{oops',
    },
  ])('is $name', ({ found, held, unread }) => {
    expect(updatedRecord({ pool, current: found, now })).toStrictEqual({
      pool,
      record: EMPTY_RECORD,
      droppedPeaks: [],
      quarantined: unread,
      held: unread === undefined ? undefined : { replicas: held },
    });
  });

  const broken = holding({ override: order(NOW) }, { [quarantined]: 'old', [decided]: '9' });

  test.each([
    { name: 'a release takes over', intents: [release(NOW + 1)], held: 0 },
    { name: 'a pin takes over', intents: [inflate(order(NOW + 1, { mode: 'exactly' }))], held: 0 },
    { name: 'an override of at least so many does not', intents: [inflate(order(NOW + 1))], held: 9 },
    { name: 'a release that comes late does not', intents: [release(NOW - 1)], held: 9 },
    { name: 'a pin that comes late does not', intents: [inflate(order(NOW - 1, { mode: 'exactly' }))], held: 9 },
  ])('$name', ({ intents, held }) => {
    const after = updatedRecord({ pool, current: broken, intents, now });
    expect([after.held?.replicas ?? 0, after.quarantined]).toEqual([held, held === 0 ? undefined : 'old']);
  });
});

describe('what became of an override', () => {
  const outcome = (known: Partial<HeadroomRecord>, intents: readonly Intent[]) => {
    const { replaced, supersededBy } = updatedRecord({ pool, current: holding(known), intents, now: NOW });
    return { ...(replaced && { replaced }), ...(supersededBy && { supersededBy }) };
  };
  const standing = order(NOW - 5);
  const surge: Intent = { kind: 'surge', headroom: 'web', instanceId: 'i-1', cause: 'spot', until: NOW + 1 };

  test.each([
    { name: 'nothing without an override', known: { override: standing }, intents: [surge], after: {} },
    { name: 'nothing for the first order', known: {}, intents: [inflate(order(NOW))], after: {} },
    {
      name: 'an override that it replaced',
      known: { override: standing },
      intents: [inflate(order(NOW))],
      after: { replaced: standing },
    },
    {
      name: 'an override that it released',
      known: { override: standing },
      intents: [surge, release(NOW)],
      after: { replaced: standing },
    },
    {
      name: 'nothing replaced where the override was over',
      known: { override: order(NOW - 5, { until: NOW }) },
      intents: [release(NOW)],
      after: {},
    },
    {
      name: 'nothing replaced where the order finds itself',
      known: { override: standing },
      intents: [inflate(standing)],
      after: {},
    },
    {
      name: 'the newer override that stands instead',
      known: { override: standing },
      intents: [inflate(order(NOW - 9))],
      after: { supersededBy: { override: standing } },
    },
    {
      name: 'the newer release that stands instead',
      known: { released: { at: NOW - 5, by: 'bo' } },
      intents: [inflate(order(NOW - 9))],
      after: { supersededBy: { released: { at: NOW - 5, by: 'bo' } } },
    },
    {
      name: 'the newest where several come together',
      known: { override: standing },
      intents: [inflate(order(NOW - 9)), inflate(order(NOW))],
      after: { replaced: standing },
    },
    {
      name: 'nothing replaced where one of several finds itself',
      known: { override: standing },
      intents: [inflate(standing), inflate(order(NOW))],
      after: {},
    },
  ])('is $name', ({ known, intents, after }) => {
    expect(outcome(known, intents)).toStrictEqual(after);
  });
});
