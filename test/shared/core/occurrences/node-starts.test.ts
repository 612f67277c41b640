import fc from 'fast-check';
import { MAX_STARTS } from '../../../../shared/core/basics/record-limits';
import { minutesFor, withStarts } from '../../../../shared/core/occurrences/node-starts';
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

describe('the minutes for all of so many nodes', () => {
  const upTo = (most: number) => Array.from({ length: most }, (_, index) => 60 * (index + 1));

  test.each([
    { name: 'of none known', nodes: 1, seconds: [], minutes: 0 },
    { name: 'of one known', nodes: 1, seconds: [7], minutes: 1 },
    { name: 'of few are the slowest', nodes: 1, seconds: [9, 20, 100], minutes: 2 },
    { name: 'for one node leave out one of 20', nodes: 1, seconds: upTo(20), minutes: 19 },
    { name: 'for one node leave out two of 40', nodes: 1, seconds: upTo(40), minutes: 38 },
    { name: 'for two nodes leave out one of 40', nodes: 2, seconds: upTo(40), minutes: 39 },
    { name: 'for three nodes leave out none', nodes: 3, seconds: upTo(40), minutes: 40 },
    { name: 'for many nodes leave out none', nodes: 5_000, seconds: upTo(40), minutes: 40 },
  ])('$name', ({ nodes, seconds, minutes }) => {
    expect(minutesFor(nodes, seconds)).toBe(minutes);
  });

  test('are the least within which so many of the known were ready that n of them are, in 95 of 100 cases', () => {
    fc.assert(
      fc.property(
        fc
          .array(fc.integer({ min: 1, max: 900 }), { minLength: 1, maxLength: 60 })
          .map((all) => all.sort((a, b) => a - b)),
        fc.integer({ min: 1, max: 30 }),
        (seconds, nodes) => {
          const slower = (minutes: number) => seconds.filter((one) => one > 60 * minutes).length / seconds.length;
          const found = minutesFor(nodes, seconds);
          expect(slower(found)).toBeLessThanOrEqual(0.05 / nodes + 1e-9);
          expect(slower(found - 1)).toBeGreaterThan(0.05 / nodes - 1e-9);
        },
      ),
    );
  });
});
