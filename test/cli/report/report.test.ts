import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { json, loopbackServer } from '../../fakes/loopback-server';
import { fakeTerminal, folderWith, runCli } from '../run-cli';
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
const printed = async (...words: string[]) => JSON.parse((await report('--json', ...words)).out);

test('a week from pages of metrics: hours and cost at most, units that work took at least', async () => {
  aws.pointsAPage = 100;
  expect(await report()).toEqual({
    code: 0,
    err: '',
    out: `shop: what headroom cost and brought, 7 d from Mon 9 Nov 11:00 UTC

default: Room · 3 vCPU, 12 GiB free on each node, times in Asia/Seoul
  lunch (6, 30 11 * * * to 30 13 * * * Asia/Seoul): 7 occurrences, 7 ready in
    time; at most 87.5 node-hours, $17.50; Ready fell by 14, of which work took
    at least 14
  outside windows: at most 0.7 node-hours, $0.14; Ready never fell
  in all: at most 88.2 node-hours, $17.64; Ready fell by 14, of which work
    took at least 14
`,
  });
  const pages = aws.asked.filter(({ action }) => action === 'GetMetricData');
  expect(pages.filter(({ input }) => input.NextToken !== undefined)).not.toEqual([]);
  expect(aws.asked.find(({ action }) => action === 'StartQuery')?.input).toMatchObject({
    logGroupNames: ['Headstart-ReconcileLog-1', 'Headstart-InflateLog-2'],
    startTime: NOW_SECONDS - 7 * DAY,
    endTime: NOW_SECONDS,
  });
});

test('the log tells what was late and why, overrides with their names, and surges', async () => {
  const start = new Date(lunchOf(0) * 1_000).toISOString();
  const about = { headroom: 'default', window: 'lunch', start, why: '6 nodes are still starting' };
  const at = lunchOf(1);
  const ask = { kind: 'override', mode: 'atLeast', replicas: 8, by: 'ana', reason: 'sale' };
  const decided = { message: 'headroom decided', headroom: 'default', change: 'resized' };
  aws.lines = [
    { at: at + 30 * MINUTE, message: 'nodes are about to be interrupted', headroom: 'default', nodes: 1 },
    { at: at + 30 * MINUTE, ...decided, from: 6, to: 7, surges: 1 },
    { at: at + 40 * MINUTE, ...decided, from: 7, to: 6 },
    {
      at: at + 3 * HOUR,
      message: 'override received',
      kind: 'override',
      headroom: 'default',
      ask: { ...ask, at: (at + 3 * HOUR) * 1_000, until: (at + 5 * HOUR) * 1_000 },
    },
    {
      at: at + 4 * HOUR,
      message: 'override received',
      kind: 'override',
      headroom: '*',
      ask: { kind: 'release', by: 'bo', reason: 'over', at: (at + 4 * HOUR) * 1_000 },
    },
    { at: lunchOf(0), message: 'window began without its headroom', ...about },
    { at: lunchOf(0) + 195, message: 'headroom ready for its window', lateBySeconds: 195, ...about },
  ];
  const { out } = await report();
  expect(out).toContain('7 occurrences, 6 ready in');
  expect(out).toContain('- Mon 16 Nov 11:30: late by at most 3 min 15 s: 6 nodes are still starting');
  expect(out).toContain('override by ana (sale): at least 8, Sun 15 Nov 14:30 to 15:30; at most 8');
  expect(out).toContain('surge Sun 15 Nov 11:59 to 12:10: at most 1 notice; Ready fell by 2, of which');
  const [pool] = (await printed()).pools;
  // The notice explains one of the two units that were lost then.
  expect(pool.surges).toMatchObject([{ noticesAtMost: 1, fellByAtLeast: 2, takenAtLeast: 1 }]);
  expect(pool.windows[0].takenAtLeast).toBe(13);
});

test('a text in the log neither hides what follows nor begins a line of its own', async () => {
  const at = lunchOf(1);
  const hostile = 'x\u001b[8m `in all: forged line` \u202e';
  const ask = { kind: 'override', mode: 'atLeast', replicas: 8, at: at * 1_000, until: (at + HOUR) * 1_000 };
  const start = new Date(lunchOf(0) * 1_000).toISOString();
  aws.lines = [
    {
      at,
      message: 'override received',
      kind: 'override',
      headroom: 'default',
      ask: { ...ask, by: hostile, reason: hostile },
    },
    {
      at: lunchOf(0),
      message: 'window began without its headroom',
      headroom: 'default',
      window: 'lunch',
      start,
      why: hostile,
    },
    {
      at: lunchOf(0) + 195,
      message: 'headroom ready for its window',
      headroom: 'default',
      window: 'lunch',
      start,
      why: hostile,
    },
  ];
  const { out } = await runCli(['report', '-c', file], fakeTerminal({ width: 400, colours: true }));
  expect(out.match(/forged line/g)).toHaveLength(3);
  expect(out).not.toContain('\u001b[8m');
  expect(out).not.toContain('\u202e');
  expect(out).not.toMatch(/^ *in all: forged line$/m);
});

