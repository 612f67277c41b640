import { figuresOf, headroomBy } from '../../../lab/learning/backtest';
import { type Demand, riseOf } from '../../../lab/learning/demand';
import { learn } from '../../../lab/learning/learn';
import { seededNoise } from './series';

const DAY_MINUTES = 1_440;
const FROM = Date.UTC(2026, 5, 1);
const OPTIONS = { leadMinutes: 5, cover: 0.99, most: 5, timezone: 'UTC' };

/** Four weeks: 5 nodes, 20 more from 09:00 to 18:00 on weekdays, with noise on every minute. */
function weekdayShop(sigma: number, seed: number): Demand {
  const noise = seededNoise(seed);
  const values = new Float64Array(28 * DAY_MINUTES).map((_, minute) => {
    const [day, clock] = [Math.floor(minute / DAY_MINUTES), minute % DAY_MINUTES];
    const busy = day % 7 < 5 && clock >= 540 && clock < 1_080;
    return Math.max(0, (busy ? 25 : 5) + sigma * noise());
  });
  return { from: FROM, values };
}

function proposedFor(demand: Demand) {
  const lesson = learn(demand, { ...OPTIONS, shapes: ['more', 'floor'], orRoom: true });
  const { hours } = figuresOf(headroomBy(lesson.plan, demand), riseOf(demand, OPTIONS.leadMinutes));
  const nodes = lesson.windows.map(({ window }) => window.replicas);
  return { ...lesson, hours: hours / 4, nodes };
}

const quiet = proposedFor(weekdayShop(0, 1));

test('a weekday shop without noise gets one floor of its size', () => {
  expect(quiet).toMatchObject({ shape: 'more', verdict: 'clear', nodes: [20] });
});

test.each([
  { sigma: 0.25, seed: 1 },
  { sigma: 0.5, seed: 2 },
  { sigma: 0.5, seed: 3 },
  { sigma: 0.75, seed: 4 },
  { sigma: 1, seed: 5 },
  { sigma: 1, seed: 6 },
])('a weekday shop with noise of $sigma keeps its floor at nearly the same cost ($seed)', ({ sigma, seed }) => {
  const { shape, verdict, hours, nodes, windows } = proposedFor(weekdayShop(sigma, seed));
  expect({ shape: shape === 'room', verdict, windows: windows.length }).toEqual({
    shape: false,
    verdict: 'clear',
    windows: 1,
  });
  expect(hours).toBeLessThanOrEqual(1.5 * quiet.hours);
  if (shape === 'more') expect(nodes[0]).toBeLessThanOrEqual(1.5 * 20);
});
