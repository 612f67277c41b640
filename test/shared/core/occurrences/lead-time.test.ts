import fc from 'fast-check';
import { ENOUGH_NODES, leadTimeOf } from '../../../../shared/core/occurrences/lead-time';

const starts = (seconds: readonly number[]) => ({
  nodeStarts: Object.fromEntries(seconds.map((one, i) => [`2026-11-17T03:00:00Z/${i}`, one])),
});
const auto = (minMinutes: number, maxMinutes: number, heartbeatMinutes = 1) => ({
  leadMinutes: 6,
  autoLead: { minMinutes, maxMinutes, heartbeatMinutes },
});
const many = fc.array(fc.integer({ min: 0, max: 3_600 }), { minLength: ENOUGH_NODES, maxLength: 40 });

test('a lead time that is written is not learned', () => {
  expect(leadTimeOf({ leadMinutes: 5 }, starts([900, 900, 900, 900, 900]))).toEqual({ minutes: 5 });
});

test('a slower node never shortens it', () => {
  fc.assert(
    fc.property(many, fc.nat(), fc.integer({ min: 0, max: 900 }), (seconds, index, more) => {
      const slower = seconds.map((one, i) => (i === index % seconds.length ? one + more : one));
      const minutes = (all: readonly number[]) => leadTimeOf(auto(2, 15), starts(all)).minutes;
      expect(minutes(slower)).toBeGreaterThanOrEqual(minutes(seconds));
    }),
  );
});

test('it is a heartbeat more than its bounds at most, and 95 % of the nodes are ready within it where max allows', () => {
  fc.assert(
    fc.property(many, fc.integer({ min: 1, max: 10 }), (seconds, heartbeat) => {
      const { minutes, nodes } = leadTimeOf(auto(2, 15, heartbeat), starts(seconds));
      expect(minutes - heartbeat).toBeGreaterThanOrEqual(2);
      expect(minutes - heartbeat).toBeLessThanOrEqual(15);
      expect(Number.isInteger(minutes)).toBe(true);
      expect(nodes).toBe(seconds.length);
      const ready = seconds.filter((one) => one <= (minutes - heartbeat) * 60).length;
      if (minutes - heartbeat < 15) expect(ready / seconds.length).toBeGreaterThanOrEqual(0.95);
    }),
  );
});
