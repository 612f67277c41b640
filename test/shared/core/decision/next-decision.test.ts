import { decisionsFrom, nextDecision } from '../../../../shared/core/decision/next-decision';
import { EMPTY_RECORD } from '../../../../shared/core/record/record';
import { configOf } from '../../../fakes/fake-runtime';
import { counted } from '../windows/counted-window';
import { cronWindow } from '../windows/sample-windows';
import { alarm, beforeWindows, LATER, NOW, order, pool, surges } from './sample-situation';

describe('nextDecision', () => {
  test.each([
    { name: 'the window that opens next, by its lead', now: beforeWindows, at: '00:55', replicas: 4 },
    { name: 'a close that leaves another window open is no change of the highest', at: '04:30', replicas: 1 },
    { name: 'the end of an override', record: order('atLeast', 9), at: '03:40', replicas: 6 },
    { name: 'the end of a hold', record: alarm('OK', NOW - 60_000), at: '03:09', replicas: 6 },
    { name: 'the end of a surge', record: surges(1), at: '03:40', replicas: 6 },
  ])('is $name', ({ now = NOW, record = EMPTY_RECORD, at, replicas }) => {
    const next = nextDecision({ pool, record, now });
    expect([next?.at, next?.replicas]).toEqual([Date.parse(`2026-11-16T${at}:00Z`), replicas]);
  });

  test('counts on a window that was requested with a longer lead time than the one learned since', () => {
    const learning = { ...pool, autoLead: { minMinutes: 1, maxMinutes: 60, heartbeatMinutes: 1 } };
    const asked = { 'brunch@2026-11-16T01:00:00.000Z': { at: beforeWindows } };
    const record = { ...surges(1, beforeWindows + 20 * 60_000), requests: asked };
    const next = nextDecision({ pool: learning, record, now: beforeWindows });
    expect([next?.at, next?.replicas]).toEqual([beforeWindows + 20 * 60_000, 4]);
  });

  test('after a pin holds what the pin left, not what was decided before it', () => {
    const held = { replicas: 7, because: 'the NodeClaims cannot be counted' };
    const next = nextDecision({ pool, record: order('exactly', 0, beforeWindows), now: beforeWindows - 60_000, held });
    expect([next?.at, next?.replicas]).toEqual([beforeWindows, 1]);
  });

  test('is nothing where nothing will change', () => {
    const [calm] = configOf('  calm: {max: 3, base: 2}\n').headrooms;
    expect(calm && nextDecision({ pool: calm, record: EMPTY_RECORD, now: NOW })).toBeUndefined();
  });

  test('is not the end of something that max hides', () => {
    const record = { ...order('atLeast', 12, LATER + 60_000), surges: surges(1).surges };
    const next = nextDecision({ pool, record, now: NOW });
    expect([next?.at, next?.replicas]).toEqual([LATER + 60_000, 6]);
  });

  test('is given up after a bounded number of looks at windows of one size that take turns by the minute', () => {
    const even = counted(cronWindow('*/2 * * * *', '1-59/2 * * * *'));
    const odd = counted(cronWindow('1-59/2 * * * *', '*/2 * * * *'));
    const turns = { ...pool, leadMinutes: 0, windows: [even.window, odd.window] };
    expect(nextDecision({ pool: turns, record: EMPTY_RECORD, now: NOW })).toBeUndefined();
    expect(even.reads() + odd.reads()).toBeLessThan(20_000);
  });
});

describe('decisionsFrom', () => {
  const calm = { ...pool, windows: [] };
  const at = (minutes: number) => NOW + minutes * 60_000;
  const record = {
    ...order('atLeast', 9, at(30)),
    alarms: alarm('OK', at(-5)).alarms,
    surges: {
      'i-1': { cause: 'spot', until: at(20) },
      'i-2': { cause: 'spot', until: at(10) },
      'i-3': { cause: 'spot', until: at(20) },
      'i-4': { cause: 'spot', until: at(0) },
      'i-5': { cause: 'spot', until: at(-10) },
    },
  };
  const moments = (from: Parameters<typeof decisionsFrom>[0], until: number) =>
    [...decisionsFrom(from, until)].map((next) => [(next.at - NOW) / 60_000, next.replicas]);

  test('tells each moment at which something recorded ends once, in order, and none that is over', () => {
    expect(moments({ pool: calm, record, now: NOW }, at(60))).toEqual([
      [5, 12],
      [10, 12],
      [20, 9],
      [30, 1],
    ]);
  });

  test('ends before its last moment', () => {
    expect(moments({ pool: calm, record, now: NOW }, at(20))).toEqual([
      [5, 12],
      [10, 12],
    ]);
  });

  test('tells of a window edge and an end on the same moment once', () => {
    expect(moments({ pool, record: surges(1, at(90)), now: NOW }, at(100))).toEqual([[90, 1]]);
  });

  test('tells nothing of an alarm that stays in ALARM', () => {
    expect(moments({ pool: calm, record: alarm('ALARM'), now: NOW }, Number.POSITIVE_INFINITY)).toEqual([]);
  });
});
