import { Agent } from 'node:https';
import { createSecureContext } from 'node:tls';
import { type FreshAfterIdle, freshAfterIdle } from '../http/fresh-after-idle';
import { type HttpResponse, httpRequest } from '../http/http-request';
import type { Connection } from './connection';

/** Kept per connection: a transport lives for one invocation, its connections for many. */
const agents = new WeakMap<Connection, { readonly key: string; readonly pool: FreshAfterIdle<Agent> }>();

export interface KubeRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: string;
  readonly contentType?: string;
  /** @default JSON */
  readonly accept?: string | undefined;
}

/** A server that takes longer cannot be reached; one that only answers slowly accepts connections as fast as ever. */
const CONNECT_MS = 3_000;

export interface SendOptions {
  readonly timeoutMs: number;
  readonly listenMs?: number;
  /** Whether a cached token was refused. */
  readonly freshToken: boolean;
  readonly now: number;
}

/** Sends one request over a kept-alive connection; after a failure the next one gets a fresh connection. */
export async function send(
  connection: Connection,
  { method, path, body, contentType, accept = 'application/json' }: KubeRequest,
  { freshToken, now, ...times }: SendOptions,
): Promise<HttpResponse> {
  const url = new URL(`${connection.server()}${path}`);
  const headers = {
    accept,
    'user-agent': 'headstart',
    ...(await connection.authorize(freshToken)),
    ...(contentType !== undefined && { 'content-type': contentType }),
  };
  const request = { method, headers, body, ...times };
  if (url.protocol !== 'https:') return httpRequest(url, request);
  const pool = agentsOf(connection);
  const agent = pool.get(now);
  return httpRequest(url, { ...request, agent }).catch((error: unknown) => {
    pool.drop(agent);
    throw error;
  });
}

class QuickAgent extends Agent {
  override createConnection(...args: Parameters<Agent['createConnection']>): ReturnType<Agent['createConnection']> {
    const socket = super.createConnection(...args);
    const timer = setTimeout(() => socket?.destroy(new Error(`no connection within ${CONNECT_MS} ms`)), CONNECT_MS);
    for (const event of ['secureConnect', 'close']) socket?.once(event, () => clearTimeout(timer));
    return socket;
  }
}

function agentsOf(connection: Connection): FreshAfterIdle<Agent> {
  const tls = connection.tls();
  // A new endpoint or CA needs a new agent.
  const key = `${connection.server()} ${tls.ca?.toString() ?? ''}`;
  const known = agents.get(connection);
  if (known?.key === key) return known.pool;
  const make = () =>
    new QuickAgent({
      keepAlive: true,
      maxSockets: 16,
      rejectUnauthorized: true,
      // Shared by all connections; otherwise each would parse the CA again.
      secureContext: createSecureContext(tls),
    });
  const pool = freshAfterIdle(make, retire);
  agents.set(connection, { key, pool });
  return pool;
}

/** Closes idle connections now, and those in use as soon as they are done. */
function retire(agent: Agent): void {
  agent.maxFreeSockets = 0;
  for (const sockets of Object.values(agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
}
