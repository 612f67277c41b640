import { Agent } from 'node:https';
import type { Connection } from './connection';
import { type HttpResponse, httpRequest } from './http-request';

export interface KubeRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: string;
  readonly contentType?: string;
}

const agents = new WeakMap<Connection, { key: string; agent: Agent }>();

/** One request to the Kubernetes API over a kept-alive connection. */
export async function send(
  connection: Connection,
  { method, path, body, contentType }: KubeRequest,
  timeoutMs: number,
  freshToken: boolean,
): Promise<HttpResponse> {
  const url = new URL(`${connection.server()}${path}`);
  const headers = {
    accept: 'application/json',
    'user-agent': 'headstart',
    ...(await connection.authorize(freshToken)),
    ...(contentType !== undefined && { 'content-type': contentType }),
  };
  const agent = url.protocol === 'https:' ? { agent: agentFor(connection) } : {};
  return httpRequest(url, { method, headers, body, timeoutMs, ...agent });
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
