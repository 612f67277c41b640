import fc from 'fast-check';
import { reportOf } from '../../../../shared/report/report';
import { wrongBounds } from './report-bounds';
import { runWeeks, TWO_WEEKS, type Weeks } from './two-weeks';

test.each([2, 3, 4, 5])('every bound of a report on two weeks contains the truth: seed %i', async (seed) => {
  expect(wrongBounds(await runWeeks(seed, 14))).toEqual([]);
});

test.each([35, 50, 70, 90, 120, 180])(
  'in a working week what work took is found however fast nodes start: in %i s',
  async (nodeSeconds) => {
    const weeks = await runWeeks(11, 5, { nodeSeconds });
    expect(wrongBounds(weeks)).toEqual([]);
    const { said, really } = takesOf(weeks);
    expect(really).toBeGreaterThan(20);
    expect(said).toBeGreaterThanOrEqual(0.95 * really);
  },
);

test('so it is with any seed and node time, with heartbeats and notices lost, doubled or late, and an API that fails', async () => {
  const rate = (most: number) => fc.double({ min: 0, max: most, noNaN: true });
  const faults = fc.record({ lost: rate(0.15), doubled: rate(0.15), late: rate(0.1), apiErrors: rate(0.03) });
  const week = fc.record({ seed: fc.nat(1e6), nodeSeconds: fc.integer({ min: 35, max: 180 }), faults });
  await fc.assert(
    fc.asyncProperty(week, async ({ seed, ...more }) => {
      const weeks = await runWeeks(seed, 3, more);
      // Of a notice that is lost nobody knows; the nodes that go then go without one.
      const known = wrongBounds(weeks).filter((wrong) => !wrong.includes('notices, said at most'));
      expect(known).toEqual([]);
      const { said, really } = takesOf(weeks);
      expect(said).toBeGreaterThanOrEqual(0.95 * really);
    }),
    { numRuns: 6, endOnFailure: true },
  );
});

/** The units of room that work took: as the report says, and in truth. */
function takesOf({ history, truths, span }: Weeks): { readonly said: number; readonly really: number } {
  const [room] = reportOf(TWO_WEEKS, span, history).pools;
  const really = truths.get('room')?.preempted.filter((at) => at >= span.from && at < span.to) ?? [];
  return { said: room?.inAll.takenAtLeast ?? 0, really: really.length };
}
