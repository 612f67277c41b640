import fc from 'fast-check';
import { Timeline, thinned } from '../../../../lab/console/snapshot/timeline';

const ROOM = { kind: 'node', taken: 0 } as const;

test('what did not change adds no point, and one moment has one point', () => {
  const timeline = new Timeline();
  timeline.add(0, { ...ROOM, wanted: 1, readyPods: 0 });
  timeline.add(5, { ...ROOM, wanted: 1, readyPods: 0 });
  timeline.add(9, { ...ROOM, wanted: 2, readyPods: 0 });
  timeline.add(9, { ...ROOM, wanted: 2, readyPods: 1 });
  expect(timeline.recent(10)).toEqual([
    { at: 0, wanted: 1, inUse: 0, free: 0 },
    { at: 9, wanted: 2, inUse: 0, free: 1 },
  ]);
});

test('thinning keeps the order, the last point and the limit', () => {
  const times = fc.uniqueArray(fc.nat(), { minLength: 1, maxLength: 300 });
  fc.assert(
    fc.property(times, fc.integer({ min: 3, max: 50 }), (all, most) => {
      const points = all.sort((a, b) => a - b).map((at) => ({ at, wanted: 1, inUse: 0, free: 1 }));
      const kept = thinned(points, most);
      expect(kept.length).toBeLessThanOrEqual(most);
      expect(kept.at(-1)).toEqual(points.at(-1));
      expect(kept).toEqual(points.filter((point) => kept.includes(point)));
    }),
  );
});

test('a long history stays small', () => {
  const timeline = new Timeline();
  for (let at = 0; at < 20_000; at += 1) timeline.add(at, { ...ROOM, wanted: at % 7, readyPods: 0 });
  expect(timeline.recent(10_000).length).toBeLessThanOrEqual(1_200);
});
