import { CostMeter } from '../../../simulator/run/cost-meter';
import { WaitingTimes } from '../../../simulator/run/waiting-times';

const HOUR = 3_600_000;

test('a node costs from its launch until it is gone, and without real pods it counts as headroom', () => {
  const meter = new CostMeter();
  meter.nodeStarted('a', 2, 0);
  meter.realPods('a', 1, HOUR);
  meter.realPods('a', -1, 2 * HOUR);
  expect(meter.cost(3 * HOUR)).toEqual({ total: 6, headroom: 4, nodeHours: 3 });
  meter.nodeGone('a', 3 * HOUR);
  expect(meter.cost(9 * HOUR)).toEqual({ total: 6, headroom: 4, nodeHours: 3 });
});

test('pods of a node that is not counted cost nothing', () => {
  const meter = new CostMeter();
  meter.realPods('unknown', 1, 0);
  expect(meter.cost(HOUR)).toEqual({ total: 0, headroom: 0, nodeHours: 0 });
});

test('figures are of all pods, and one that still waits counts with what it has waited', () => {
  const waiting = new WaitingTimes();
  for (const [index, wait] of [10, 20, 30].entries()) {
    waiting.created(`p${index}`, 1_000);
    waiting.placed(`p${index}`, 1_000 + wait);
  }
  expect(waiting.figures(5_000)).toEqual({ pods: 3, medianMs: 20, p95Ms: 30, worstMs: 30 });
  waiting.created('late', 4_000);
  expect(waiting.figures(5_000)).toMatchObject({ pods: 4, worstMs: 1_000 });
  expect(waiting.figures(6_000)).toMatchObject({ pods: 4, worstMs: 2_000 });
  expect(waiting.waitedMs('late', 6_000)).toBe(2_000);
});

test('a pod that is given up has waited until then', () => {
  const waiting = new WaitingTimes();
  waiting.created('p', 0);
  waiting.gone('p', 500);
  expect(waiting.figures(9_000)).toMatchObject({ pods: 1, worstMs: 500 });
});
