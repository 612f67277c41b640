import { json, type LoopbackServer, loopbackServer } from '../../fakes/loopback-server';
import { NOW } from '../run-cli';

export const MINUTE = 60;
export const DAY = 86_400;
const MAX_ROWS = 10_000;

export interface FakeLine {
  /** Unix seconds. */
  readonly at: number;
  readonly [field: string]: unknown;
}

interface MetricQuery {
  readonly Id: string;
  readonly MetricStat: {
    readonly Period: number;
    readonly Stat: 'Minimum' | 'Maximum';
    readonly Metric: { readonly MetricName: string; readonly Dimensions: readonly { readonly Value: string }[] };
  };
}

/** What the fake AWS holds; each test changes it. */
export interface FakeAws {
  server: LoopbackServer;
  /** The value of a metric in the period that begins at a time; `undefined` is a gap. */
  valueAt: (metric: string, pool: string, at: number) => number | undefined;
  lines: readonly FakeLine[];
  /** What the function answers to a status request. */
  status: readonly object[];
  /** Points of one metric on a page of GetMetricData. */
  pointsAPage: number;
  /** Actions that are refused. */
  refused: readonly string[];
  asked: { readonly action: string; readonly input: Record<string, unknown> }[];
}

/** CloudWatch, Logs Insights, Lambda and CloudFormation on loopback, as far as report calls them. */
export async function fakeAws(): Promise<FakeAws> {
  const queries = new Map<string, { readonly rows: readonly FakeLine[]; polls: number }>();
  const server = await loopbackServer(({ url, headers, body }, response) => {
    const target =
      String(headers['x-amz-target'] ?? '')
        .split('.')
        .pop() ?? '';
    if (url.includes('/configuration'))
      return json(response, 200, { Environment: { Variables: { HEADSTART_OWNER: 'a/r/c/n/Headstart' } } });
    if (url.includes('/invocations')) return json(response, 200, { status: aws.status });
    if (target === '') return stackResources(response);
    const input = JSON.parse(body);
    aws.asked.push({ action: target, input });
    if (aws.refused.includes(target)) return json(response, 400, { __type: 'AccessDeniedException', message: 'no' });
    if (target === 'GetMetricData') return json(response, 200, metricPage(input));
    if (target === 'StartQuery') {
      const rows = aws.lines.filter(({ at }) => at >= input.startTime && at <= input.endTime).slice(0, MAX_ROWS);
      queries.set(String(queries.size), { rows, polls: 0 });
      return json(response, 200, { queryId: String(queries.size - 1) });
    }
    const query = queries.get(input.queryId);
    if (query && query.polls++ === 0) return json(response, 200, { status: 'Running', results: [] });
    return json(response, 200, { status: 'Complete', results: (query?.rows ?? []).map(rowOf) });
  });
  const aws: FakeAws = { server, valueAt: () => 0, lines: [], status: [], pointsAPage: 500, refused: [], asked: [] };

  function metricPage({
    MetricDataQueries,
    StartTime,
    EndTime,
    NextToken,
  }: {
    MetricDataQueries: readonly MetricQuery[];
    StartTime: number;
    EndTime: number;
    NextToken?: string;
  }) {
    const period = MetricDataQueries[0]?.MetricStat.Period ?? MINUTE;
    const first = Number(NextToken ?? StartTime);
    const last = Math.min(EndTime, first + aws.pointsAPage * period);
    return {
      MetricDataResults: MetricDataQueries.map(({ Id, MetricStat: { Metric } }) => {
        const [Timestamps, Values]: [number[], number[]] = [[], []];
        for (let at = first; at < last; at += period) {
          const value = aws.valueAt(Metric.MetricName, Metric.Dimensions[1]?.Value ?? '', at);
          if (value === undefined) continue;
          Timestamps.push(at);
          Values.push(value);
        }
        return { Id, StatusCode: last < EndTime ? 'PartialData' : 'Complete', Timestamps, Values };
      }),
      ...(last < EndTime && { NextToken: String(last) }),
    };
  }
  return aws;
}

function stackResources(response: Parameters<typeof json>[0]): void {
  const groups = ['Headstart-ReconcileLog-1', 'Headstart-InflateLog-2'].map(
    (name) =>
      `<member><LogicalResourceId>x</LogicalResourceId><PhysicalResourceId>${name}</PhysicalResourceId><ResourceType>AWS::Logs::LogGroup</ResourceType></member>`,
  );
  response.writeHead(200, { 'content-type': 'text/xml' });
  response.end(
    `<ListStackResourcesResponse><ListStackResourcesResult><StackResourceSummaries>${groups.join('')}</StackResourceSummaries></ListStackResourcesResult></ListStackResourcesResponse>`,
  );
}

function rowOf({ at, ...fields }: FakeLine) {
  const time = new Date(at * 1_000).toISOString().replace('T', ' ').replace('Z', '');
  return [
    { field: '@timestamp', value: time },
    { field: '@message', value: JSON.stringify(fields) },
    { field: '@ptr', value: 'x' },
  ];
}

export const NOW_SECONDS = NOW / 1_000;
