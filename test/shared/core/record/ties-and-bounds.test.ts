import type { Intent } from '../../../../shared/core/intents/intent';
import { mergeIntent } from '../../../../shared/core/intents/newest-wins';
import { ANNOTATIONS } from '../../../../shared/core/manifests/annotations';
import type { CurrentHeadroom } from '../../../../shared/core/ports/ports';
import { pruneRecord } from '../../../../shared/core/record/prune-record';
import { EMPTY_RECORD, type Override } from '../../../../shared/core/record/record';
import { readRecord } from '../../../../shared/core/record/record-codec';
import { configOf } from '../../../fakes/fake-runtime';
import { updatedRecord } from '../../../fakes/updated-record';

const NOW = Date.parse('2026-11-16T03:00:00Z');
const [web] = configOf('  web: {max: 20}\n').headrooms;
if (!web) throw new Error('no pool');
const pool = web;

const pin = (at: number, more: Partial<Override> = {}): Override => ({
  mode: 'exactly',
  replicas: 3,
  until: NOW + 3_600_000,
  at,
  by: 'ana',
  reason: 'sale',
  ...more,
});

test('a surge that ends later keeps its cause, whichever sorts last', () => {
  const surge = (cause: string, until: number): Intent => ({
    kind: 'surge',
    headroom: 'web',
    instanceId: 'i-1',
    cause,
    until,
  });
  const [long, short] = [surge('health', NOW + 2), surge('spot', NOW + 1)];
  for (const order of [
    [long, short],
    [short, long],
  ])
    expect(order.reduce(mergeIntent, EMPTY_RECORD).surges).toEqual({ 'i-1': { cause: 'health', until: NOW + 2 } });
});

test.each([
  {
    name: 'stands until a moment before its end',
    until: NOW + 1,
    after: { override: pin(NOW - 9, { until: NOW + 1 }) },
  },
  { name: 'is over at its end, and leaves the time of its order', until: NOW, after: { released: { at: NOW - 9 } } },
])('an override $name', ({ until, after }) => {
  const record = { ...EMPTY_RECORD, override: pin(NOW - 9, { until }) };
  expect(pruneRecord(record, pool, NOW)).toStrictEqual({ ...EMPTY_RECORD, ...after });
});

describe('a time in the record', () => {
  const read = (until: string) =>
    readRecord(JSON.stringify({ v: 1, surges: { 'i-1': { cause: 'spot', until } } })).record.surges;

  test.each([
    { name: '1970 begins', until: '1970-01-01T00:00:00.000Z' },
    { name: 'the last day of the year 9999 begins', until: '9999-12-31T00:00:00.000Z' },
  ])('counts when $name', ({ until }) => {
    expect(read(until)).toEqual({ 'i-1': { cause: 'spot', until: Date.parse(until) } });
  });

  test.each([
    { name: 'before 1970', until: '1969-12-31T23:59:59.999Z' },
    { name: 'later than that', until: '9999-12-31T00:00:00.001Z' },
  ])('does not count when it is $name', ({ until }) => {
    expect(read(until)).toEqual({});
  });
});

test('nothing is held any longer where the last of several orders is a pin', () => {
  const current: CurrentHeadroom = {
    name: 'headroom-web',
    uid: '1',
    resourceVersion: '1',
    replicas: 7,
    ready: 0,
    labels: {},
    annotations: { [ANNOTATIONS.record]: '{oops' },
    object: {},
  };
  const intents = [pin(NOW - 1), pin(NOW)].map((override): Intent => ({ kind: 'override', headroom: 'web', override }));
  const { held, quarantined } = updatedRecord({ pool, current, intents, now: NOW });
  expect({ held, quarantined }).toEqual({});
});
