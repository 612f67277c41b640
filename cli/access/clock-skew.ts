import type { Connection } from '../../shared/adapters/connection';
import { KubeError } from '../../shared/adapters/kube-error';

const TIMEOUT_MS = 8_000;
/** The Date header is cut to the second and the way takes its time: less than this is noise. */
const NOISE_MS = 3_000;

/** Zero for what may as well be noise. */
export function skewWorthCorrecting(skewMs: number): number {
  return Math.abs(skewMs) < NOISE_MS || Number.isNaN(skewMs) ? 0 : skewMs;
}

/** By how many milliseconds the cluster's clock is ahead, by the Date header of an answer; exact to a second. */
export async function clockSkew(connection: Connection, now: () => number): Promise<number> {
  const url = new URL(`${connection.server()}/version`);
  const { request } = url.protocol === 'https:' ? await import('node:https') : await import('node:http');
  const headers = await connection.authorize(false);
  const asked = now();
  const date = await new Promise<string | undefined>((resolve, reject) => {
    const outgoing = request(url, { headers: { ...headers }, ...connection.tls(), timeout: TIMEOUT_MS }, (incoming) => {
      incoming.resume();
      resolve(incoming.headers.date);
    });
    outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer within ${TIMEOUT_MS} ms`)));
    outgoing.on('error', (error) =>
      reject(new KubeError({ method: 'GET', path: url.pathname }, 0, 'Unreachable', error.message)),
    );
    outgoing.end();
  });
  const said = Date.parse(date ?? '');
  if (Number.isNaN(said)) throw new Error('the answer has no Date header');
  // The header is cut to the second; the answer was under way for half of the time that it took.
  return said + 500 - (asked + now()) / 2;
}
