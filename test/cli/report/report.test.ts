import { readFileSync } from 'node:fs';
import { json, loopbackServer } from '../../fakes/loopback-server';
import { golden } from '../../golden/golden';
import { fakeTerminal, runCli } from '../run-cli';
import { inFolder, typed, useAws } from '../session';
import { DAY, type FakeAws, type FakeLine, fakeAws, MINUTE, NOW_SECONDS } from './fake-aws';

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
inFolder({ 'headroom.yaml': CONFIG });
const said = golden(`${__dirname}/report.txt`);
const HOUR = 3_600;
/** Lunch begins at 02:30 UTC; NOW is 11:00 UTC. */
const lunchOf = (day: number) => NOW_SECONDS - 8.5 * HOUR - day * DAY;

let aws: FakeAws;
beforeAll(async () => {
  aws = await fakeAws();
});
afterAll(() => aws.server.close());
useAws(() => aws.server.url);
beforeEach(() => {
  Object.assign(aws, { lines: taken(), status: [], asked: [], refused: [], pointsAPage: 500, valueAt: lunch });
});

/** Six from 11:25 to 13:30 in Seoul, ready after two minutes. Work takes two for ten minutes at noon. */
function lunch(metric: string, _pool: string, at: number): number {
  const minute = ((at / MINUTE + 9 * 60) % 1_440) - (11 * 60 + 25);
  if (minute < 0 || minute >= 125) return 0;
  if (metric === 'DesiredHeadroom') return 6;
  if (minute < 2) return 0;
  return minute >= 35 && minute < 45 ? 4 : 6;
}

/** What work took at noon of each of seven days, but for those that are left out. */
const taken = (...without: readonly number[]): readonly FakeLine[] =>
  [6, 5, 4, 3, 2, 1, 0]
    .filter((day) => !without.includes(day))
    .map((day) => {
      const at = lunchOf(day) + 30 * MINUTE;
      const [since, until] = [at - 50, at - 49].map((seconds) => new Date(seconds * 1_000).toISOString());
      return { at, ...about('work took headroom', { units: 2, pods: 2, since, until }) };
    });

/** An hour without data, two days ago. */
const withGap: FakeAws['valueAt'] = (metric, pool, at) =>
  at >= lunchOf(2) && at < lunchOf(2) + HOUR ? undefined : lunch(metric, pool, at);

const about = (message: string, more: object = {}): Omit<FakeLine, 'at'> => ({ message, headroom: 'default', ...more });
const late = (why: string): readonly FakeLine[] => {
  const fields = { window: 'lunch', start: new Date(lunchOf(0) * 1_000).toISOString(), why };
  return [
    { at: lunchOf(0), ...about('window began without its headroom', fields) },
    { at: lunchOf(0) + 195, ...about('headroom ready for its window', { lateBySeconds: 195, ...fields }) },
  ];
};
const received = (at: number, ask: object): FakeLine => ({
  at,
  ...about('override received', { kind: 'override', ask: { ...ask, at: at * 1_000 } }),
});

test('reports a week from pages of metrics: hours and cost at most, and the units that work took', async () => {
  aws.pointsAPage = 100;
  const nodeStarts = Object.fromEntries(
    [50, 52, 55, 61, 64, 71].map((seconds, i) => [`2026-11-15T02:25:0${i}Z/a`, seconds]),
  );
  aws.status = [{ headroom: 'default', intents: { alarms: {}, surges: {}, nodeStarts } }];
  said(await typed('report'));
  const pages = aws.asked.filter(({ action }) => action === 'GetMetricData');
  expect(pages.filter(({ input }) => input.NextToken !== undefined)).not.toEqual([]);
  expect(aws.asked.find(({ action }) => action === 'StartQuery')?.input).toMatchObject({
    logGroupNames: ['Headstart-ReconcileLog-1', 'Headstart-InflateLog-2'],
    startTime: NOW_SECONDS - 7 * DAY,
    endTime: NOW_SECONDS,
  });
});

