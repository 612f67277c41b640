import { type Decision, decide } from '../../../../shared/core/decision/decide';
import { nextDecision } from '../../../../shared/core/decision/next-decision';
import { planNodePool } from '../../../../shared/core/decision/plan';
import { EMPTY_RECORD, type HeadroomRecord, type Override } from '../../../../shared/core/record/record';
import { configOf } from '../../../fakes/fake-runtime';
import { golden } from '../../../golden/golden';

const said = golden(`${__dirname}/floor.txt`);
const POOL = `  web:
    max: 8
    base: 2
    leadTime: 5m
    unit: {floor: {cpu: 4}}
    schedules:
      - {name: lunch, timezone: Asia/Seoul, start: 30 11 * * *, end: 30 13 * * *, addNodes: 6}
      - {name: sale, timezone: Asia/Seoul, start: 0 12 * * *, end: 0 15 * * *, addNodes: 7}
      - {name: night, timezone: Asia/Seoul, start: 0 22 * * *, end: 0 23 * * *, desiredReplicas: 4}
    alarms: [{alarmName: deep, add: 3}]
    interruptions: {surge: 1, max: 3}
`;
const pool = configOf(POOL).headrooms[0] ?? fail();
const seoul = (time: string) => Date.parse(`2026-11-17T${time}:00+09:00`);
const lunch = 'lunch@2026-11-17T02:30:00.000Z';

function fail(): never {
  throw new Error('no pool');
}

function counted(nodes: number, more: Partial<HeadroomRecord> = {}): HeadroomRecord {
  const occurrence = { nodes, at: seoul('11:25'), until: seoul('13:30') };
  return { ...EMPTY_RECORD, counts: { [lunch]: occurrence }, ...more };
}

function order(more: Partial<Override>): Override {
  const span = { at: seoul('11:00'), until: seoul('14:00') };
  return { mode: 'addNodes', replicas: 4, ...span, by: 'kim', reason: 'sale', ...more };
}

const ALARM = { alarms: { deep: { state: 'ALARM' as const, at: seoul('11:00') } } };
const SURGE = { surges: { 'i-1': { cause: 'spot', until: seoul('14:00') } } };

describe('the size of a floor', () => {
  test.each<{ name: string; record: HeadroomRecord; at?: string; size: number; uncounted?: number }>([
    { name: 'an occurrence adds to the nodes that were counted', record: counted(10), size: 16 },
    { name: 'a pool with no node counts 0', record: counted(0), size: 6 },
    { name: 'after the last occurrence base stands', record: counted(10), at: '16:00', size: 2 },
    { name: 'a boost comes on top', record: counted(10, ALARM), size: 18 },
    { name: 'a surge comes on top', record: counted(10, SURGE), size: 17 },
    { name: 'max bounds what is added, not what was there', record: counted(100, { ...ALARM, ...SURGE }), size: 108 },
    { name: 'before anybody counted only the rest is decided', record: EMPTY_RECORD, size: 2, uncounted: 6 },
    {
      name: 'an override adds to its own count',
      record: counted(10, { override: order({ counted: { nodes: 16, at: 0 } }) }),
      size: 20,
    },
    {
      name: 'an override that nobody counted waits',
      record: counted(10, { override: order({}) }),
      size: 16,
      uncounted: 4,
    },
    { name: 'a pin wins', record: counted(10, { override: order({ mode: 'exactly', replicas: 1 }) }), size: 1 },
    {
      name: 'of an absolute order and the count the higher stands',
      record: counted(1, { override: order({ mode: 'atLeast', replicas: 8 }) }),
      size: 8,
    },
    { name: 'a window that opens while another stands inherits its count', record: counted(10), at: '12:30', size: 17 },
    { name: 'an absolute window is a floor as it says', record: EMPTY_RECORD, at: '22:30', size: 4 },
  ])('$name', ({ record, at = '11:40', size, uncounted }) => {
    const { replicas, uncounted: open } = decide({ pool, record, now: seoul(at) });
    expect({ replicas, uncounted: open }).toEqual({ replicas: size, uncounted });
  });

  test.each([
    { at: '11:26', nodes: 10, says: 'lunch opens 2026-11-17T02:30Z: 10 nodes + 6 = 16' },
    { at: '11:40', nodes: 1, says: 'lunch open since 2026-11-17T02:30Z: 1 node + 6 = 7' },
  ])('the reason tells count, time and sum at $at', ({ at, nodes, says }) => {
    expect(decide({ pool, record: counted(nodes), now: seoul(at) }).reasons).toEqual([says]);
  });

  test('an override for more nodes says nothing about the room that a deploy has made of the floor', () => {
    const room = configOf('  web: {base: 2, max: 8}\n').headrooms[0] ?? fail();
    const override = order({ replicas: 3, counted: { nodes: 9, at: 0 } });
    expect(decide({ pool: room, record: { ...EMPTY_RECORD, override }, now: seoul('11:40') })).toEqual({
      replicas: 2,
      reasons: ['base: 2 nodes'],
    });
    const uncounted = decide({ pool: room, record: { ...EMPTY_RECORD, override: order({}) }, now: seoul('11:40') });
    expect(uncounted).toEqual({ replicas: 2, reasons: ['base: 2 nodes'] });
  });

  test('an override tells what it adds to', () => {
    const override = order({ counted: { nodes: 9, at: seoul('11:00') } });
    expect(decide({ pool, record: { ...EMPTY_RECORD, override }, now: seoul('11:10') }).reasons).toEqual([
      'Override by kim: 9 nodes + 4 = 13 until 2026-11-17T05:00Z (sale)',
    ]);
  });

  test('what was decided above max is held, for it stood on a count', () => {
    expect(decide({ pool, record: EMPTY_RECORD, now: seoul('11:40'), held: { replicas: 16 } }).replicas).toBe(16);
  });
});

