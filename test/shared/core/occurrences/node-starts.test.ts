import fc from 'fast-check';
import { MAX_STARTS } from '../../../../shared/core/basics/record-limits';
import { percentile95, withStarts } from '../../../../shared/core/occurrences/node-starts';
import type { NodeStart } from '../../../../shared/core/ports/ports';
import { isStartKey, MAX_START_SECONDS, type NodeStarts } from '../../../../shared/core/record/record';

const NOON = Date.parse('2026-11-17T03:00:00Z');
const start = (id: string, second: number, took?: number): NodeStart => ({
  nodePool: 'web',
  id,
  createdAt: NOON + second * 1_000,
  ...(took !== undefined && { initializedAt: NOON + (second + took) * 1_000 }),
  deleting: false,
});

/** Nodes with ids of their own, many of one second, some of which have not started yet. */
const nodes = fc
  .array(fc.record({ second: fc.integer({ min: 0, max: 60 }), took: fc.integer({ min: 0, max: 900 }) }), {
    maxLength: 3 * MAX_STARTS,
  })
  .map((all) => all.map(({ second, took }, index) => start(`n${index}`, second, took)));

describe('the sketch of start times', () => {
  test('is the same in whatever order, and however often, nodes are seen', () => {
    fc.assert(
      fc.property(nodes, fc.infiniteStream(fc.integer({ min: 0, max: 9 })), (all, dice) => {
        const once = withStarts({}, all);
        const shuffled = [...all]
          .map((node) => ({ node, rank: dice.next().value ?? 0 }))
          .sort((a, b) => a.rank - b.rank)
          .map(({ node }) => node);
        let known: NodeStarts = {};
        for (let from = 0; from < shuffled.length; ) {
          const size = 1 + (dice.next().value ?? 0) * 7;
          known = withStarts(known, shuffled.slice(Math.max(0, from - 3), from + size));
          from += size;
        }
        expect(known).toEqual(once);
        expect(withStarts(known, all)).toEqual(once);
      }),
      { numRuns: 100, seed: 20261130 },
    );
  });

  test('holds each node once, and no more than it may: the newest', () => {
    fc.assert(
      fc.property(nodes, (all) => {
        const kept = withStarts(withStarts({}, all), all);
        const newest = [...all].sort((a, b) => b.createdAt - a.createdAt).slice(0, MAX_STARTS);
        expect(Object.values(kept)).toHaveLength(newest.length);
        const times = (list: readonly number[]) => [...list].sort((a, b) => a - b);
        expect(times(Object.keys(kept).map((key) => Date.parse(key.slice(0, 20))))).toEqual(
          times(newest.map(({ createdAt }) => createdAt)),
        );
      }),
      { numRuns: 100, seed: 20261131 },
    );
  });

  test('takes in a node that is ready after younger ones', () => {
    const before = withStarts({}, [start('slow', 0), start('quick', 5, 20)]);
    expect(Object.values(before)).toEqual([20]);
    expect(withStarts(before, [start('slow', 0, 90), start('quick', 5, 20)])).toEqual({
      '2026-11-17T03:00:00Z/slow': 90,
      '2026-11-17T03:00:05Z/quick': 20,
    });
  });

  test('keeps what was measured first', () => {
    const known = withStarts({}, [start('a', 0, 40)]);
    expect(withStarts(known, [start('a', 0, 4_000)])).toEqual(known);
  });

  test.each([
    { name: 'before its creation', node: start('a', 0, -1) },
    { name: 'more than a day after it', node: start('a', 0, 86_401) },
    { name: 'at no time', node: { ...start('a', 0), initializedAt: Number.NaN } },
    { name: 'but without an id', node: start('', 0, 10) },
    {
      name: 'in a year that no key can hold',
      node: { ...start('a', 0, 1), createdAt: Date.UTC(10_000, 0), initializedAt: Date.UTC(10_000, 0) },
    },
  ])('leaves out a node that was ready $name', ({ node }) => {
    expect(withStarts({}, [node])).toEqual({});
  });

  test('writes only what it can read, whatever the ids', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 0, max: 86_400 }), (id, took) => {
        for (const [key, value] of Object.entries(withStarts({}, [start(id, 0, took)])))
          expect([isStartKey(key), value >= 0 && value <= MAX_START_SECONDS]).toEqual([true, true]);
      }),
    );
    expect(Object.keys(withStarts({}, [start('0a1b2c3d-0000-4000', 0, 10)]))).toEqual([
      '2026-11-17T03:00:00Z/0a1b2c3d',
    ]);
  });
});

describe('the 95th percentile', () => {
  test.each([
    { seconds: [], is: 0 },
    { seconds: [7], is: 7 },
    { seconds: [5, 1, 3, 2, 4], is: 5 },
    { seconds: Array.from({ length: 20 }, (_, i) => i + 1), is: 19 },
    { seconds: Array.from({ length: 40 }, (_, i) => 40 - i), is: 38 },
    { seconds: [9, 100, 20], is: 100 },
  ])('of $seconds is $is', ({ seconds, is }) => {
    expect(percentile95(seconds)).toBe(is);
  });

  test('is the least time within which at least 95 of 100 were ready', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 900 }), { minLength: 1, maxLength: 60 }), (seconds) => {
        const within = (time: number) => seconds.filter((one) => one <= time).length / seconds.length;
        const found = percentile95(seconds);
        expect(within(found)).toBeGreaterThanOrEqual(0.95);
        expect(within(found - 1)).toBeLessThan(0.95);
      }),
    );
  });
});
