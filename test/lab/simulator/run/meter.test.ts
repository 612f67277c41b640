import { Meter } from '../../../../lab/simulator/run/meter';

const HOUR = 3_600_000;

test('a node costs from its launch until it is gone, and without real pods it counts as headroom', () => {
  const meter = new Meter();
  meter.nodeStarted('a', 2, 0);
  meter.realPods('a', 1, HOUR);
  meter.realPods('a', -1, 2 * HOUR);
  expect(meter.cost(3 * HOUR)).toEqual({ total: 6, headroom: 4, nodeHours: 3 });
  meter.nodeGone('a', 3 * HOUR);
  expect(meter.cost(9 * HOUR)).toEqual({ total: 6, headroom: 4, nodeHours: 3 });
});

test('figures are of all pods, and one that still waits counts with what it has waited', () => {
  const meter = new Meter();
  for (const [index, wait] of [10, 20, 30].entries()) {
    meter.podCreated(`p${index}`, 1_000);
    meter.podPlaced(`p${index}`, 1_000 + wait);
  }
  expect(meter.waitFigures(5_000)).toEqual({ pods: 3, medianMs: 20, p95Ms: 30, worstMs: 30 });
  meter.podCreated('late', 4_000);
  expect(meter.waitFigures(5_000)).toMatchObject({ pods: 4, worstMs: 1_000 });
  expect(meter.waitFigures(6_000)).toMatchObject({ pods: 4, worstMs: 2_000 });
  expect(meter.waitedMs('late', 6_000)).toBe(2_000);
});

test('a pod waits for its place and then until it runs', () => {
  const meter = new Meter();
  meter.podCreated('slow', 0, 'web');
  meter.podCreated('fast', 100, 'web');
  meter.podPlaced('slow', 500);
  meter.podPlaced('fast', 110);
  meter.podRunning('slow', 900);
  const waits = (end: 'placed' | 'running') => meter.waits(end, 1_000).map(({ ms, createdAt }) => [ms, createdAt]);
  expect(waits('placed')).toEqual([
    [10, 100],
    [500, 0],
  ]);
  expect(waits('running')).toEqual([
    [900, 0],
    [900, 100],
  ]);
});

test('a pod that is given up has waited until then', () => {
  const meter = new Meter();
  meter.podCreated('p', 0);
  meter.podGone('p', 500);
  expect(meter.waitFigures(9_000)).toMatchObject({ pods: 1, worstMs: 500 });
  expect(meter.waits('running', 9_000)).toMatchObject([{ ms: 500 }]);
});

test('what happened before the start does not count, but its nodes and pods are there', () => {
  const meter = new Meter(HOUR);
  meter.nodeStarted('a', 2, 0);
  meter.podCreated('p', 0);
  meter.realPods('a', 1, 0);
  expect(meter.cost(2 * HOUR)).toEqual({ total: 2, headroom: 0, nodeHours: 1 });
  expect(meter.waitFigures(2 * HOUR)).toMatchObject({ pods: 0 });
  expect(meter.nodeCounts).toEqual([{ at: 0, nodes: 1 }]);
});
