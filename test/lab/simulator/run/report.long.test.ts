import { reportOf } from '../../../../shared/report/report';
import { wrongBounds } from './report-bounds';
import { runWeeks, TWO_WEEKS } from './two-weeks';

test.each([2, 3, 4, 5])('every bound of a report on two weeks contains the truth: seed %i', async (seed) => {
  expect(wrongBounds(await runWeeks(seed, 14))).toEqual([]);
});

test.each([35, 50, 70, 90, 120, 180])('what work took is found however fast nodes start: in %i s', async (seconds) => {
  const weeks = await runWeeks(11, 2, seconds);
  expect(wrongBounds(weeks)).toEqual([]);
  for (const { name, inAll } of reportOf(TWO_WEEKS, weeks.span, weeks.history).pools) {
    const really = weeks.truths.get(name)?.preempted.filter((at) => at >= weeks.span.from && at < weeks.span.to) ?? [];
    if (inAll.takenAtLeast !== undefined) expect(inAll.takenAtLeast).toBeGreaterThanOrEqual(really.length * 0.95);
  }
});
