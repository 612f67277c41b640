import { compareRules, KINDS, simulateDays } from './simulated-lead-times';

const [USUAL, SLOW, FAST, OUTAGES] = Object.values(KINDS);
const RUNS = 20;

test.each([
  { name: 'nodes of 70 s', kind: USUAL, nodes: 2, most: 5 },
  { name: 'nodes of 70 s', kind: USUAL, nodes: 6, most: 5, before: 6 },
  { name: 'nodes of 70 s', kind: USUAL, nodes: 20, most: 10, before: 18 },
  { name: 'nodes of which 4 % take 4 to 10 min', kind: SLOW, nodes: 2, most: 8 },
  { name: 'nodes of which 4 % take 4 to 10 min', kind: SLOW, nodes: 6, most: 10, before: 18 },
  { name: 'nodes of which 4 % take 4 to 10 min', kind: SLOW, nodes: 20, most: 25, before: 50 },
  { name: 'nodes of 35 s', kind: FAST, nodes: 20, most: 5 },
  { name: 'nodes of 70 s, and now and then no capacity', kind: OUTAGES, nodes: 6, most: 5 },
])('of windows of $nodes $name at most $most % wait for a node, for at most four minutes more', (one) => {
  const { kind, nodes, most, before = 0 } = one;
  const { late, mostLonger } = compareRules(kind as (typeof KINDS)[keyof typeof KINDS], nodes, RUNS);
  expect(late.all).toBeLessThanOrEqual(most);
  expect(mostLonger).toBeLessThanOrEqual(4);
  // By the lead time of one node.
  expect(late.one).toBeGreaterThanOrEqual(Math.max(before, late.all));
});

test('an hour without capacity does not lengthen any later lead time', () => {
  const hasOutage = (day: number) => day === 40;
  const days = simulateDays({ ...KINDS['lognormal, median 70 s, σ 0.45'], hasOutage }, 6, 7);
  const others = simulateDays(KINDS['lognormal, median 70 s, σ 0.45'], 6, 7);
  expect(days.filter((day) => day.hasOutage && day.all.isLate)).toHaveLength(1);
  // What waited for capacity does not tell how long nodes take, so that a later lead time may even be shorter.
  const longer = days.filter((day, index) => day.all.minutes > (others[index]?.all.minutes ?? 0));
  expect(longer).toEqual([]);
});
