import type { GetMetricDataInput, MetricDataQuery, MetricDataResult } from '@aws-sdk/client-cloudwatch';
import { formatDuration } from '../../shared/core/basics/duration';
import type { Config } from '../../shared/core/config/config';
import { InputError } from '../terminal/exit';
import { SampleStore } from './sample-store';

const DAY = 86_400;
/** How long CloudWatch keeps data of each period, in seconds. */
const RETENTION = [
  { period: 60, keptFor: 15 * DAY },
  { period: 300, keptFor: 63 * DAY },
  { period: 3_600, keptFor: 455 * DAY },
];
/** A day of minutes: for 70 metrics that is the most that one GetMetricData request may return. */
const POINTS_AT_ONCE = 1_440;
const MAX_DATAPOINTS = 100_800;
const CLIENT = { maxAttempts: 5, requestHandler: { connectionTimeout: 8_000, requestTimeout: 60_000 } };
const METRIC_SHAPE =
  'write NAMESPACE METRIC DIMENSION=VALUE, such as "AWS/ApplicationELB RequestCount LoadBalancer=app/shop/50dc6c495c0c9188", or an expression such as "SUM(SEARCH(...))"';

export interface CloudWatchQuery {
  /** A metric with its dimensions, or an expression. */
  readonly source: string;
  /** Of a metric; an expression names its own. */
  readonly stat: string;
  readonly from: number;
  readonly to: number;
  readonly periodSeconds: number;
  readonly perUnit: number;
  /** The NodePool of a series that names none. */
  readonly pool?: string | undefined;
}

/** How far back to read by default: a lead time below 5 minutes needs finer data, which is only kept for 15 days. */
export function defaultReach(leadMinutes: number): number {
  return leadMinutes < 5 ? 15 * DAY : 28 * DAY;
}

/** The requested period, or the finest that is still kept for data of this age. */
export function periodFor(ageSeconds: number, requested: number | undefined): number {
  const kept = RETENTION.find(({ keptFor }) => ageSeconds <= keptFor);
  if (!kept) throw new InputError('--from: CloudWatch keeps data for 455 days; write a later time');
  if (requested === undefined) return kept.period;
  if (requested < 60 || requested % 60 !== 0)
    throw new InputError(`--step is ${formatDuration(requested)}; CloudWatch needs whole minutes`);
  if (requested >= kept.period) return requested;
  const { keptFor } = RETENTION.findLast(({ period }) => period <= requested) ?? kept;
  throw new InputError(
    `--step is ${formatDuration(requested)}; CloudWatch keeps such data for ${keptFor / DAY} days only: write --from ${keptFor / DAY}d or --step ${formatDuration(kept.period)}`,
  );
}

/** Reads a metric or an expression in pieces and pages; demand is unknown in periods without a value. */
export async function readCloudWatch(config: Config, query: CloudWatchQuery): Promise<SampleStore> {
  const { region } = config.cluster;
  const store = new SampleStore();
  const labels = new Map<string, string>();
  for await (const { Label = '', Timestamps = [], Values = [] } of resultsOf(region, query)) {
    if (Timestamps.length === 0) continue;
    const pool = poolOf(Label, config, query.pool);
    const other = labels.get(pool);
    if (other !== undefined && other !== Label)
      throw new InputError(
        `--cloudwatch: ${JSON.stringify(other)} and ${JSON.stringify(Label)} are both for ${pool}; add them up with SUM(...)`,
      );
    labels.set(pool, Label);
    Timestamps.forEach((at, index) => {
      const value = Values[index] ?? Number.NaN;
      store.addStep(pool, at.getTime(), value / query.perUnit, query.periodSeconds * 1_000);
    });
  }
  if (store.names.length === 0) throw new InputError(emptyText(region, query));
  return store;
}

async function* resultsOf(region: string, query: CloudWatchQuery): AsyncGenerator<MetricDataResult> {
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
  const { CloudWatchClient, GetMetricDataCommand } = await import('@aws-sdk/client-cloudwatch');
  const client = new CloudWatchClient({ region, ...CLIENT });
  for (const input of requestsOf(query)) {
    let NextToken: string | undefined;
    do {
      const page = await client.send(new GetMetricDataCommand({ ...input, NextToken })).catch((error: unknown) => {
        throw explained(error, region);
      });
      for (const result of page.MetricDataResults ?? []) {
        refuseFailed(result);
        yield result;
      }
      NextToken = page.NextToken;
    } while (NextToken);
  }
}

