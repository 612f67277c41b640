import { wrongBounds } from './report-bounds';
import { runWeeks } from './two-weeks';

test.each([2, 3, 4, 5])('every bound of a report on two weeks contains the truth: seed %i', async (seed) => {
  expect(wrongBounds(await runWeeks(seed, 14))).toEqual([]);
});
