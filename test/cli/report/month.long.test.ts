import { join } from 'node:path';
import { folderWith, runCli } from '../run-cli';
import { fakeAws, MINUTE, useFakeAws } from './fake-aws';

const POOL = `{
    max: 12, leadTime: 5m, price: 0.2, unit: { node: { cpu: 3, memory: 12Gi } },
    schedules: [{ name: lunch, timezone: Asia/Seoul, start: 30 11 * * *, end: 30 13 * * *, desiredReplicas: 6 }]
  }`;
const before = { ...process.env };
afterAll(() => {
  for (const key of Object.keys(process.env)) if (!(key in before)) delete process.env[key];
});

/** In CPU time, which the two million values of the fake AWS are part of: a busy machine is not a failure. */
test('a month of 20 NodePools takes less than ten seconds', async () => {
  const aws = await fakeAws();
  useFakeAws(aws.server.url);
  aws.pointsAPage = 1_440;
  aws.valueAt = (_metric, _pool, at) => (((at / MINUTE + 9 * 60) % 1_440) / 60 > 12 ? 6 : 0);
  const pools = Array.from({ length: 20 }, (_, index) => `  pool-${index}: ${POOL}\n`);
  const folder = folderWith({
    'headroom.yaml': `cluster: { name: shop, region: us-east-1 }\nnodePools:\n${pools.join('')}`,
  });
  const began = process.cpuUsage();
  const { code, out } = await runCli(['report', '-c', join(folder, 'headroom.yaml'), '--from', '30d', '--json']);
  const { user, system } = process.cpuUsage(began);
  await aws.server.close();
  expect(code).toBe(0);
  expect(
    JSON.parse(out).pools.map((pool: { windows: { occurrences: unknown[] }[] }) => pool.windows[0]?.occurrences.length),
  ).toEqual(Array(20).fill(30));
  expect((user + system) / 1e6).toBeLessThan(10);
});
