import { reportOf } from '../../../../shared/report/report';
import { wrongBounds } from './report-bounds';
import { runWeeks, TWO_WEEKS, type Weeks } from './two-weeks';

let weeks: Weeks;
beforeAll(async () => {
  weeks = await runWeeks(1, 4);
}, 120_000);

test('every bound contains the truth: as it was, with coarser data, with holes, and without a log', () => {
  expect(wrongBounds(weeks)).toEqual([]);
});

test('lunch, the late start, the storm, the override and the unused window are all seen', () => {
  const [room, floor] = reportOf(TWO_WEEKS, weeks.span, weeks.history).pools;
  const [lunch, unused] = room?.windows ?? [];
  expect(lunch?.occurrences.map(({ verdict }) => verdict)).toEqual(['ready', 'late', 'ready', 'ready']);
  expect(lunch?.occurrences[1]).toMatchObject({ why: expect.stringContaining('still starting') });
  expect(lunch?.takenAtLeast).toBeGreaterThan(0);
  expect(unused?.takenAtLeast).toBe(0);
  expect(room?.surges).toHaveLength(2);
  expect(room?.overrides).toMatchObject([{ by: 'ana', reason: 'sale', replicas: 9, nodeHoursAtMost: 9 }]);
  expect(room?.unseenMs).toBe(0);
  // Six more nodes than there were, for two hours and the lead time, and a minute at each end.
  const [first] = floor?.windows[0]?.occurrences ?? [];
  expect(first?.nodeHoursAtMost).toBeCloseTo((6 * 125) / 60, 0);
  expect(first).not.toHaveProperty('takenAtLeast');
});
