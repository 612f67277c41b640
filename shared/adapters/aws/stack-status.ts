import { dnsSuffix } from '../../core/basics/dns-suffix';
import { doubling, retry } from '../../core/basics/retry';
import { httpRequest } from '../http/http-request';
import { sleep as realSleep } from '../process/sleep';
import { type AwsCredentials, presign } from './presign';

export interface StackStatusProps {
  readonly region: string;
  readonly credentials: () => Promise<AwsCredentials>;
  /** Another address of CloudFormation, for an emulator. */
  readonly endpoint?: string | undefined;
  readonly sleep?: (ms: number) => Promise<void>;
}

const TIMEOUT_MS = 5_000;
const MAX_TRIES = 5;

/** The status of a stack, such as `UPDATE_ROLLBACK_IN_PROGRESS`. Without it a rollback may get stuck, so it is asked a few times. */
export function stackStatus(stackId: string, props: StackStatusProps): Promise<string> {
  return retry(() => askOnce(stackId, props), {
    sleep: props.sleep ?? realSleep,
    delayMs: (_error, attempt) => (attempt < MAX_TRIES ? doubling(1_000, attempt) : undefined),
  });
}

/** One signed call, without an SDK client. */
async function askOnce(stackId: string, props: StackStatusProps): Promise<string> {
  const { region, credentials } = props;
  const url = new URL(props.endpoint ?? `https://cloudformation.${region}.${dnsSuffix(region)}`);
  const query = { Action: 'DescribeStacks', Version: '2010-05-15', StackName: stackId };
  const request = { service: 'cloudformation', region, url, query, expiresSeconds: 60 };
  const signed = presign(request, await credentials(), Date.now());
  const response = await httpRequest(signed, { method: 'GET', headers: {}, timeoutMs: TIMEOUT_MS });
  const status = /<StackStatus>([A-Z_]+)<\/StackStatus>/.exec(response.body)?.[1];
  if (response.status !== 200 || status === undefined)
    throw new Error(`DescribeStacks ${stackId}: ${response.status} ${response.body.slice(0, 200)}`);
  return status;
}
