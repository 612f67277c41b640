import fc from 'fast-check';
import type { HeadroomConfig } from '../../../../shared/core/config/config';
import type { CurrentHeadroom, Preemption } from '../../../../shared/core/ports/ports';
import { EMPTY_RECORD, type HeadroomRecord } from '../../../../shared/core/record/record';
import { mayHaveTakes, recordTaken } from '../../../../shared/core/taken/taken';

const NOW = Date.parse('2026-11-18T12:00:00Z');
const WEB = { name: 'web', unit: { kind: 'slice', requests: {} } } as const;
const FLOOR = { name: 'web', unit: { kind: 'floor', requests: {} } } as const;
const preempted = (
  secondsAgo: number,
  by?: string,
  headroom = 'headroom-web',
  pod = `at-${secondsAgo}`,
): Preemption => ({
  headroom,
  pod,
  at: NOW - secondsAgo * 1_000,
  ...(by !== undefined && { by }),
});

test.each<[string, readonly Preemption[], HeadroomRecord, { units: number; pods: number } | undefined]>([
  ['one pod takes one unit', [preempted(30, 'shop/a')], EMPTY_RECORD, { units: 1, pods: 1 }],
  ['one pod may take several', [preempted(30, 'shop/a'), preempted(31, 'shop/a')], EMPTY_RECORD, { units: 2, pods: 1 }],
  ['who took it may not be known', [preempted(30)], EMPTY_RECORD, { units: 1, pods: 0 }],
  [
    'a pause pod that two pods went for is one unit, of the first',
    [preempted(29, 'shop/b', 'headroom-web', 'one'), preempted(30, 'shop/a', 'headroom-web', 'one')],
    EMPTY_RECORD,
    { units: 1, pods: 1 },
  ],
  [
    'it stays one when the second was not old enough before',
    [preempted(11, 'shop/b', 'headroom-web', 'one'), preempted(12, 'shop/a', 'headroom-web', 'one')],
    { ...EMPTY_RECORD, takenUntil: NOW - 12_000 },
    undefined,
  ],
  ['another headroom is not counted', [preempted(30, 'shop/a', 'headroom-web2')], EMPTY_RECORD, undefined],
  ['what is counted is not counted again', [preempted(30)], { ...EMPTY_RECORD, takenUntil: NOW - 30_000 }, undefined],
  [
    'what came after that is',
    [preempted(30), preempted(29)],
    { ...EMPTY_RECORD, takenUntil: NOW - 30_000 },
    { units: 1, pods: 0 },
  ],
  ['the last ten seconds wait, because Events come late', [preempted(9)], EMPTY_RECORD, undefined],
])('%s', (_, preemptions, record, taken) => {
  const { units, pods } = recordTaken(record, WEB, preemptions, NOW).taken ?? {};
  expect(units === undefined ? undefined : { units, pods }).toEqual(taken);
});

test('says from when to when', () => {
  const { record, taken } = recordTaken(EMPTY_RECORD, WEB, [preempted(30), preempted(50), preempted(40)], NOW);
  expect(taken).toMatchObject({ since: NOW - 50_000, until: NOW - 30_000 });
  expect(record.takenUntil).toBe(NOW - 30_000);
});

test('a floor has nothing that work takes', () => {
  expect(recordTaken(EMPTY_RECORD, FLOOR, [preempted(30)], NOW)).toEqual({ record: EMPTY_RECORD });
});

test('every preemption counts once, whatever heartbeats see it, doubled or missing', () => {
  const times = fc.uniqueArray(fc.integer({ min: 1, max: 1_800_000 }), { maxLength: 20 });
  const laters = fc.array(fc.integer({ min: 0, max: 30_000 }), { maxLength: 20 });
  const beats = fc.array(fc.boolean(), { minLength: 31, maxLength: 31 });
  fc.assert(
    fc.property(times, laters, beats, beats, (ats, again, isLost, isDoubled) => {
      const all = [ats, again.slice(0, ats.length).map((later, index) => (ats[index] ?? 0) + later)].flatMap((some) =>
        some.map((at, index): Preemption => ({ headroom: 'headroom-web', pod: `${index}`, at })),
      );
      let record = EMPTY_RECORD;
      let units = 0;
      const beat = (now: number) => {
        const counted = recordTaken(
          record,
          WEB,
          all.filter(({ at }) => at <= now),
          now,
        );
        record = counted.record;
        units += counted.taken?.units ?? 0;
      };
      for (const [minute, lost] of isLost.entries()) {
        if (lost) continue;
        beat(minute * 60_000);
        if (isDoubled[minute]) beat(minute * 60_000);
      }
      beat(32 * 60_000);
      expect(units).toBe(ats.length);
    }),
  );
});

describe('takes are looked for', () => {
  const current = (facts: Partial<CurrentHeadroom>) => new Map([['headroom-web', facts as CurrentHeadroom]]);
  test.each<[string, Pick<HeadroomConfig, 'name' | 'unit'>, ReadonlyMap<string, CurrentHeadroom>, boolean]>([
    ['while there is room', WEB, current({ replicas: 1 }), true],
    ['for two minutes after', WEB, current({ replicas: 0, writtenAt: NOW - 120_000 }), true],
    ['not later', WEB, current({ replicas: 0, writtenAt: NOW - 120_001 }), false],
    ['not before there was any', WEB, new Map(), false],
    ['not on floors', FLOOR, current({ replicas: 5 }), false],
  ])('%s', (_, pool, headrooms, looks) => {
    expect(mayHaveTakes([pool as HeadroomConfig], headrooms, NOW)).toBe(looks);
  });
});
