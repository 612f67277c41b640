import { type Demand, MINUTE } from '../../../lab/learning/demand';
import { learn } from '../../../lab/learning/learn';
import { toLocal } from '../../../shared/core/windows/zone';

/** Ten weeks: 4 nodes, 10 more from 09:00 to 18:00 on weekdays, 6 more from 14:00 to 20:00 at weekends, by a local clock. */
function tenWeeks(timezone: string, from: number): Demand {
  const values = new Float64Array(70 * 1_440).map((_, minute) => {
    const local = new Date(toLocal(timezone, from + minute * MINUTE));
    const hour = local.getUTCHours();
    if ([0, 6].includes(local.getUTCDay())) return hour >= 14 && hour < 20 ? 10 : 4;
    return hour >= 9 && hour < 18 ? 14 : 4;
  });
  return { from, values };
}

const OPTIONS = { leadMinutes: 5, cover: 0.99, most: 5 };
const WINDOWS = [
  ['0 9 * * MON-FRI', '0 18 * * MON-FRI', 10],
  ['0 14 * * SAT,SUN', '0 20 * * SAT,SUN', 6],
];

describe.each([
  { timezone: 'Europe/Berlin', changes: '2026-03-29', from: Date.UTC(2026, 1, 15) },
  { timezone: 'America/New_York', changes: '2026-11-01', from: Date.UTC(2026, 8, 20) },
])('ten weeks of $timezone with the clock change of $changes', ({ timezone, from }) => {
  const demand = tenWeeks(timezone, from);

  test('give the windows that made them', () => {
    const { windows, verdict } = learn(demand, { ...OPTIONS, timezone, shapes: ['more'] });
    expect(verdict).toBe('clear');
    expect(windows.map(({ window }) => [window.startText, window.endText, window.replicas])).toEqual(WINDOWS);
  });
});
