import fc from 'fast-check';
import { decide } from '../../../../shared/core/decision/decide';
import { EMPTY_RECORD, type HeadroomRecord } from '../../../../shared/core/record/record';
import { golden } from '../../../golden/golden';
import { alarm, beforeWindows, LATER, NOW, order, pool, surges } from './sample-situation';

const said = golden(`${__dirname}/decide.txt`);
const leading = Date.parse('2026-11-16T02:26:00Z');

describe('decide', () => {
  // How large the headroom is, and why, is in decide.txt.
  test.each<{ name: string; now?: number; record?: HeadroomRecord }>([
    { name: 'base counts while nothing else asks', now: beforeWindows },
    { name: 'the highest open window counts, windows never add up' },
    { name: 'a window is asked for within its lead time', now: leading },
    { name: 'at least fewer than the window changes nothing', record: order('atLeast', 3) },
    { name: 'at least more than the window wins', record: order('atLeast', 9) },
    { name: 'exactly wins over windows', record: order('exactly', 0) },
    { name: 'an expired override does not count', record: order('exactly', 0, NOW) },
    { name: 'of two that ask for the same size the first is the reason', record: order('atLeast', 6) },
    { name: 'a size of exactly max is not capped', record: order('atLeast', 12) },
    { name: 'a boost adds while in ALARM', record: alarm('ALARM') },
    { name: 'a boost is held after the alarm', record: alarm('OK', NOW - 60_000) },
    { name: 'a boost ends with its hold', record: alarm('OK', NOW - 600_000) },
    { name: 'an alarm that never fired adds nothing', record: alarm('OK') },
    { name: 'a surge adds for each node', record: surges(1) },
    {
      name: 'surges of several nodes last until the last of them ends',
      record: {
        ...EMPTY_RECORD,
        surges: { 'i-1': { cause: 'spot', until: LATER }, 'i-2': { cause: 'spot', until: LATER + 60_000 } },
      },
    },
    { name: 'a surge that has ended adds nothing', record: surges(1, NOW) },
    { name: 'where as many nodes are stored as can count there may be more', record: surges(3) },
    { name: 'surges are capped together', record: surges(4) },
    { name: 'max caps everything', record: { ...alarm('ALARM'), ...{ surges: surges(4).surges } } },
  ])('$name', ({ name, now = NOW, record = EMPTY_RECORD }) => {
    const { replicas, reasons, ...rest } = decide({ pool, record, now });
    expect(rest).toEqual({});
    said(name, [`${replicas}`, ...reasons].join('\n'));
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
