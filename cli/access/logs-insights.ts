import { httpRequest } from '../../shared/adapters/http/http-request';
import { sleep } from '../../shared/adapters/process/sleep';
import { dnsSuffix } from '../../shared/core/basics/dns-suffix';
import { doubling, retry } from '../../shared/core/basics/retry';
import type { LogLine } from '../../shared/report/history';

/** The most rows of one query. */
const MAX_ROWS = 10_000;
const MAX_GROUPS = 50;
const MAX_TRIES = 5;
const [POLL_MS, TIMEOUT_MS] = [500, 30_000];
const UNDER_WAY = ['Scheduled', 'Running', 'Unknown'];

export interface LogQuery {
  readonly region: string;
  readonly groups: readonly string[];
  readonly messages: readonly string[];
  /** In Unix seconds, both included. */
  readonly from: number;
  readonly to: number;
}

type Field = { readonly field: string; readonly value: string };
interface Answer {
  readonly queryId?: string;
  readonly status?: string;
  readonly results?: readonly (readonly Field[])[];
}

/** The JSON lines with one of these messages, by CloudWatch Logs Insights; a time with too many of them is halved. */
export async function queryLogs(query: LogQuery): Promise<readonly LogLine[]> {
  const { region, groups, messages, from, to } = query;
  const { queryId } = await call(region, 'StartQuery', {
    logGroupNames: groups.slice(0, MAX_GROUPS),
    startTime: from,
    endTime: to,
    queryString: `fields @timestamp, @message | filter message in ${JSON.stringify(messages)} | sort @timestamp asc`,
    limit: MAX_ROWS,
  });
  const { status, results = [] } = await answerTo(region, queryId);
  if (status !== 'Complete') throw new Error(`the query of the log ended as ${status}`);
  if (results.length < MAX_ROWS || from === to) return results.map(lineOf);
  const middle = Math.floor((from + to) / 2);
  return [...(await queryLogs({ ...query, to: middle })), ...(await queryLogs({ ...query, from: middle + 1 }))];
}

async function answerTo(region: string, queryId: string | undefined): Promise<Answer> {
  for (;;) {
    const answer = await call(region, 'GetQueryResults', { queryId });
    if (!UNDER_WAY.includes(answer.status ?? '')) return answer;
    await sleep(POLL_MS);
  }
}

function lineOf(row: readonly Field[]): LogLine {
  const [time = '', text = '{}'] = ['@timestamp', '@message'].map(
    (name) => row.find(({ field }) => field === name)?.value,
  );
  return { ...JSON.parse(text), at: Date.parse(`${time.replace(' ', 'T')}Z`) };
}

/** One signed call: another SDK client for two actions would be a package more. */
async function call(region: string, action: string, input: object): Promise<Answer> {
  const { CloudWatchClient } = await import('@aws-sdk/client-cloudwatch');
  const scheme = { name: 'sigv4', signingName: 'logs', signingRegion: region, properties: {} };
  const signer = await new CloudWatchClient({ region }).config.signer(scheme);
  const { AWS_ENDPOINT_URL_CLOUDWATCH_LOGS, AWS_ENDPOINT_URL } = process.env;
  const { protocol, hostname, host, port, href } = new URL(
    AWS_ENDPOINT_URL_CLOUDWATCH_LOGS ?? AWS_ENDPOINT_URL ?? `https://logs.${region}.${dnsSuffix(region)}`,
  );
  const body = JSON.stringify(input);
  const headers = { host, 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': `Logs_20140328.${action}` };
  const at = { protocol, hostname, ...(port && { port: Number(port) }), path: '/' };
  return retry(
    async () => {
      const signed = await signer.sign({ method: 'POST', ...at, query: {}, headers, body });
      const response = await httpRequest(new URL(href), {
        method: 'POST',
        headers: signed.headers,
        body,
        timeoutMs: TIMEOUT_MS,
      });
      if (response.status === 200) return JSON.parse(response.body);
      throw Object.assign(new Error(`logs:${action}: ${response.status} ${response.body.slice(0, 300)}`), {
        isThrottled: response.status >= 500 || /Throttling|LimitExceeded/.test(response.body),
      });
    },
    {
      sleep,
      delayMs: (error: { readonly isThrottled?: boolean }, attempt) =>
        error.isThrottled && attempt < MAX_TRIES ? doubling(POLL_MS, attempt) : undefined,
    },
  );
}
