import { figuresOf, headroomBy } from '../../../lab/learning/backtest';
import { type Demand, riseOf } from '../../../lab/learning/demand';
import { settled, stillCovers } from '../../../lab/learning/hysteresis';
import { learn } from '../../../lab/learning/learn';

const OPTIONS = { leadMinutes: 5, cover: 0.99, most: 5, timezone: 'UTC', shapes: ['room'] } as const;
const MONDAY = Date.UTC(2026, 7, 3);

/** Two weeks; for an hour after each of these hours, so many more nodes are needed. */
function peaks(sizes: Readonly<Record<number, number>>): Demand {
  const values = new Float64Array(14 * 1_440).map((_, at) => 5 + (sizes[Math.floor((at % 1_440) / 60)] ?? 0));
  return { from: MONDAY, values };
}

/** Windows that were learned from one demand, kept current with another. */
function keptCurrent(before: Demand, now: Demand) {
  const { plan: standing } = learn(before, OPTIONS);
  const fresh = learn(now, OPTIONS);
  const { news, plan } = settled(fresh, standing, now);
  return { standing, fresh: fresh.plan, plan, news };
}

const shareOf = (plan: Parameters<typeof headroomBy>[0], demand: Demand) =>
  figuresOf(headroomBy(plan, demand), riseOf(demand, OPTIONS.leadMinutes)).share;

describe('windows in place', () => {
  test('stay while demand stays', () => {
    const { plan, standing, news } = keptCurrent(peaks({ 9: 20, 15: 20 }), peaks({ 9: 20, 15: 20 }));
    expect(news).toBeUndefined();
    expect(plan).toBe(standing);
  });

  test('stay where they are as good as their successors, when others change', () => {
    const { plan, standing, fresh } = keptCurrent(peaks({ 9: 20, 15: 20 }), peaks({ 9: 40, 15: 20 }));
    expect(plan.windows).toEqual([fresh.windows[0], standing.windows[1]]);
    expect(plan.windows[1]).toBe(standing.windows[1]);
  });

  test('never stand in for a window at another time, however small that one is', () => {
    const now = peaks({ 9: 40, 15: 40, 20: 1 });
    const { plan, fresh } = keptCurrent(peaks({ 9: 20, 15: 40 }), now);
    expect(new Set(plan.windows).size).toBe(fresh.windows.length);
    expect(shareOf(plan, now)).toBeCloseTo(shareOf(fresh, now), 3);
  });

  test('change for a rise that they miss a little of, also if they cover as much as was asked for', () => {
    const now = peaks({ 9: 100, 15: 1 });
    const { news, plan } = keptCurrent(peaks({ 9: 100 }), now);
    expect(news).toBeDefined();
    expect(shareOf(plan, now)).toBeGreaterThan(0.999);
  });

  test('do without one of them only if that loses no more than a tenth of a point, or is not learned any more', () => {
    const [both, one] = [peaks({ 9: 100, 15: 1 }), peaks({ 9: 100 })];
    const { plan: standing } = learn(both, OPTIONS);
    const left = { ...standing, windows: standing.windows.slice(0, 1) };
    expect(standing.windows).toHaveLength(2);
    expect(stillCovers(learn(both, OPTIONS), standing, left, both)).toBe(false);
    expect(stillCovers(learn(one, OPTIONS), standing, left, one)).toBe(true);
    // Windows that nobody would learn need not be matched.
    expect(stillCovers({ ...learn(both, OPTIONS), plan: left }, standing, left, both)).toBe(true);
  });
});
