import { join } from 'node:path';
import { folderWith, NOW, runCli } from '../../cli/run-cli';
import { useAws } from '../../cli/session';
import { json, type LoopbackServer, loopbackServer } from '../../fakes/loopback-server';
import { golden } from '../../golden/golden';
import { ONE_POOL } from './one-pool';

const file = join(folderWith({ 'headroom.yaml': ONE_POOL }), 'headroom.yaml');
const two = join(
  folderWith({ 'headroom.yaml': `${ONE_POOL}  gpu: { max: 4, unit: { node: { cpu: 2, memory: 4Gi } } }\n` }),
  'headroom.yaml',
);
const METRIC = 'AWS/ApplicationELB RequestCount LoadBalancer=app/shop/50dc6c495c0c9188';
const SEARCH = `SUM(SEARCH('{ContainerInsights,ClusterName} pod_cpu_reserved_capacity', 'Average'))`;
const DAY = 86_400;
const POINTS_A_PAGE = 500;

interface Request {
  readonly MetricDataQueries: readonly {
    readonly Expression?: string;
    readonly Period?: number;
    readonly MetricStat?: { readonly Period: number; readonly Stat: string; readonly Metric: object };
  }[];
  readonly StartTime: number;
  readonly EndTime: number;
  readonly NextToken?: string;
}

/** 3,000 requests, and 9,000 from 11:30 to 13:30 in Seoul. */
function requestsAt(at: number): number {
  const clock = (at + 9 * 3_600) % DAY;
  return clock >= 11.5 * 3_600 && clock < 13.5 * 3_600 ? 9_000 : 3_000;
}

/** A day of minutes as GetMetricData answers it, in small pages. */
function pageOf({ MetricDataQueries: [query], StartTime, EndTime, NextToken }: Request, labels: readonly string[]) {
  const period = query?.Period ?? query?.MetricStat?.Period ?? 0;
  const first = Number(NextToken ?? StartTime);
  const last = Math.min(EndTime, first + POINTS_A_PAGE * period);
  const Timestamps: number[] = [];
  for (let at = first; at < last; at += period) Timestamps.push(at);
  return {
    MetricDataResults: labels.map((Label) => ({
      Id: 'demand',
      Label,
      StatusCode: last < EndTime ? 'PartialData' : 'Complete',
      Timestamps,
      Values: Timestamps.map(requestsAt),
    })),
    ...(last < EndTime && { NextToken: String(last) }),
  };
}

let server: LoopbackServer;
let asked: Request[];
let answer: (request: Request) => { readonly status?: number; readonly body: unknown };

beforeAll(async () => {
  server = await loopbackServer((request, response) => {
    const input: Request = JSON.parse(request.body);
    asked.push(input);
    const { status = 200, body } = answer(input);
    json(response, status, body);
  });
});
beforeEach(() => {
  asked = [];
  answer = (request) => ({ body: pageOf(request, ['RequestCount']) });
});
afterAll(() => server.close());
useAws(() => server.url);

const suggest = (...words: string[]) => runCli(['suggest', '-c', file, '--json', ...words]);

test('a metric is read in pieces and pages, and gives the lunch window', async () => {
  const words = ['--cloudwatch', METRIC, '--stat', 'Sum', '--per-unit', '1000', '--from', '8d'];
  const { code, out, err } = await suggest(...words);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  // Six thousand more requests are six units; the margin of a short history is 25 minutes.
  expect(JSON.parse(out).nodePools.default.schedules).toEqual([
    expect.objectContaining({ start: '0 11 * * *', desiredReplicas: 6 }),
  ]);
  const [query] = asked[0]?.MetricDataQueries ?? [];
  expect(query).toMatchObject({
    MetricStat: {
      Period: 60,
      Stat: 'Sum',
      Metric: {
        Namespace: 'AWS/ApplicationELB',
        MetricName: 'RequestCount',
        Dimensions: [{ Name: 'LoadBalancer', Value: 'app/shop/50dc6c495c0c9188' }],
      },
    },
  });
  const pieces = asked.filter(({ NextToken }) => NextToken === undefined);
  expect(pieces.map(({ StartTime, EndTime }) => (EndTime - StartTime) / 60)).toEqual(Array(8).fill(1_440));
  expect([pieces[0]?.StartTime, pieces.at(-1)?.EndTime]).toEqual([NOW / 1_000 - 8 * DAY, NOW / 1_000]);
  expect(asked).toHaveLength(8 * 3);
});

