import { Agent, request as httpsRequest, type RequestOptions } from 'node:https';
import type { Connection } from './connection';

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: string;
  readonly contentType?: string;
}

export interface HttpAnswer {
  readonly status: number;
  readonly body: string;
  readonly retryAfterSeconds?: number;
}

const MAX_ANSWER = 256 * 1024 * 1024;
const agents = new WeakMap<Connection, { key: string; agent: Agent }>();

/** One HTTP request over a kept-alive connection; rejects when there is no whole answer in time. */
export async function send(
  connection: Connection,
  { method, path, body, contentType }: HttpRequest,
  timeoutMs: number,
  freshToken: boolean,
): Promise<HttpAnswer> {
  const url = new URL(`${connection.server()}${path}`);
  const headers = {
    accept: 'application/json',
    'user-agent': 'headstart',
    ...(await connection.authorize(freshToken)),
    ...(body !== undefined && { 'content-type': contentType, 'content-length': Buffer.byteLength(body) }),
  };
  const options: RequestOptions = {
    method,
    headers,
    ...(url.protocol === 'https:' && { agent: agentFor(connection) }),
  };
  const request = url.protocol === 'https:' ? httpsRequest : await plainRequest(url);
  return new Promise((resolve, reject) => {
    const outgoing = request(url, options, (incoming) => {
      const chunks: Buffer[] = [];
      let size = 0;
      incoming.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size > MAX_ANSWER) incoming.destroy(new Error('answer is too long'));
      });
      incoming.on('error', reject);
      incoming.on('end', () => {
        const retryAfter = Number(incoming.headers['retry-after']);
        resolve({
          status: incoming.statusCode ?? 0,
          body: Buffer.concat(chunks).toString('utf8'),
          ...(retryAfter > 0 && { retryAfterSeconds: retryAfter }),
        });
      });
    });
    // Also bounds name lookup and connect, which a socket time-out does not.
    const timer = setTimeout(() => outgoing.destroy(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
    outgoing.on('close', () => clearTimeout(timer));
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

function agentFor(connection: Connection): Agent {
  const tls = connection.tls();
  // A cluster that moved, or got another CA, needs another agent.
  const key = `${connection.server()} ${tls.ca?.toString() ?? ''}`;
  const known = agents.get(connection);
  if (known?.key === key) return known.agent;
  const agent = new Agent({ keepAlive: true, maxSockets: 16, rejectUnauthorized: true, ...tls });
  agents.set(connection, { key, agent });
  return agent;
}

/** The sandbox speaks plain HTTP on loopback; anywhere else that would be a leak. */
async function plainRequest(url: URL): Promise<typeof httpsRequest> {
  if (!['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname))
    throw new Error(`plain HTTP is for loopback only, got ${url.origin}; use https`);
  return (await import('node:http')).request as typeof httpsRequest;
}
