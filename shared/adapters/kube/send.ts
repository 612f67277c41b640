import { type HttpResponse, httpRequest } from '../http/http-request';
import type { Connection } from './connection';
import { agentsOf } from './kube-agents';

export interface KubeRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: string;
  readonly contentType?: string;
}

export interface SendOptions {
  readonly timeoutMs: number;
  /** Whether a cached token was refused. */
  readonly freshToken: boolean;
  readonly now: number;
}

/** One request to the Kubernetes API over a kept-alive connection; after a failure the next one gets a fresh connection. */
export async function send(
  connection: Connection,
  { method, path, body, contentType }: KubeRequest,
  { timeoutMs, freshToken, now }: SendOptions,
): Promise<HttpResponse> {
  const url = new URL(`${connection.server()}${path}`);
  const headers = {
    accept: 'application/json',
    'user-agent': 'headstart',
    ...(await connection.authorize(freshToken)),
    ...(contentType !== undefined && { 'content-type': contentType }),
  };
  const request = { method, headers, body, timeoutMs };
  if (url.protocol !== 'https:') return httpRequest(url, request);
  const pool = agentsOf(connection);
  const agent = pool.get(now);
  return httpRequest(url, { ...request, agent }).catch((error: unknown) => {
    pool.drop(agent);
    throw error;
  });
}
