import { join } from 'node:path';
import { folderWith, runCli } from '../run-cli';
import { useAws } from '../session';
import { type FakeAws, fakeAws, MINUTE } from './fake-aws';

const POOL = `{
    max: 12, leadTime: 5m, price: 0.2, unit: { node: { cpu: 3, memory: 12Gi } },
    schedules: [{ name: lunch, timezone: Asia/Seoul, start: 30 11 * * *, end: 30 13 * * *, desiredReplicas: 6 }]
  }`;
let aws: FakeAws;
beforeAll(async () => {
  aws = await fakeAws();
});
afterAll(() => aws.server.close());
useAws(() => aws.server.url);

async function reportOn(count: number): Promise<number> {
  const pools = Array.from({ length: count }, (_, index) => `  pool-${index}: ${POOL}\n`);
  const folder = folderWith({
    'headroom.yaml': `cluster: { name: shop, region: us-east-1 }\nnodePools:\n${pools.join('')}`,
  });
  const began = process.cpuUsage();
  const { code, out } = await runCli(['report', '-c', join(folder, 'headroom.yaml'), '--from', '30d', '--json']);
  const { user, system } = process.cpuUsage(began);
  expect(code).toBe(0);
  expect(
    JSON.parse(out).pools.map((pool: { windows: { occurrences: unknown[] }[] }) => pool.windows[0]?.occurrences.length),
  ).toEqual(Array(count).fill(30));
  return user + system;
}

/** As a ratio of CPU times in one process, which the values of the fake AWS are part of: machines differ, and are busy. */
test('a report on a month grows no faster than the number of NodePools', async () => {
  aws.pointsAPage = 1_440;
  aws.valueAt = (_metric, _pool, at) => (((at / MINUTE + 9 * 60) % 1_440) / 60 > 12 ? 6 : 0);
  await reportOn(1);
  const few = await reportOn(5);
  const many = await reportOn(20);
  // Four times as many; quadratic growth would be sixteen.
  expect(many / few).toBeLessThan(8);
});