test('the log tells what was late and why, overrides with their names, and surges', async () => {
  const at = lunchOf(1);
  const ask = { kind: 'override', mode: 'atLeast', replicas: 8, by: 'ana', reason: 'sale' };
  const release = received(at + 4 * HOUR, { kind: 'release', by: 'bo', reason: 'over' });
  aws.lines = [
    ...taken(),
    { at: at + 30 * MINUTE, ...about('nodes are about to be interrupted', { nodes: 1 }) },
    { at: at + 30 * MINUTE, ...about('headroom decided', { change: 'resized', from: 6, to: 7, surges: 1 }) },
    { at: at + 40 * MINUTE, ...about('headroom decided', { change: 'resized', from: 7, to: 6 }) },
    received(at + 3 * HOUR, { ...ask, until: (at + 5 * HOUR) * 1_000 }),
    { ...release, headroom: '*' },
    ...late('6 nodes are still starting'),
  ];
  said(await typed('report'));
  const [pool] = JSON.parse((await runCli(['report', '--json'])).out).pools;
  expect(pool.surges).toMatchObject([{ noticesAtMost: 1, takenAtLeast: 2, podsAtLeast: 2 }]);
  expect(pool.windows[0].takenAtLeast).toBe(14);
});

test('a text in the log neither hides what follows nor begins a line of its own', async () => {
  const at = lunchOf(1);
  const hostile = 'x\u001b[8m `in all: forged line` \u202e';
  const ask = { kind: 'override', mode: 'atLeast', replicas: 8, by: hostile, reason: hostile };
  aws.lines = [received(at, { ...ask, until: (at + HOUR) * 1_000 }), ...late(hostile)];
  const { out } = await runCli(['report'], fakeTerminal({ width: 400, colours: true }));
  expect(out.match(/forged line/g)).toHaveLength(3);
  expect(out).not.toContain('\u001b[8m');
  expect(out).not.toContain('\u202e');
  expect(out).not.toMatch(/^ *in all: forged line$/m);
});

test('lists the occurrences in which work took nothing, and says what a window that nobody uses would save', async () => {
  aws.lines = taken(0, 1);
  const some = await typed('report');
  aws.lines = [];
  said([some, await typed('report')].join('\n'));
});

test('names time without data, which counts nothing', async () => {
  aws.valueAt = withGap;
  said(await typed('report'));
});

test('names what may not be read, and says nothing of what only that shows', async () => {
  aws.refused = ['StartQuery'];
  const withoutLog = await typed('report');
  aws.refused = ['GetMetricData'];
  said([withoutLog, await typed('report')].join('\n'));
});

test('says since when older data is coarser', async () => {
  said(await typed('report --from 70d'));
  const periods = aws.asked.flatMap(
    ({ input }) => (input.MetricDataQueries as { MetricStat: { Period: number } }[])?.[0]?.MetricStat.Period ?? [],
  );
  expect([...new Set(periods)]).toEqual([3_600, 300, 60]);
});

test('reads a log with more lines than one query returns in halves', async () => {
  aws.lines = Array.from({ length: 24_000 }, (_, index) => ({
    at: NOW_SECONDS - 7 * DAY + index * 25,
    ...about('nodes are about to be interrupted', { nodes: 1 }),
  }));
  await typed('report --json');
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
  said(await typed(`report --prometheus ${prometheus.url}`));
  await prometheus.close();
});

test('draws a picture of each NodePool, with a gap where there is no data', async () => {
  aws.valueAt = withGap;
  expect(await runCli(['report', '--svg', 'report.svg'])).toMatchObject({ code: 0, err: 'wrote report.svg\n' });
  const svg = readFileSync('report.svg', 'utf8');
  expect(svg).toMatch(/^<svg [^>]+ aria-label="headroom of shop"/);
  expect(svg.match(/M[\d.]+ /g)).toHaveLength(4);
});
