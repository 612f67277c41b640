import { httpRequest } from '../../shared/adapters/http/http-request';
import { sleep } from '../../shared/adapters/process/sleep';
import { dnsSuffix } from '../../shared/core/basics/dns-suffix';
import type { LogLine } from '../../shared/report/history';
import type { AwsPlace } from './assume-role';

/** The most rows and log groups of one query. */
const [MAX_ROWS, MAX_GROUPS] = [10_000, 50];
const [POLL_MS, TIMEOUT_MS] = [500, 30_000];

export interface LogQuery {
  readonly place: AwsPlace;
  readonly groups: readonly string[];
  readonly messages: readonly string[];
  /** In Unix seconds, both included. */
  readonly from: number;
  readonly to: number;
}

interface Answer {
  readonly queryId?: string;
  readonly status?: string;
  readonly results?: readonly (readonly { readonly field: string; readonly value: string }[])[];
}

/** The JSON lines with one of these messages, by CloudWatch Logs Insights; a time with too many of them is halved. */
export async function queryLogs(query: LogQuery): Promise<readonly LogLine[]> {
  const { place, groups, messages, from, to } = query;
  const { queryId } = await call(place, 'StartQuery', {
    logGroupNames: groups.slice(0, MAX_GROUPS),
    startTime: from,
    endTime: to,
    queryString: `fields @timestamp, @message | filter message in ${JSON.stringify(messages)} | sort @timestamp asc`,
    limit: MAX_ROWS,
  });
  let answer = await call(place, 'GetQueryResults', { queryId });
  while (answer.status === 'Scheduled' || answer.status === 'Running') {
    await sleep(POLL_MS);
    answer = await call(place, 'GetQueryResults', { queryId });
  }
  const { status, results = [] } = answer;
  if (status !== 'Complete') throw new Error(`the query of the log ended as ${status}`);
  if (results.length === MAX_ROWS && from < to) {
    const middle = Math.floor((from + to) / 2);
    return [...(await queryLogs({ ...query, to: middle })), ...(await queryLogs({ ...query, from: middle + 1 }))];
  }
  return results.map((row) => {
    const fields = Object.fromEntries(row.map(({ field, value }) => [field, value]));
    return { ...JSON.parse(fields['@message'] ?? '{}'), at: Date.parse(`${fields['@timestamp']?.replace(' ', 'T')}Z`) };
  });
}

/** One signed call: another SDK client for two actions would be a package more. */
async function call(place: AwsPlace, action: string, input: object): Promise<Answer> {
  const { region } = place;
  const { CloudWatchClient } = await import('@aws-sdk/client-cloudwatch');
  const { AWS_ENDPOINT_URL_CLOUDWATCH_LOGS: own, AWS_ENDPOINT_URL: any } = process.env;
  const url = new URL(own ?? any ?? `https://logs.${region}.${dnsSuffix(region)}`);
  const request = {
    method: 'POST' as const,
    headers: {
      host: url.host,
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': `Logs_20140328.${action}`,
    },
    body: JSON.stringify(input),
  };
  const scheme = { name: 'sigv4', signingName: 'logs', signingRegion: region, properties: {} };
  const signer = await new CloudWatchClient({ ...place }).config.signer(scheme);
  const { headers } = await signer.sign({
    ...request,
    protocol: url.protocol,
    hostname: url.hostname,
    path: '/',
    query: {},
  });
  const { status, body } = await httpRequest(url, { ...request, headers, timeoutMs: TIMEOUT_MS });
  if (status !== 200) throw new Error(`logs:${action}: ${status} ${body.slice(0, 300)}`);
  return JSON.parse(body);
}
