import { join } from 'node:path';
import { folderWith, runCli } from '../../cli/run-cli';
import { ONE_POOL } from './one-pool';

const FROM = Date.UTC(2026, 10, 2);

/** Fourteen days of 2 units, and 8 from 11:30 to 13:30 UTC. */
function lunches(): string {
  const rows = Array.from({ length: 14 * 96 + 1 }, (_, quarter) => {
    const hours = (quarter % 96) / 4;
    const time = new Date(FROM + quarter * 900_000).toISOString();
    return `${time},default,${hours >= 11.5 && hours < 13.5 ? 8 : 2}`;
  });
  return ['time,pool,pods', ...rows].join('\n');
}

const WINDOW = `
    schedules:
      - { name: lunch, timezone: UTC, start: 0 11 * * *, end: 0 14 * * *, desiredReplicas: 3 }
`;

test('says what the config of a week ago covered on the days since', async () => {
  const folder = folderWith({
    'headroom.yaml': ONE_POOL,
    'before.yaml': `${ONE_POOL.trimEnd()}${WINDOW}`,
    'demand.csv': lunches(),
  });
  const args = ['suggest', '--demand', join(folder, 'demand.csv'), '-c', join(folder, 'headroom.yaml')];
  const before = ['--last-week', join(folder, 'before.yaml')];
  const { code, out } = await runCli([...args, ...before]);
  expect(code).toBe(0);
  // Three of six; three hours and five minutes a day.
  expect(out).toContain(
    'default: in the last 7 days the config of a week ago covered 50 % of the rise and held 64.8 node-hours.',
  );
  const { lastWeek } = JSON.parse((await runCli([...args, ...before, '--json'])).out);
  expect(lastWeek).toEqual({ default: { share: 0.5, hours: 3 * (3 + 5 / 60) * 7 } });
  const missing = await runCli([...args, '--last-week', join(folder, 'none.yaml')]);
  expect(missing).toMatchObject({ code: 1, err: expect.stringContaining('--last-week') });
});
