import { PoolHistory } from '../../../../lab/console/snapshot/pool-view';
import { ANNOTATIONS } from '../../../../shared/core/manifests/annotations';
import type { HeadroomRecord } from '../../../../shared/core/record/record';
import { configOf } from '../../../fakes/fake-runtime';
import { LUNCH, OPTIONS, poolWith, seoul, shown } from './shown-pool';

const FLOOR = poolWith('{floor: {cpu: 4, memory: 16Gi}}', 20, 'addNodes: 6');

describe('what the console shows of a floor', () => {
  test('a window that will add nodes is planned as what it adds, and named so', () => {
    const history = new PoolHistory(FLOOR);
    history.observe(shown(0, 0), seoul('10:00'));
    const { kind, unit, next, plan, bands } = history.view(seoul('10:00'), OPTIONS);
    expect({ kind, unit }).toEqual({
      kind: 'floor',
      unit: 'Floor · nodes ≥ 4 vCPU, 16 GiB',
    });
    expect(next).toEqual({
      ...{ at: seoul('11:25'), replicas: 0, text: '+6', units: '6 more nodes' },
      edge: 'lunch opens 2026-11-17T02:30Z, nodes requested 2026-11-17T02:25Z',
    });
    expect(plan).toEqual([
      { at: seoul('10:00'), replicas: 0, text: '0' },
      { at: seoul('11:25'), replicas: 6, text: '+6' },
      { at: seoul('13:30'), replicas: 0, text: '0' },
    ]);
    expect(bands.map(({ label }) => label)).toContain('lunch +6');
  });

  test('once the nodes are counted the plan knows the size', () => {
    const history = new PoolHistory(FLOOR);
    history.observe(shown(0, 0), seoul('11:24'));
    history.view(seoul('11:24'), OPTIONS);
    const counts = { [LUNCH]: { nodes: 10, at: seoul('11:25'), until: seoul('13:30') } };
    history.observe(shown(16, 10, { counts }), seoul('11:25'));
    expect(history.view(seoul('11:25'), OPTIONS).plan).toEqual([
      { at: seoul('11:25'), replicas: 16, text: '16' },
      { at: seoul('13:30'), replicas: 0, text: '0' },
    ]);
  });

  test('work on its nodes is in use, and takes nothing away from it', () => {
    const history = new PoolHistory(FLOOR);
    history.observe(shown(6, 6), 0);
    history.observeWork({ inUse: 2 }, 10);
    history.observeWork({ inUse: 6 }, 20);
    history.observe(shown(6, 5), 30);
    const { wanted, ready, inUse, free, missing, timeline } = history.view(40, OPTIONS);
    expect({ wanted, ready, inUse, free, missing }).toEqual({ wanted: 6, ready: 5, inUse: 5, free: 0, missing: 1 });
    expect(timeline).toEqual([
      { at: 0, wanted: 6, inUse: 0, free: 6 },
      { at: 10, wanted: 6, inUse: 2, free: 4 },
      { at: 20, wanted: 6, inUse: 6, free: 0 },
      { at: 30, wanted: 6, inUse: 5, free: 0 },
    ]);
  });

  test('use that cannot be counted is shown as unknown', () => {
    const history = new PoolHistory(FLOOR);
    history.observe(shown(6, 6), 0);
    history.observeWork({ inUse: undefined }, 0);
    expect(history.view(1, OPTIONS)).toMatchObject({ inUse: 0, useUnknown: true });
  });

  test('an override for more nodes shows what it counted', () => {
    const history = new PoolHistory(FLOOR);
    const override = { mode: 'addNodes', replicas: 4, at: 0, until: 9_000, by: 'ana', reason: 'sale' } as const;
    history.observe(shown(7, 7, { override: { ...override, counted: { nodes: 3, at: 0 } } }), 1);
    const { override: seen, bands } = history.view(2, OPTIONS);
    expect(seen).toMatchObject({ size: '3 nodes + 4 = 7', by: 'ana' });
    expect(bands.map(({ label }) => label)).toContain('3 nodes + 4 = 7');
  });
});

