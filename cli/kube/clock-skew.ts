import type { Connection } from '../../shared/adapters/kube/connection';
import { KubeError } from '../../shared/adapters/kube/kube-error';
import { type KubeRequest, send } from '../../shared/adapters/kube/send';

const TIMEOUT_MS = 8_000;
/** The Date header has whole seconds and the response takes time to arrive: a smaller skew is noise. */
const NOISE_MS = 3_000;
const VERSION: KubeRequest = { method: 'GET', path: '/version' };

/** Zero for a skew that is within the noise. */
export function skewWorthCorrecting(skewMs: number): number {
  return Math.abs(skewMs) < NOISE_MS || Number.isNaN(skewMs) ? 0 : skewMs;
}

/** How many milliseconds the cluster's clock is ahead, from the Date header of a response; accurate to a second. */
export async function clockSkew(connection: Connection, now: () => number): Promise<number> {
  const sentAt = now();
  const options = { timeoutMs: TIMEOUT_MS, freshToken: false, now: sentAt };
  const { headers } = await send(connection, VERSION, options).catch((error: Error) => {
    throw new KubeError(VERSION, 0, 'Unreachable', error.message, { cause: error });
  });
  const date = Date.parse(String(headers.date));
  if (Number.isNaN(date)) throw new Error('the response has no Date header');
  // The header is truncated to the second, and was set about halfway through the call.
  return date + 500 - (sentAt + now()) / 2;
}
