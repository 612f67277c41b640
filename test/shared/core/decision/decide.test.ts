import fc from 'fast-check';
import { decide } from '../../../../shared/core/decision/decide';
import { EMPTY_RECORD, type HeadroomRecord } from '../../../../shared/core/record/record';
import { alarm, beforeWindows, LATER, NOW, order, pool, surges } from './sample-situation';

const leading = Date.parse('2026-11-16T02:26:00Z');

describe('decide', () => {
  test.each([
    {
      name: 'base counts while nothing else asks',
      now: beforeWindows,
      record: EMPTY_RECORD,
      replicas: 1,
      reasons: ['base: 1 node'],
    },
    {
      name: 'the highest open window counts, windows never add up',
      now: NOW,
      record: EMPTY_RECORD,
      replicas: 6,
      reasons: ['lunch open since 2026-11-16T02:30Z: 6 nodes'],
    },
    {
      name: 'a window is asked for within its lead time',
      now: leading,
      record: EMPTY_RECORD,
      replicas: 6,
      reasons: ['lunch opens 2026-11-16T02:30Z: 6 nodes'],
    },
    {
      name: 'at least fewer than the window changes nothing',
      now: NOW,
      record: order('atLeast', 3),
      replicas: 6,
      reasons: ['lunch open since 2026-11-16T02:30Z: 6 nodes'],
    },
    {
      name: 'at least more than the window wins',
      now: NOW,
      record: order('atLeast', 9),
      replicas: 9,
      reasons: ['Override by ana: 6 → 9 until 2026-11-16T03:40Z (flash sale)'],
    },
    {
      name: 'exactly wins over windows',
      now: NOW,
      record: order('exactly', 0),
      replicas: 0,
      reasons: ['Override by ana: exactly 0 until 2026-11-16T03:40Z (flash sale)'],
    },
    {
      name: 'an expired override does not count',
      now: NOW,
      record: order('exactly', 0, NOW),
      replicas: 6,
      reasons: ['lunch open since 2026-11-16T02:30Z: 6 nodes'],
    },
    {
      name: 'of two that ask for the same size the first is the reason',
      now: NOW,
      record: order('atLeast', 6),
      replicas: 6,
      reasons: ['lunch open since 2026-11-16T02:30Z: 6 nodes'],
    },
    {
      name: 'a size of exactly max is not capped',
      now: NOW,
      record: order('atLeast', 12),
      replicas: 12,
      reasons: ['Override by ana: 6 → 12 until 2026-11-16T03:40Z (flash sale)'],
    },
    {
      name: 'a boost adds while in ALARM',
      now: NOW,
      record: alarm('ALARM'),
      replicas: 9,
      reasons: ['lunch open since 2026-11-16T02:30Z: 6 nodes', 'alarm p95-high: +3 while in ALARM'],
    },
    {
      name: 'a boost is held after the alarm',
      now: NOW,
      record: alarm('OK', NOW - 60_000),
      replicas: 9,
      reasons: ['lunch open since 2026-11-16T02:30Z: 6 nodes', 'alarm p95-high: +3 until 2026-11-16T03:09Z'],
    },
    {
      name: 'a boost ends with its hold',
      now: NOW,
      record: alarm('OK', NOW - 600_000),
      replicas: 6,
      reasons: ['lunch open since 2026-11-16T02:30Z: 6 nodes'],
    },
    {
      name: 'an alarm that never fired adds nothing',
      now: NOW,
      record: alarm('OK'),
      replicas: 6,
      reasons: ['lunch open since 2026-11-16T02:30Z: 6 nodes'],
    },
    {
      name: 'a surge adds for each node',
      now: NOW,
      record: surges(1),
      replicas: 8,
      reasons: ['lunch open since 2026-11-16T02:30Z: 6 nodes', '1 spot notice: +2 until 2026-11-16T03:40Z'],
    },
    {
      name: 'surges of several nodes last until the last of them ends',
      now: NOW,
      record: {
        ...EMPTY_RECORD,
        surges: { 'i-1': { cause: 'spot', until: LATER }, 'i-2': { cause: 'spot', until: LATER + 60_000 } },
      },
      replicas: 10,
      reasons: ['lunch open since 2026-11-16T02:30Z: 6 nodes', '2 spot notices: +4 until 2026-11-16T03:41Z'],
    },
    {
      name: 'a surge that has ended adds nothing',
      now: NOW,
      record: surges(1, NOW),
      replicas: 6,
      reasons: ['lunch open since 2026-11-16T02:30Z: 6 nodes'],
    },
    {
      name: 'where as many nodes are stored as can count there may be more',
      now: NOW,
      record: surges(3),
      replicas: 11,
      reasons: [
        'lunch open since 2026-11-16T02:30Z: 6 nodes',
        '3 or more spot notices: +5 (the maximum) until 2026-11-16T03:40Z',
      ],
    },
    {
      name: 'surges are capped together',
      now: NOW,
      record: surges(4),
      replicas: 11,
      reasons: [
        'lunch open since 2026-11-16T02:30Z: 6 nodes',
        '4 or more spot notices: +5 (the maximum) until 2026-11-16T03:40Z',
      ],
    },
    {
      name: 'max caps everything',
      now: NOW,
      record: { ...alarm('ALARM'), ...{ surges: surges(4).surges } },
      replicas: 12,
      reasons: [
        'lunch open since 2026-11-16T02:30Z: 6 nodes',
        'alarm p95-high: +3 while in ALARM',
        '4 or more spot notices: +5 (the maximum) until 2026-11-16T03:40Z',
        'limited to max 12',
      ],
    },
  ])('$name', ({ now, record, replicas, reasons }) => {
    expect(decide({ pool, record, now })).toEqual({ replicas, reasons });
  });

  test('surges count only where the config asks for them', () => {
    const { interruptions: _interruptions, ...without } = pool;
    expect(decide({ pool: without, record: surges(2), now: NOW })).toEqual({
      replicas: 6,
      reasons: ['lunch open since 2026-11-16T02:30Z: 6 nodes'],
    });
  });

  test('while part of the record is unreadable the last decided size is held', () => {
    expect(decide({ pool, record: EMPTY_RECORD, now: beforeWindows, held: { replicas: 7 } })).toEqual({
      replicas: 7,
      reasons: ['base: 1 node', 'held at 7: part of the record cannot be read'],
    });
    expect(decide({ pool, record: EMPTY_RECORD, now: NOW, held: { replicas: 3 } }).replicas).toBe(6);
  });

  test('what is held is never above max, and a readable pin wins over it', () => {
    expect(decide({ pool, record: EMPTY_RECORD, now: beforeWindows, held: { replicas: 500 } }).replicas).toBe(pool.max);
    expect(decide({ pool, record: order('exactly', 0), now: beforeWindows, held: { replicas: 7 } })).toMatchObject({
      replicas: 0,
    });
  });

  test('reasons do not change from minute to minute', () => {
    const record = { ...order('atLeast', 9), alarms: alarm('ALARM').alarms, surges: surges(2).surges };
    const texts = [0, 1, 2, 3].map((minute) => decide({ pool, record, now: NOW + minute * 60_000 }).reasons.join());
    expect(new Set(texts).size).toBe(1);
  });

  test('the size is always between 0 and max, and never below base without a pin', () => {
    const records = fc.record({
      override: fc.option(
        fc.record({
          mode: fc.constantFrom('atLeast' as const, 'exactly' as const),
          replicas: fc.integer({ min: 0, max: 20 }),
          until: fc.integer({ min: NOW - 1e6, max: NOW + 1e6 }),
          at: fc.constant(NOW),
          by: fc.constant('ana'),
          reason: fc.constant('x'),
        }),
        { nil: undefined },
      ),
      ended: fc.option(fc.integer({ min: NOW - 1e6, max: NOW }), { nil: undefined }),
      firing: fc.boolean(),
      surges: fc.integer({ min: 0, max: 9 }),
      minute: fc.integer({ min: 0, max: 3_000 }),
    });
    fc.assert(
      fc.property(records, ({ override, ended, firing, surges: count, minute }) => {
        const record: HeadroomRecord = {
          ...(override && { override }),
          alarms: alarm(firing ? 'ALARM' : 'OK', ended).alarms,
          surges: surges(count).surges,
        };
        const { replicas, reasons } = decide({ pool, record, now: NOW + minute * 60_000 });
        expect(replicas).toBeGreaterThanOrEqual(0);
        expect(replicas).toBeLessThanOrEqual(pool.max);
        if (override?.mode !== 'exactly') expect(replicas).toBeGreaterThanOrEqual(pool.base);
        expect(reasons.length).toBeGreaterThan(0);
      }),
      { seed: 11 },
    );
  });
});