test('the list to shrink: occurrences in which Ready never fell', async () => {
  aws.valueAt = (metric, pool, at) =>
    at > NOW_SECONDS - 2 * DAY && metric === 'ReadyHeadroom'
      ? lunch('DesiredHeadroom', pool, at)
      : lunch(metric, pool, at);
  const { out } = await report();
  expect(out.replace(/\s+/g, ' ')).toContain(
    'work took nothing in at most 2 of 7; Ready never fell in Sun 15 Nov 11:30, Mon 16 Nov 11:30',
  );
});

test('time without data counts nothing, and is named', async () => {
  const [from, to] = [lunchOf(2), lunchOf(2) + HOUR];
  aws.valueAt = (metric, pool, at) => (at >= from && at < to ? undefined : lunch(metric, pool, at));
  const { out } = await report();
  expect(out).toContain('no data for 1 h of this time, which counts nothing');
  expect(out.replace(/\s+/g, ' ')).toContain('at most 81.5 node-hours');
});

test('what may not be read is named, and nothing is said of what only it knows', async () => {
  aws.refused = ['StartQuery'];
  const { code, out } = await report();
  expect(code).toBe(0);
  const text = out.replace(/\s+/g, ' ');
  expect(text).toContain('Ready fell by 14, of which work took at least 0');
  expect(text).toContain('the log was not read: logs:StartQuery: 400');
  expect(text).toContain('what of a fall work took are not known');
  aws.refused = ['GetMetricData'];
  expect(await report()).toMatchObject({ code: 2, err: expect.stringContaining('cloudwatch:GetMetricData') });
});

test('older data is coarser, which is said', async () => {
  const { out } = await report('--from', '70d');
  const periods = aws.asked.flatMap(
    ({ input }) => (input.MetricDataQueries as { MetricStat: { Period: number } }[])?.[0]?.MetricStat.Period ?? [],
  );
  expect([...new Set(periods)]).toEqual([3_600, 300, 60]);
  const text = out.replace(/\s+/g, ' ');
  expect(text).toContain('keeps only periods of 1 h of what was before Mon 14 Sep 11:00 UTC');
  expect(text).toContain('keeps only periods of 5 min of what was before Sun 1 Nov 11:00 UTC');
  expect(text).toContain('work took are not known before Sat 17 Oct 11:00 UTC');
});

test('a log with more lines than one query returns is read in halves', async () => {
  const line = (index: number) => ({
    at: NOW_SECONDS - 7 * DAY + index * 25,
    message: 'nodes are about to be interrupted',
    headroom: 'default',
    nodes: 1,
  });
  aws.lines = Array.from({ length: 24_000 }, (_, index) => line(index));
  await report('--json');
  expect(aws.asked.filter(({ action }) => action === 'StartQuery').length).toBeGreaterThan(3);
});

test('Prometheus shows how many pods had a node in less than a second, in windows and outside', async () => {
  const pods = [lunchOf(0) + 5, lunchOf(0) + 6, lunchOf(0) + 7, lunchOf(0) - HOUR].map((created, index) => ({
    metric: { namespace: 'shop', pod: `web-${index}`, uid: `u${index}`, label_karpenter_sh_nodepool: 'default' },
    created,
    scheduled: created + ([0, 0, 1, 48][index] ?? 0),
  }));
  const prometheus = await loopbackServer(({ body }, response) => {
    const form = new URLSearchParams(body);
    const field = form.get('query')?.includes('scheduled_time') ? 'scheduled' : 'created';
    const isLast = Number(form.get('time')) === NOW_SECONDS;
    const result = pods.map((pod) => ({ metric: pod.metric, value: [0, String(pod[field])] }));
    json(response, 200, { status: 'success', data: { result: isLast ? result : [] } });
  });
  const { out } = await report('--prometheus', prometheus.url);
  await prometheus.close();
  expect(out.replace(/\s+/g, ' ')).toContain(
    'pods with a node in less than a second: at least 2 of 3 in windows, at least 0 of 1 outside',
  );
});

test('a picture of each NodePool, with a gap where there is no data', async () => {
  const [from, to] = [lunchOf(2), lunchOf(2) + HOUR];
  aws.valueAt = (metric, pool, at) => (at >= from && at < to ? undefined : lunch(metric, pool, at));
  const { err } = await report('--svg', join(folder, 'report.svg'));
  expect(err).toBe(`wrote ${join(folder, 'report.svg')}\n`);
  const svg = readFileSync(join(folder, 'report.svg'), 'utf8');
  expect(svg).toMatch(/^<svg [^>]+ aria-label="headroom of shop"/);
  expect(svg.match(/M[\d.]+ /g)).toHaveLength(4);
});
