import { sign } from 'aws4';
import type { AwsCredentials } from '../../../shared/adapters/eks-token';
import { dnsSuffix } from '../../../shared/core/basics/dns-suffix';

const TIMEOUT_MS = 8_000;

export interface SignedRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
  /** The action of services that take it in a header. */
  readonly target?: string;
}

export type SignedCall = (
  service: 'events' | 'scheduler',
  request: SignedRequest,
) => Promise<Readonly<Record<string, unknown>>>;

/** Two reading calls to services whose SDK clients would be large for that. */
export function signedCall(region: string, credentials: () => Promise<AwsCredentials>): SignedCall {
  return async (service, { method, path, body, target }) => {
    const url = new URL(endpointFor(service) ?? `https://${service}.${region}.${dnsSuffix(region)}`);
    const headers =
      target === undefined ? {} : { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': target };
    const signed = sign(
      { service, region, host: url.host, method, path, headers, ...(body !== undefined && { body }) },
      await credentials(),
    );
    const answer = await fetch(new URL(path, url), {
      method,
      headers: signed.headers as Record<string, string>,
      ...(body !== undefined && { body }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await answer.text();
    if (!answer.ok)
      throw new Error(`${target ?? `${service} ${path.split('?')[0]}`}: ${answer.status} ${text.slice(0, 200)}`);
    return JSON.parse(text) as Record<string, unknown>;
  };
}

/** Another address, for an emulator, by the variables that the AWS SDKs know. */
function endpointFor(service: 'events' | 'scheduler'): string | undefined {
  const { AWS_ENDPOINT_URL, AWS_ENDPOINT_URL_EVENTBRIDGE, AWS_ENDPOINT_URL_SCHEDULER } = process.env;
  return (service === 'events' ? AWS_ENDPOINT_URL_EVENTBRIDGE : AWS_ENDPOINT_URL_SCHEDULER) ?? AWS_ENDPOINT_URL;
}
