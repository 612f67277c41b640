import { httpRequest, refusePlainHttp } from '../../../shared/adapters/http/http-request';
import { sleep } from '../../../shared/adapters/process/sleep';
import { messageOf } from '../../../shared/core/basics/errors';
import { doubling, retry } from '../../../shared/core/basics/retry';

const MAX_TRIES = 5;
const TIMEOUT_MS = 10_000;

/** Sends a custom resource's response to CloudFormation, at the signed URL that came with the request. */
export async function sendCfnResponse(responseUrl: string, body: string, wait = sleep): Promise<void> {
  const url = new URL(responseUrl);
  refusePlainHttp(url);
  await retry(() => put(url, body), {
    sleep: wait,
    delayMs: (_error, attempt) => (attempt < MAX_TRIES ? doubling(1_000, attempt) : undefined),
  }).catch((error: unknown) => {
    // Without the URL's query, which contains the signature.
    throw new Error(
      `CloudFormation did not accept the response at ${url.origin}: ${messageOf(error)}; a function in a VPC needs a way to S3, such as a gateway endpoint`,
    );
  });
}

async function put(url: URL, body: string): Promise<void> {
  // The URL is signed for an empty content type.
  const headers = { 'content-type': '' };
  const response = await httpRequest(url, { method: 'PUT', headers, body, timeoutMs: TIMEOUT_MS });
  if (response.status >= 300) throw new Error(`${response.status} ${response.body.slice(0, 200)}`);
}