describe('what work has of room', () => {
  const room = () => {
    const history = new PoolHistory(poolWith('{node: {cpu: 1}}', 20, 'desiredReplicas: 6'));
    history.observe(shown(6, 6), 0);
    return history;
  };
  const figures = (history: PoolHistory) => {
    const { ready, inUse, free, missing } = history.view(30_000, OPTIONS);
    return { ready, inUse, free, missing };
  };

  test('is what it has preempted until that is refilled, not every pod on its nodes', () => {
    const history = room();
    history.observeWork({ inUse: 6 }, 10);
    for (const at of [20, 21]) history.observePreemption(at);
    history.observe(shown(6, 4), 30);
    expect(figures(history)).toEqual({ ready: 4, inUse: 2, free: 4, missing: 0 });
    history.observe(shown(6, 5), 40);
    expect(figures(history)).toEqual({ ready: 5, inUse: 1, free: 5, missing: 0 });
  });

  test('is nothing of a node that was lost', () => {
    const history = room();
    history.observe(shown(6, 4), 30);
    expect(figures(history)).toEqual({ ready: 4, inUse: 0, free: 4, missing: 2 });
  });

  test('is over once all of it is ready, although nobody saw the refill', () => {
    const history = room();
    history.observePreemption(20);
    history.observe(shown(6, 6), 20_000);
    history.observe(shown(6, 5), 21_000);
    expect(figures(history)).toMatchObject({ inUse: 0, missing: 1 });
  });
});

describe('what is recorded is part of what comes', () => {
  const [pool] = configOf(`  web:
    max: 20
    base: 1
    alarms: [{alarmName: orders, add: 3, hold: 10m}]
    interruptions: {surge: 1, max: 4, hold: 15m}
`).headrooms;
  if (!pool) throw new Error('no pool');
  const noon = seoul('12:00');
  const minutes = (count: number) => noon + count * 60_000;
  const override = { mode: 'atLeast', replicas: 9, at: noon, until: minutes(60), by: 'ana', reason: 'sale' } as const;

  const surge = (end: number) => ({ cause: 'spot', until: minutes(end) }) as const;
  // Sizes by the minute from which they hold.
  test.each<{ name: string; record: Partial<HeadroomRecord>; plan: Readonly<Record<number, number>>; end?: string }>([
    { name: 'an override', record: { override }, plan: { 0: 9, 60: 1 }, end: 'override by ana ends' },
    {
      name: 'an override that pins to nothing',
      record: { override: { ...override, mode: 'exactly', replicas: 0 } },
      plan: { 0: 0, 60: 1 },
      end: 'override by ana ends',
    },
    { name: 'an alarm that fires', record: { alarms: { orders: { state: 'ALARM', at: noon } } }, plan: { 0: 4 } },
    {
      name: 'the hold after an alarm',
      record: { alarms: { orders: { state: 'OK', at: noon, ended: noon } } },
      plan: { 0: 4, 10: 1 },
      end: 'alarm orders ends',
    },
    {
      name: 'surges, one end after the other',
      record: { surges: { 'i-1': surge(15), 'i-2': surge(20) } },
      plan: { 0: 3, 15: 2, 20: 1 },
      end: 'interruption surge ends',
    },
  ])('the plan has $name until it ends', ({ record, plan, end }) => {
    const history = new PoolHistory(pool);
    history.observe(shown(1, 1), noon - 1);
    history.view(noon - 1, OPTIONS);
    history.observe(shown(1, 1, record), noon);
    const view = history.view(noon, OPTIONS);
    expect(Object.fromEntries(view.plan.map(({ at, replicas }) => [(at - noon) / 60_000, replicas]))).toEqual(plan);
    const [, next] = Object.entries(plan).map(([minute, replicas]) => ({ at: minutes(Number(minute)), replicas }));
    expect(view.next).toEqual(next && expect.objectContaining(next));
    expect(view.next?.edge).toEqual(end && next && `${end} ${new Date(next.at).toISOString().slice(0, 16)}Z`);
  });

  test('a size that is held because the record cannot be read', () => {
    const history = new PoolHistory(pool);
    const annotations = { [ANNOTATIONS.record]: '{"v":1,"override":"?"', [ANNOTATIONS.decided]: '7' };
    history.observe({ replicas: 7, ready: 7, annotations }, noon);
    expect(history.view(noon, OPTIONS)).toMatchObject({ plan: [{ replicas: 7 }], unreadable: expect.any(String) });
  });
});

test('a write that the Deployment controller has not seen yet does not look like pods that work took', () => {
  const history = new PoolHistory(poolWith('{node: {cpu: 4, memory: 16Gi}}', 20, 'desiredReplicas: 6'));
  history.observe(shown(6, 6), seoul('12:00'));
  history.observe({ ...shown(6, 0), ready: undefined }, seoul('12:01'));
  expect(history.view(seoul('12:01'), OPTIONS)).toMatchObject({ wanted: 6, ready: 6, inUse: 0 });
  history.observe(undefined, seoul('12:02'));
  expect(history.view(seoul('12:02'), OPTIONS)).toMatchObject({ wanted: 0, ready: 0 });
});
