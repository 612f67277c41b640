import { sign } from 'aws4';
import type { AwsCredentials } from './eks-token';

export interface StackStatusProps {
  readonly region: string;
  readonly credentials: () => Promise<AwsCredentials>;
  /** Another address of CloudFormation, for an emulator. */
  readonly endpoint?: string | undefined;
}

const TIMEOUT_MS = 5_000;

/** The status of a stack, such as `UPDATE_ROLLBACK_IN_PROGRESS`: one signed call, not worth an SDK client. */
export async function stackStatus(stackId: string, props: StackStatusProps): Promise<string> {
  const { region, credentials } = props;
  const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  const url = new URL(props.endpoint ?? `https://cloudformation.${region}.${domain}`);
  const body = new URLSearchParams({ Action: 'DescribeStacks', Version: '2010-05-15', StackName: stackId }).toString();
  const { headers } = sign(
    {
      service: 'cloudformation',
      region,
      host: url.host,
      path: '/',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body,
    },
    await credentials(),
  );
  const answer = await fetch(url, {
    method: 'POST',
    headers: headers as Record<string, string>,
    body,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const text = await answer.text();
  const status = /<StackStatus>([A-Z_]+)<\/StackStatus>/.exec(text)?.[1];
  if (!answer.ok || status === undefined)
    throw new Error(`DescribeStacks ${stackId}: ${answer.status} ${text.slice(0, 200)}`);
  return status;
}
