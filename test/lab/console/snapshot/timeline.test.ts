import fc from 'fast-check';
import { Timeline, thinned } from '../../../../lab/console/snapshot/timeline';

test('replicas that lost their place count as used until they have a new one', () => {
  const timeline = new Timeline();
  timeline.add(0, { wanted: 6, ready: 0 });
  timeline.add(50, { wanted: 6, ready: 6 });
  timeline.add(60, { wanted: 6, ready: 4 });
  timeline.add(110, { wanted: 6, ready: 5 });
  timeline.add(120, { wanted: 6, ready: 6 });
  expect(timeline.recent(10).map(({ used }) => used)).toEqual([0, 0, 2, 1, 0]);
});

test('a headroom that is made smaller uses nothing', () => {
  const timeline = new Timeline();
  timeline.add(0, { wanted: 6, ready: 6 });
  timeline.add(10, { wanted: 0, ready: 6 });
  timeline.add(11, { wanted: 0, ready: 0 });
  expect(timeline.last).toEqual({ at: 11, wanted: 0, ready: 0, used: 0 });
});

test('what did not change adds no point, and one moment has one point', () => {
  const timeline = new Timeline();
  timeline.add(0, { wanted: 1, ready: 0 });
  timeline.add(5, { wanted: 1, ready: 0 });
  timeline.add(9, { wanted: 2, ready: 0 });
  timeline.add(9, { wanted: 2, ready: 1 });
  expect(timeline.recent(10)).toEqual([
    { at: 0, wanted: 1, ready: 0, used: 0 },
    { at: 9, wanted: 2, ready: 1, used: 0 },
  ]);
});

test('thinning keeps the order, the last point and the limit', () => {
  const times = fc.uniqueArray(fc.nat(), { minLength: 1, maxLength: 300 });
  fc.assert(
    fc.property(times, fc.integer({ min: 3, max: 50 }), (all, most) => {
      const points = all.sort((a, b) => a - b).map((at) => ({ at, wanted: 1, ready: 1, used: 0 }));
      const kept = thinned(points, most);
      expect(kept.length).toBeLessThanOrEqual(most);
      expect(kept.at(-1)).toEqual(points.at(-1));
      expect(kept).toEqual(points.filter((point) => kept.includes(point)));
    }),
  );
});

test('a long history stays small', () => {
  const timeline = new Timeline();
  for (let at = 0; at < 20_000; at += 1) timeline.add(at, { wanted: at % 7, ready: 0 });
  expect(timeline.recent(10_000).length).toBeLessThanOrEqual(1_200);
});
