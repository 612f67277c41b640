import fc from 'fast-check';
import { TimerQueue } from '../../../../lab/simulator/deterministic/timer-queue';

test('items come out by time, and at one time in the order in which they were added', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 20 })), (times) => {
      const queue = new TimerQueue<{ at: number; index: number }>();
      for (const [index, at] of times.entries()) queue.add(at, { at, index });
      const expected = times.map((at, index) => ({ at, index })).sort((a, b) => a.at - b.at || a.index - b.index);
      expect(queue.nextAt).toBe(expected[0]?.at);
      expect(queue.takeDue(20)).toEqual(expected);
      expect(queue.nextAt).toBeUndefined();
    }),
  );
});

test('what is not due stays', () => {
  const queue = new TimerQueue<string>();
  queue.add(30, 'later');
  queue.add(10, 'now');
  expect(queue.takeDue(10)).toEqual(['now']);
  expect(queue.nextAt).toBe(30);
});
