import type { SimulatedCase } from '../../../lab/simulate/compare-cases';
import { sameFigures } from '../../../lab/simulate/draw-simulation';

const WAITS = [{ ms: 400, createdAt: 0, deployment: 'web' }];
const caseOf = (name: string, change: Partial<SimulatedCase> = {}): SimulatedCase => ({
  ...{ name, waits: WAITS, inWindows: [], nodeHours: 12, cost: 1.5, nodeCounts: [{ at: 0, nodes: 2 }] },
  ...change,
});

test.each([
  { name: 'other figures', cases: [caseOf('a'), caseOf('b', { cost: 2 })], says: [] },
  {
    name: 'the same nodes',
    cases: [caseOf('the proposal itself'), caseOf("today's config"), caseOf('no headroom', { nodeHours: 9 })],
    says: [
      "Same figures: the proposal itself and today's config; with both the same nodes ran, so this demand cannot tell them apart.",
    ],
  },
  {
    name: 'a difference that is rounded away',
    cases: [caseOf('a'), caseOf('b', { nodeHours: 12.01, nodeCounts: [{ at: 5, nodes: 2 }] })],
    says: ['Same figures: a and b; they differ by less than is shown.'],
  },
])('a replay that shows the same figures twice says why: $name', ({ cases, says }) => {
  expect(sameFigures(cases)).toEqual(says);
});
