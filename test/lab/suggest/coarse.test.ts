import { join } from 'node:path';
import { folderWith, runCli } from '../../cli/run-cli';
import { ONE_POOL } from './one-pool';

const FROM = Date.UTC(2026, 10, 2);

/** Twenty-one days of 2 units, and 8 from 12:00 to 15:00 UTC, recorded every so many minutes. */
function lunches(every: number): string {
  const rows = Array.from({ length: (21 * 1_440) / every + 1 }, (_, index) => {
    const hours = ((index * every) / 60) % 24;
    return `${new Date(FROM + index * every * 60_000).toISOString()},default,${hours >= 12 && hours < 15 ? 8 : 2}`;
  });
  return ['time,pool,pods', ...rows].join('\n');
}

async function learned(every: number) {
  const folder = folderWith({ 'headroom.yaml': ONE_POOL, 'demand.csv': lunches(every) });
  const words = ['--demand', join(folder, 'demand.csv'), '-c', join(folder, 'headroom.yaml'), '--timezone', 'UTC'];
  const { schedules, findings } = JSON.parse((await runCli(['suggest', ...words, '--json'])).out).nodePools.default;
  const clock = (cron: string) => Number(cron.split(' ')[1]) + Number(cron.split(' ')[0]) / 60;
  return { from: clock(schedules[0].start), to: clock(schedules[0].end), findings: findings.join(' ') };
}

test('demand that is recorded every hour gets a window over the whole hour in which it climbed', async () => {
  const { from, to, findings } = await learned(60);
  expect(from).toBeLessThanOrEqual(11);
  expect(to).toBeGreaterThanOrEqual(12);
  expect(findings).toContain(
    'The history has a value every 1 h, which is coarser than the lead time of 5 min: demand may climb at any time between two values, so no window is shorter than that',
  );
});

test('demand that is recorded every minute gets a window around the minute of the climb', async () => {
  const { from, findings } = await learned(1);
  expect(from).toBeGreaterThan(11);
  expect(findings).not.toContain('coarser');
});
