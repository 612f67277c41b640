import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderWith, runCli } from '../run-cli';
import { DAY, type FakeAws, fakeAws, MINUTE, NOW_SECONDS, useFakeAws } from './fake-aws';

const CONFIG = `
cluster: { name: shop, region: ap-northeast-2 }
nodePools:
  default:
    max: 12
    leadTime: 5m
    price: 0.2
    unit: { node: { cpu: 3, memory: 12Gi } }
    interruptions: { surge: 1 }
    schedules:
      - { name: lunch, timezone: Asia/Seoul, start: 30 11 * * *, end: 30 13 * * *, desiredReplicas: 6 }
`;
const folder = folderWith({ 'headroom.yaml': CONFIG });
const file = join(folder, 'headroom.yaml');
const HOUR = 3_600;
/** Lunch begins at 02:30 UTC; NOW is 11:00 UTC. */
const lunchOf = (day: number) => NOW_SECONDS - 8.5 * HOUR - day * DAY;

const before = { ...process.env };
let aws: FakeAws;
beforeAll(async () => {
  aws = await fakeAws();
});
beforeEach(() => {
  useFakeAws(aws.server.url);
  Object.assign(aws, { lines: [], asked: [], refused: [], pointsAPage: 500, valueAt: lunch });
});
afterEach(() => {
  for (const key of Object.keys(process.env)) if (!(key in before)) delete process.env[key];
  Object.assign(process.env, before);
});
afterAll(() => aws.server.close());

/** Six from 11:25 to 13:30 in Seoul, ready after two minutes. Work takes two for ten minutes at noon. */
function lunch(metric: string, _pool: string, at: number): number {
  const minute = ((at / MINUTE + 9 * 60) % 1_440) - (11 * 60 + 25);
  if (minute < 0 || minute >= 125) return 0;
  if (metric === 'DesiredHeadroom') return 6;
  if (minute < 2) return 0;
  return minute >= 35 && minute < 45 ? 4 : 6;
}

const report = (...words: string[]) => runCli(['report', '-c', file, ...words]);
const pools = async (...words: string[]) => JSON.parse((await report('--json', ...words)).out).pools;

test('a week from pages of metrics: hours and cost at most, units taken at least', async () => {
  aws.pointsAPage = 100;
  const { code, out, err } = await report();
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toBe('');
});
