import type { Connection } from '../../shared/adapters/connection';

const TIMEOUT_MS = 8_000;

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
    outgoing.on('error', reject);
    outgoing.end();
  });
  const said = Date.parse(date ?? '');
  if (Number.isNaN(said)) throw new Error('the answer has no Date header');
  // The header is cut to the second; the answer was under way for half of the time that it took.
  return said + 500 - (asked + now()) / 2;
}
