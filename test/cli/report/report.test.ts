import { readFileSync, writeFileSync } from 'node:fs';
import { json, type LoopbackServer, loopbackServer } from '../../fakes/loopback-server';
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
inFolder({
  'headroom.yaml': CONFIG,
  'many-a.yaml': CONFIG,
  'many-b.yaml': CONFIG.replace('name: shop,', 'name: shop-b,'),
});
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

describe('with Prometheus', () => {
  /** Pods of a day, by when they were created and how long they waited; two that got no node. */
  const PODS = [
    ...[0, 0, 1, 48, 72, 31].map((seconds, index) => ({
      created: lunchOf(0) + 5 + index,
      seconds,
      by: 'web-5d4f8c9b7',
    })),
    { created: lunchOf(0) + 900, seconds: 40, by: 'report-28391' },
    { created: lunchOf(0) - HOUR, seconds: 48, by: 'web-5d4f8c9b7' },
    ...[1, 2].map((index) => ({ created: lunchOf(0) + index, seconds: undefined, by: 'greedy-6c8d9f7b4' })),
  ];

  let prometheus: LoopbackServer;
  beforeEach(async () => {
    prometheus = await loopbackServer(({ body }, response) => {
      const form = new URLSearchParams(body);
      const query = form.get('query') ?? '';
      const isLast = [form.get('time'), form.get('end')].some((time) => Number(time) >= NOW_SECONDS - MINUTE);
      json(response, 200, { status: 'success', data: { result: isLast ? answerTo(query) : [] } });
    });
  });
  afterEach(() => prometheus.close());

  function answerTo(query: string): readonly object[] {
    const has = (...metrics: readonly string[]) => metrics.every((metric) => query.includes(metric));
    const ofPods = (
      wanted: (pod: (typeof PODS)[number]) => boolean,
      value: (pod: (typeof PODS)[number]) => number,
      more = {},
    ) =>
      PODS.flatMap((pod, index) => {
        const own = { namespace: 'shop', pod: `pod-${index}`, uid: `u${index}`, created_by_kind: 'ReplicaSet' };
        const metric = { ...own, created_by_name: pod.by, label_karpenter_sh_nodepool: 'default', ...more };
        return wanted(pod) ? [{ metric, value: [0, String(value(pod))] }] : [];
      });
    const isPlaced = ({ seconds }: (typeof PODS)[number]) => seconds !== undefined;
    if (has('kube_pod_status_phase'))
      return [{ metric: {}, values: [0, 1, 2].map((minute) => [lunchOf(0) + minute * MINUTE, '2']) }];
    if (has('resource_requests'))
      return [
        ...ofPods(
          ({ seconds = 0 }) => seconds > 10,
          () => 1.5,
          { resource: 'cpu' },
        ),
        ...ofPods(
          ({ seconds = 0 }) => seconds > 10,
          () => 4 * 2 ** 30,
          { resource: 'memory' },
        ),
      ];
    if (has('kube_pod_created', 'scheduled_time'))
      return ofPods(
        (pod) => !isPlaced(pod),
        () => 1,
      );
    return has('scheduled_time')
      ? ofPods(isPlaced, ({ created, seconds = 0 }) => created + seconds)
      : ofPods(isPlaced, ({ created }) => created);
  }

  test('pods show how long they waited, who still waited, and which size would have been enough', async () => {
    said(await typed(`report --prometheus ${prometheus.url}`));
  });

  test('a floor shows how many of its nodes ran work, and without Prometheus that it is not known', async () => {
    writeFileSync('floor.yaml', CONFIG.replace(/unit: .*/, 'unit: { floor: { cpu: 4, memory: 16Gi } }'));
    aws.lines = [];
    const known = await typed(`report -c floor.yaml --prometheus ${prometheus.url}`);
    said([known, await typed('report -c floor.yaml')].join('\n'));
  });
});

test('preemptions that could not be read for an hour are a gap: what work took is a lower bound', async () => {
  const unread = Array.from({ length: 61 }, (_, minute) => ({
    at: lunchOf(2) + minute * MINUTE,
    message: 'reading preemptions failed',
    reason: '403',
  }));
  aws.lines = [...taken(2), ...unread].sort((a, b) => a.at - b.at);
  said(await typed('report'));
});

test('draws a picture of each NodePool, with a gap where there is no data', async () => {
  aws.valueAt = withGap;
  expect(await runCli(['report', '--svg', 'report.svg'])).toMatchObject({ code: 0, err: 'wrote report.svg\n' });
  const svg = readFileSync('report.svg', 'utf8');
  expect(svg).toMatch(/^<svg [^>]+ aria-label="headroom of shop"/);
  expect(svg.match(/M[\d.]+ /g)).toHaveLength(4);
});

test('many clusters are a row each, with what they cost and what was late', async () => {
  said(await typed("report -c 'many-*.yaml'", fakeTerminal({ width: 160 })));
});
