import { type Demand, endOf, MINUTE } from '../../../lab/learning/demand';
import { learn } from '../../../lab/learning/learn';
import { chooseZone } from '../../../lab/learning/zone-choice';
import { isOpen } from '../../../shared/core/windows/is-open';
import { toLocal } from '../../../shared/core/windows/zone';

const DAY = 86_400_000;

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
    const zone = chooseZone(demand, [timezone, 'UTC']);
    expect(zone.timezone).toBe(timezone);
    const { windows, verdict } = learn(demand, { ...OPTIONS, ...zone, shapes: ['more'] });
    expect(verdict).toBe('clear');
    expect(windows.map(({ window }) => [window.startText, window.endText, window.replicas])).toEqual(WINDOWS);
  });

  test('show a zone that changes its clock alike, even where the config names another', () => {
    const zone = chooseZone(demand, ['Asia/Seoul', 'UTC']);
    expect(['Asia/Seoul', 'UTC']).not.toContain(zone.timezone);
    const { windows } = learn(demand, { ...OPTIONS, ...zone, shapes: ['more'] });
    const wrong: string[] = [];
    // The same instants, before the change and after it.
    for (const day of [from + 7 * DAY, endOf(demand) - 7 * DAY])
      for (let at = day; at < day + 7 * DAY; at += 60 * MINUTE) {
        const busy = (demand.values[(at - from) / MINUTE] as number) > 4;
        if (windows.some(({ window }) => isOpen(window, at)) !== busy) wrong.push(new Date(at).toISOString());
      }
    expect(wrong).toEqual([]);
  });
});

test('a history without a clock change keeps the zone of the config', () => {
  const demand = tenWeeks('Asia/Seoul', Date.UTC(2026, 1, 15));
  expect(chooseZone(demand, ['Asia/Seoul'])).toEqual({ timezone: 'Asia/Seoul' });
});