/** One request for each piece of time, on whole periods. */
function requestsOf(query: CloudWatchQuery): readonly GetMetricDataInput[] {
  const step = query.periodSeconds * 1_000;
  // A period that began before `from` may no longer be kept.
  const [from, to] = [Math.ceil(query.from / step) * step, Math.floor(query.to / step) * step];
  const MetricDataQueries = [queryOf(query)];
  const requests: GetMetricDataInput[] = [];
  for (let start = from; start < to; start += POINTS_AT_ONCE * step)
    requests.push({
      MetricDataQueries,
      StartTime: new Date(start),
      EndTime: new Date(Math.min(to, start + POINTS_AT_ONCE * step)),
      ScanBy: 'TimestampAscending',
      MaxDatapoints: MAX_DATAPOINTS,
    });
  return requests;
}

function queryOf({ source, stat, periodSeconds }: CloudWatchQuery): MetricDataQuery {
  const text = source.trim();
  if (text.includes('(') || /^select\s/i.test(text)) return { Id: 'demand', Expression: text, Period: periodSeconds };
  const [Namespace, MetricName, ...pairs] = text.split(/\s+/);
  const Dimensions = pairs.map((pair) => {
    const [, Name, Value] = /^([^=]+)=(.+)$/.exec(pair) ?? [];
    if (Name === undefined)
      throw new InputError(`--cloudwatch: ${JSON.stringify(pair)} is not a dimension; ${METRIC_SHAPE}`);
    return { Name, Value };
  });
  if (!Namespace || !MetricName) throw new InputError(`--cloudwatch is ${JSON.stringify(source)}; ${METRIC_SHAPE}`);
  return {
    Id: 'demand',
    MetricStat: { Metric: { Namespace, MetricName, Dimensions }, Period: periodSeconds, Stat: stat },
  };
}

/** The NodePool that is the label or one of its words; otherwise the given one, or the only one. */
function poolOf(label: string, { nodePools }: Config, given: string | undefined): string {
  const names = nodePools.map(({ name }) => name);
  const [only, second] = names;
  const named = [label, ...label.split(/\s+/)].find((word) => names.includes(word));
  const pool = named ?? given ?? (second === undefined ? only : undefined);
  if (pool !== undefined) return pool;
  throw new InputError(
    `--cloudwatch: its series ${JSON.stringify(label)} names no NodePool; add --pool NAME (${names.join(', ')}), or group by a dimension whose values are NodePools`,
  );
}

function refuseFailed({ StatusCode, Messages = [] }: MetricDataResult): void {
  if (StatusCode !== 'Forbidden' && StatusCode !== 'InternalError') return;
  const messages = Messages.map(({ Code, Value }) => Value ?? Code).join('; ');
  throw new Error(`--cloudwatch: AWS answered ${StatusCode}${messages && `: ${messages}`}`);
}

/** Why AWS did not answer, and what to do about it. */
function explained(error: unknown, region: string): Error {
  const { name, message } = error instanceof Error ? error : { name: 'Error', message: String(error) };
  const because = (text: string) => new Error(`--cloudwatch: ${text}`, { cause: error });
  if (name === 'CredentialsProviderError') return because('no AWS credentials: set AWS_PROFILE or run `aws sso login`');
  if (/AccessDenied|NotAuthorized|UnrecognizedClient|ExpiredToken|InvalidSignature|InvalidClientToken/.test(name))
    return because(
      `AWS refuses GetMetricData in ${region} (${name}: ${message}): renew the credentials, or ask for cloudwatch:GetMetricData`,
    );
  if (/Validation|InvalidParameter|MissingRequired/.test(name))
    return new InputError(`--cloudwatch: AWS does not accept it: ${message}`);
  return because(`CloudWatch in ${region} does not answer (${message || name}): check the network and the region`);
}

function emptyText(region: string, { source, from, to }: CloudWatchQuery): string {
  const range = `from ${new Date(from).toISOString()} to ${new Date(to).toISOString()}`;
  return `--cloudwatch ${JSON.stringify(source)}: found no data in ${region} ${range}; a metric needs its exact name and all of its dimensions, and SEARCH finds only metrics with data in the last two weeks`;
}