test.each([
  { name: 'what the floor stands on, and what will come on top', pool, record: EMPTY_RECORD },
  { name: 'what will come, where nothing stands', pool: { ...pool, base: 0 }, record: EMPTY_RECORD },
  { name: 'a boost of both once', pool, record: { ...EMPTY_RECORD, ...ALARM } },
])('the reasons before anybody counted tell $name', ({ name, pool: asked, record }) => {
  said(name, decide({ pool: asked, record, now: seoul('11:40') }).reasons.join('\n'));
});

describe('alarms that add nodes', () => {
  const [alarmed = fail()] = configOf(
    POOL.replace(
      '[{alarmName: deep, add: 3}]',
      '[{alarmName: deep, addNodes: 2}, {alarmName: slow, addNodes: 3}, {alarmName: plain, add: 1}]',
    ),
  ).headrooms;
  const on = (nodes?: number) => ({
    state: 'ALARM' as const,
    at: seoul('11:00'),
    ...(nodes !== undefined && { counted: { nodes, at: seoul('11:00') } }),
  });
  const alarms = (states: HeadroomRecord['alarms'], more: Partial<HeadroomRecord> = {}) => ({
    ...counted(10, more),
    alarms: states,
  });

  test.each<{ name: string; record: HeadroomRecord; at?: string; size: number; says: readonly string[] }>([
    {
      name: 'add to their own count while nothing else is open',
      record: { ...EMPTY_RECORD, alarms: { deep: on(10) } },
      at: '11:10',
      size: 12,
      says: ['alarm deep: 10 nodes + 2 = 12 while in ALARM'],
    },
    {
      name: 'come on top of each other, of boosts and of surges',
      record: { ...EMPTY_RECORD, ...SURGE, alarms: { deep: on(10), slow: on(10), plain: on() } },
      at: '11:10',
      size: 17,
      says: [
        'alarm deep: 10 nodes + 2 = 12 while in ALARM',
        'alarm slow: +3 while in ALARM',
        'alarm plain: +1 while in ALARM',
        '1 spot notice: +1 until 2026-11-17T05:00Z',
      ],
    },
    {
      name: 'come on top of a window, up to max',
      record: alarms({ deep: on(10), slow: on(10) }),
      size: 18,
      says: [
        'lunch open since 2026-11-17T02:30Z: 10 nodes + 6 = 16',
        'alarm deep: +2 while in ALARM',
        'alarm slow: +3 while in ALARM',
        'adds at most 8 (max)',
      ],
    },
    {
      name: 'do not raise a size in all, which a boost does',
      record: { ...EMPTY_RECORD, alarms: { deep: on(0), plain: on() } },
      at: '11:10',
      size: 3,
      says: ['base: 2 nodes', 'alarm plain: +1 while in ALARM'],
    },
    {
      name: 'keep what the higher count leads to',
      record: { ...EMPTY_RECORD, alarms: { deep: on(12), slow: on(9) } },
      at: '11:10',
      size: 17,
      says: ['alarm deep: 12 nodes + 2 = 14 while in ALARM', 'alarm slow: +3 while in ALARM'],
    },
    {
      name: 'say what they will add while nobody counted',
      record: { ...EMPTY_RECORD, alarms: { deep: on() } },
      at: '11:10',
      size: 2,
      says: ['base: 2 nodes', 'alarm deep: +2 nodes; baseline not counted yet while in ALARM'],
    },
  ])('$name', ({ record, at = '11:40', size, says }) => {
    const { replicas, reasons } = decide({ pool: alarmed, record, now: seoul(at) });
    expect({ replicas, reasons }).toEqual({ replicas: size, reasons: says });
  });

  test('end by themselves, as the next change says', () => {
    const deep = { ...on(10), state: 'OK' as const, ended: seoul('10:00') };
    const next = nextDecision({ pool: alarmed, record: { ...EMPTY_RECORD, alarms: { deep } }, now: seoul('10:01') });
    expect(next).toMatchObject({ at: seoul('10:05'), replicas: 2 });
  });
});

describe('ahead of time', () => {
  const brief = ({ replicas, uncounted }: Decision) => (uncounted ? `${replicas} +${uncounted}` : `${replicas}`);

  test('a plan shows what a window adds, since nobody knows the nodes yet', () => {
    const steps = planNodePool(pool, seoul('00:00'), seoul('23:59'));
    expect(steps.map((step) => `${new Date(step.at).toISOString().slice(11, 16)} ${brief(step)}`)).toEqual([
      '15:00 2',
      '02:25 2 +6',
      '02:55 2 +7',
      '06:00 2',
      '12:55 4',
      '14:00 2',
    ]);
  });

  test.each([
    { name: 'an occurrence to come', record: EMPTY_RECORD, now: '10:00', at: '11:25', next: '2 +6' },
    { name: 'a second window, which will inherit', record: counted(10), now: '11:40', at: '11:55', next: '17' },
    {
      name: 'the end of an override that hides nothing',
      record: { ...EMPTY_RECORD, override: order({ counted: { nodes: 9, at: 0 }, until: seoul('11:10') }) },
      now: '11:05',
      at: '11:10',
      next: '2',
    },
    {
      name: 'nothing while pinned',
      record: { ...EMPTY_RECORD, override: order({ mode: 'exactly', replicas: 1, until: seoul('14:00') }) },
      now: '10:00',
      at: '14:00',
      next: '2 +7',
    },
  ])('the next change: $name', ({ record, now, at, next }) => {
    const found = nextDecision({ pool, record, now: seoul(now) });
    expect([found?.at, found && brief(found)]).toEqual([seoul(at), next]);
  });
});
