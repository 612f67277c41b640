import { messageOf } from '../../shared/core/basics/errors';

const MAX_TRIES = 5;
const TIMEOUT_MS = 10_000;
const LOOPBACK = ['127.0.0.1', '[::1]', 'localhost'];

/** Hands an answer to CloudFormation at the signed URL that came with the request. */
export async function sendCfnResponse(url: string, body: string, sleep = wait): Promise<void> {
  const { protocol, hostname, origin } = new URL(url);
  if (protocol !== 'https:' && !LOOPBACK.includes(hostname))
    throw new Error(`ResponseURL must be https, got ${origin}`);
  for (let attempt = 1; ; attempt += 1) {
    const trouble = await put(url, body);
    if (trouble === undefined) return;
    // Without its query: that holds the signature.
    if (attempt === MAX_TRIES)
      throw new Error(
        `CloudFormation did not take the answer at ${origin}: ${trouble}; a function in a VPC needs a way to S3, such as a gateway endpoint`,
      );
    await sleep(500 * 2 ** attempt);
  }
}

async function put(url: string, body: string): Promise<string | undefined> {
  try {
    const answer = await fetch(url, {
      method: 'PUT',
      // The URL is signed for an empty content type; text would get one of its own.
      body: Buffer.from(body),
      headers: { 'content-type': '' },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return answer.ok ? undefined : `${answer.status} ${(await answer.text()).slice(0, 200)}`;
  } catch (error) {
    const cause = (error as Error).cause;
    return cause === undefined ? messageOf(error) : `${messageOf(error)} (${messageOf(cause)})`;
  }
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
