import { parseCron } from '../../../../shared/core/windows/cron';
import { matchesDay } from '../../../../shared/core/windows/cron-times';
import { edgeRules } from '../../../../shared/core/windows/day-edges';
import { localMillis } from '../../../../shared/core/windows/window';
import { at, cronWindow, iso } from './sample-windows';

test.each(['2026-11-27T08:00', '2026-11-27 08:00', '2026-11-27T08:00:00', '2026-11-27 08:00:00'])(
  '%s is eight on the clock',
  (text) => {
    expect(iso(localMillis(text))).toBe('2026-11-27T08:00:00.000Z');
  },
);

describe('an excluded date', () => {
  const window = cronWindow('0 9 * * *', '0 17 * * *', 'UTC', { excludeDates: ['2026-12-25', '2026-12-31'] });

  test.each([
    { date: '2026-12-24', excluded: false },
    { date: '2026-12-25', excluded: true },
    { date: '2026-12-26', excluded: false },
    { date: '2026-12-31', excluded: true },
    { date: '2027-12-25', excluded: false },
  ])('$date: $excluded', ({ date, excluded }) => {
    expect(edgeRules(window).starts.skips(at(date))).toBe(excluded);
  });
});

describe('an expression fires on a day', () => {
  // 2026-11-16 is a Monday.
  test.each([
    { cron: '0 9 * * *', fires: true },
    { cron: '0 9 * 11 *', fires: true },
    { cron: '0 9 * 10,12 *', fires: false },
    { cron: '0 9 * * MON', fires: true },
    { cron: '0 9 * * TUE', fires: false },
    { cron: '0 9 16 * *', fires: true },
    { cron: '0 9 17 * *', fires: false },
    { cron: '0 9 16 * TUE', fires: true },
    { cron: '0 9 17 * MON', fires: true },
    { cron: '0 9 17 * TUE', fires: false },
    { cron: '0 9 16 10 MON', fires: false },
  ])('$cron on Monday, November 16: $fires', ({ cron, fires }) => {
    expect(matchesDay(parseCron(cron), 11, 16, 1)).toBe(fires);
  });
});
