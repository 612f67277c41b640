import { decide } from '../../../../shared/core/decision/decide';
import { planNodePool } from '../../../../shared/core/decision/plan';
import { withPeaks } from '../../../../shared/core/intents/announced';
import { EMPTY_RECORD, type HeadroomRecord, type RequestRecord } from '../../../../shared/core/record/record';
import { configOf } from '../../../fakes/fake-runtime';
import { golden } from '../../../golden/golden';

const said = golden(`${__dirname}/reasons.txt`);
const utc = (time: string) => Date.parse(`2026-11-17T${time}:00Z`);
const LUNCH = '{name: lunch, timezone: UTC, start: 0 12 * * *, end: 0 14 * * *';
const poolOf = (lines: string) => {
  const [pool] = configOf(`  web: {max: 30, ${lines}}\n`).headrooms;
  if (!pool) throw new Error('no pool');
  return pool;
};
const reasonsAt = (lines: string, time: string, record: Partial<HeadroomRecord> = {}) => {
  const pool = poolOf(lines);
  return decide({ pool: withPeaks(pool, record), record: { ...EMPTY_RECORD, ...record }, now: utc(time) }).reasons;
};

describe('a window says when it was asked for, and why then', () => {
  const asked = (request: Partial<RequestRecord>) => ({
    requests: { 'lunch@2026-11-17T12:00:00.000Z': { at: utc('11:52'), ...request } },
  });

  test.each<{ name: string; request: Partial<RequestRecord> }>([
    { name: 'nothing, where the lead time is configured', request: {} },
    { name: 'the start value, while few nodes are known', request: { nodes: 3 } },
    { name: 'what nodes took', request: { nodes: 20, took: 8 } },
    { name: 'that nodes took less', request: { nodes: 20, took: 7 } },
    { name: 'that it was late', request: { at: utc('12:00'), nodes: 20, took: 7 } },
  ])('$name', ({ name, request }) => {
    const lines = `leadTime: auto, schedules: [${LUNCH}, desiredReplicas: 6}]`;
    said(name, reasonsAt(lines, '12:30', asked(request)).join('\n'));
  });
});

test.each([
  { time: '11:59', says: 'opens' },
  { time: '12:00', says: 'open since' },
])('a window $says at $time', ({ time, says }) => {
  expect(reasonsAt(`leadTime: 5m, schedules: [${LUNCH}, desiredReplicas: 6}]`, time)).toEqual([
    `lunch ${says} 2026-11-17T12:00Z: 6 nodes`,
  ]);
});

test('an announced peak says who announced it, and from when to when it lasts', () => {
  const lines = 'events: [{name: campaign, pattern: {source: [cms]}, hold: 1h, desiredReplicas: 6}]';
  const announced = { 'campaign a': { at: utc('11:00'), from: utc('12:00'), to: utc('14:00') } };
  expect(reasonsAt(lines, '12:30', { announced })).toEqual([
    'campaign a: 6 nodes from 2026-11-17T12:00Z to 2026-11-17T14:00Z (announced 2026-11-17T11:00Z by cms)',
  ]);
});

describe('an override that raises a floor', () => {
  const lines = `base: 2, unit: {floor: {cpu: 4}}, schedules: [${LUNCH}, addNodes: 6}]`;
  const counts = { 'lunch@2026-11-17T12:00:00.000Z': { nodes: 10, at: utc('11:55'), until: utc('14:00') } };
  const override = (replicas: number) => ({
    ...{ mode: 'atLeast' as const, replicas, at: utc('12:00'), until: utc('13:00') },
    ...{ by: 'ana', reason: 'sale' },
  });

  test.each([
    { replicas: 20, says: '16 → 20' },
    { replicas: 12, says: 'lunch' },
  ])('to $replicas says from where', ({ replicas, says }) => {
    expect(reasonsAt(lines, '12:30', { counts, override: override(replicas) }).join()).toContain(says);
  });
});

describe('of two that ask for the same the first is the reason', () => {
  const floor = 'unit: {floor: {cpu: 4}}';
  const tea = LUNCH.replace('lunch', 'tea');
  const counts = Object.fromEntries(
    ['lunch', 'tea'].map((name) => [
      `${name}@2026-11-17T12:00:00.000Z`,
      { nodes: 10, at: utc('11:55'), until: utc('14:00') },
    ]),
  );

  test.each([
    {
      name: 'base, then a window',
      lines: `base: 6, schedules: [${LUNCH}, desiredReplicas: 6}]`,
    },
    {
      name: 'a window, then another',
      lines: `schedules: [${tea}, desiredReplicas: 6}, ${LUNCH}, desiredReplicas: 6}]`,
    },
    {
      name: 'a size, then nodes to add',
      lines: `${floor}, schedules: [${tea}, desiredReplicas: 16}, ${LUNCH}, addNodes: 6}]`,
      record: { counts },
    },
    {
      name: 'the most nodes to add, counted or not',
      lines: `${floor}, schedules: [${LUNCH}, addNodes: 7}, ${tea}, addNodes: 6}]`,
    },
    {
      name: 'the same nodes to add',
      lines: `${floor}, schedules: [${LUNCH}, addNodes: 6}, ${tea}, addNodes: 6}]`,
    },
  ])('$name', ({ name, lines, record = {} }) => {
    const reasons = reasonsAt(lines, '12:30', record);
    expect(reasons).toHaveLength(1);
    said(name, reasons.join());
  });
});

test('a plan says of nodes that are to be counted when that will be', () => {
  const pool = poolOf(`leadTime: 5m, unit: {floor: {cpu: 4}}, schedules: [${LUNCH}, addNodes: 6}]`);
  const steps = planNodePool(pool, utc('11:00'), utc('15:00'));
  expect(steps).toMatchObject([
    { at: utc('11:00'), replicas: 0 },
    { at: utc('11:55'), replicas: 0, uncounted: 6 },
    { at: utc('14:00'), replicas: 0 },
  ]);
  const now = planNodePool(pool, utc('12:30'), utc('13:00'));
  expect([steps[1]?.reasons, now[0]?.reasons]).toEqual(
    ['opens', 'open since'].map((state) => [
      `lunch ${state} 2026-11-17T12:00Z: +6 nodes; baseline counted at 2026-11-17T11:55Z`,
    ]),
  );
});