test.each([
  { name: 'four weeks, of which 5-minute data is kept', words: [], period: 300, days: 28 },
  { name: 'a lead below five minutes, which needs 1-minute data', words: ['--lead', '2m'], period: 60, days: 15 },
  { name: 'a range that 1-minute data reaches', words: ['--from', '10d'], period: 60, days: 10 },
  { name: 'a step that was asked for', words: ['--from', '10d', '--step', '10m'], period: 600, days: 10 },
])('the period fits the lead and what CloudWatch keeps: $name', async ({ words, period, days }) => {
  const { code } = await suggest('--cloudwatch', SEARCH, '--per-unit', '1000', ...words);
  expect(code).toBe(0);
  expect(asked[0]?.MetricDataQueries).toEqual([{ Id: 'demand', Expression: SEARCH, Period: period }]);
  expect(asked[0]?.StartTime).toBe(NOW / 1_000 - days * DAY);
});

test('series belong to the NodePools that their labels name', async () => {
  answer = (request) => ({ body: pageOf(request, ['default', 'gpu pod_cpu_reserved_capacity']) });
  const words = ['suggest', '-c', two, '--json', '--from', '8d', '--per-unit', '1000'];
  const { code, out } = await runCli([...words, '--cloudwatch', 'SELECT AVG(x) FROM y GROUP BY NodePool']);
  expect(code).toBe(0);
  expect(Object.keys(JSON.parse(out).nodePools)).toEqual(['default', 'gpu']);
});

test('a series without a NodePool is for the one that --pool names', async () => {
  const words = ['suggest', '-c', two, '--json', '--from', '8d', '--per-unit', '1000', '--cloudwatch', METRIC];
  expect(await runCli(words)).toMatchObject({
    code: 1,
    err: expect.stringContaining('add --pool NAME (default, gpu)'),
  });
  const { out } = await runCli([...words, '--pool', 'gpu']);
  expect(Object.keys(JSON.parse(out).nodePools)).toEqual(['gpu']);
});

test('a period without a value is a time that nobody knows', async () => {
  const [from, to] = [NOW / 1_000 - 4 * DAY, NOW / 1_000 - 4 * DAY + 6 * 3_600];
  answer = (request) => {
    const { MetricDataResults, ...page } = pageOf(request, ['RequestCount']);
    const kept = MetricDataResults.map(({ Timestamps, ...one }) => {
      const known = Timestamps.filter((at) => at < from || at >= to);
      return { ...one, Timestamps: known, Values: known.map(requestsAt) };
    });
    return { body: { MetricDataResults: kept, ...page } };
  };
  const { out } = await suggest('--cloudwatch', METRIC, '--per-unit', '1000', '--from', '8d');
  expect(JSON.parse(out).nodePools.default.findings.join(' ')).toContain('that time is left out');
});

const said = golden(`${__dirname}/cloudwatch.txt`);
const failing = (status: number, body: object) => () => ({ status, body });

test.each([
  {
    name: 'no data',
    answered: failing(200, { MetricDataResults: [{ Id: 'demand', Label: 'x', StatusCode: 'Complete' }] }),
  },
  {
    name: 'an expression with a mistake',
    answered: failing(400, { __type: 'ValidationError', message: "Error in expression 'demand': no function SUMM" }),
  },
  {
    name: 'a missing permission',
    answered: failing(400, { __type: 'AccessDenied', message: 'ana is not authorized' }),
  },
  {
    name: 'a query that failed by itself',
    answered: failing(200, {
      MetricDataResults: [{ Id: 'demand', StatusCode: 'Forbidden', Messages: [{ Value: 'no access to account 1' }] }],
    }),
  },
  { name: 'several series for one NodePool', answered: (request: Request) => ({ body: pageOf(request, ['a', 'b']) }) },
])('$name is an error that says what to do', async ({ name, answered }) => {
  answer = answered;
  const { code, err } = await suggest('--cloudwatch', SEARCH);
  said(name, `exit ${code}\n${err}`);
});

test('without credentials AWS is not called', async () => {
  for (const key of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_PROFILE']) delete process.env[key];
  Object.assign(process.env, { AWS_CONFIG_FILE: '/dev/null', AWS_SHARED_CREDENTIALS_FILE: '/dev/null' });
  const { code, err } = await suggest('--cloudwatch', SEARCH);
  said('no credentials', `exit ${code}\n${err}`);
  expect(asked).toEqual([]);
});

test.each([
  { name: 'a metric alone', words: ['RequestCount'] },
  { name: 'a dimension without a value', words: ['AWS/EC2 CPUUtilization web'] },
  { name: 'finer data than is kept', words: [METRIC, '--from', '28d', '--step', '1m'] },
  { name: 'half a minute', words: [METRIC, '--step', '30s'] },
  { name: 'older data than is kept', words: [METRIC, '--from', '500d'] },
  { name: 'an unknown NodePool', words: [METRIC, '--pool', 'web'] },
])('$name is refused before AWS is called', async ({ name, words }) => {
  const { code, err } = await suggest('--cloudwatch', ...words);
  said(name, `exit ${code}\n${err}`);
  expect(asked).toEqual([]);
});
