import type { GetMetricDataInput, MetricDataQuery, MetricDataResult } from '@aws-sdk/client-cloudwatch';
import { METRIC_NAMESPACE, METRICS } from '../../shared/adapters/process/emf-metrics';
import { inParallel } from '../../shared/core/basics/promises';
import { InputError } from '../terminal/exit';
import type { AwsPlace } from './assume-role';

const DAY = 86_400;
/** How long CloudWatch keeps data of each period, in seconds. */
export const RETENTION = [
  { period: 60, keptFor: 15 * DAY },
  { period: 300, keptFor: 63 * DAY },
  { period: 3_600, keptFor: 455 * DAY },
];
/** The most that one GetMetricData request may return, and of it for one metric: a day of minutes. */
const MAX_DATAPOINTS = 100_800;
const POINTS_AT_ONCE = 1_440;
const CLIENT = { maxAttempts: 5, requestHandler: { connectionTimeout: 8_000, requestTimeout: 60_000 } };

export interface MetricRange {
  readonly from: number;
  readonly to: number;
  readonly periodSeconds: number;
}

export function poolMetric(cluster: string, pool: string, metric: keyof typeof METRICS) {
  const dimensions = Object.entries({ Cluster: cluster, Headroom: pool });
  return {
    Namespace: METRIC_NAMESPACE,
    MetricName: METRICS[metric],
    Dimensions: dimensions.map(([Name, Value]) => ({ Name, Value })),
  };
}

/** One request for each piece of time, on whole periods. */
export function requestsOf(queries: readonly MetricDataQuery[], range: MetricRange): readonly GetMetricDataInput[] {
  const step = range.periodSeconds * 1_000;
  // A period that began before `from` may no longer be kept.
  const [from, to] = [Math.ceil(range.from / step) * step, Math.floor(range.to / step) * step];
  const piece = step * Math.min(POINTS_AT_ONCE, Math.floor(MAX_DATAPOINTS / queries.length));
  const requests: GetMetricDataInput[] = [];
  for (let start = from; start < to; start += piece)
    requests.push({
      MetricDataQueries: [...queries],
      StartTime: new Date(start),
      EndTime: new Date(Math.min(to, start + piece)),
      ScanBy: 'TimestampAscending',
      MaxDatapoints: MAX_DATAPOINTS,
    });
  return requests;
}

/** Reads all pages of each request. `label` is what errors begin with. */
export async function readMetricData(
  place: AwsPlace,
  requests: readonly GetMetricDataInput[],
  visit: (result: MetricDataResult) => void,
  { label, atOnce = 1 }: { readonly label: string; readonly atOnce?: number },
): Promise<void> {
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
  const { CloudWatchClient, GetMetricDataCommand } = await import('@aws-sdk/client-cloudwatch');
  const client = new CloudWatchClient({ ...place, ...CLIENT });
  let isFailed = false;
  const done = await inParallel(requests, atOnce, async (input) => {
    let NextToken: string | undefined;
    do {
      if (isFailed) return;
      const page = await client.send(new GetMetricDataCommand({ ...input, NextToken })).catch((error: unknown) => {
        isFailed = true;
        throw explained(error, place.region, label);
      });
      for (const result of page.MetricDataResults ?? []) {
        refuseFailed(result, label);
        visit(result);
      }
      NextToken = page.NextToken;
    } while (NextToken);
  });
  for (const one of done) if (one.status === 'rejected') throw one.reason;
}

function refuseFailed({ StatusCode, Messages = [] }: MetricDataResult, label: string): void {
  if (StatusCode !== 'Forbidden' && StatusCode !== 'InternalError') return;
  const messages = Messages.map(({ Code, Value }) => Value ?? Code).join('; ');
  throw new Error(`${label}: AWS answered ${StatusCode}${messages && `: ${messages}`}`);
}

function explained(error: unknown, region: string, label: string): Error {
  const { name, message } = error instanceof Error ? error : { name: 'Error', message: String(error) };
  const because = (text: string) => new Error(`${label}: ${text}`, { cause: error });
  if (name === 'CredentialsProviderError') return because('no AWS credentials: set AWS_PROFILE or run `aws sso login`');
  if (/AccessDenied|NotAuthorized|UnrecognizedClient|ExpiredToken|InvalidSignature|InvalidClientToken/.test(name))
    return because(
      `AWS refuses GetMetricData in ${region} (${name}: ${message}): renew the credentials, or ask for cloudwatch:GetMetricData`,
    );
  if (/Validation|InvalidParameter|MissingRequired/.test(name))
    return new InputError(`${label}: AWS does not accept it: ${message}`);
  return because(`CloudWatch in ${region} does not answer (${message || name}): check the network and the region`);
}
