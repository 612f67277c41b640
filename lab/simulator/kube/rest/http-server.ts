import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { messageOf } from '../../../../shared/core/basics/errors';
import { SANDBOX_TIME_HEADER } from '../../../../shared/core/basics/names';
import { foreignCaller } from '../../../local-server/foreign-host';
import { closeServer, listenOnLoopback, readLimited } from '../../../local-server/local-server';
import type { KubeApi } from '../api/kube-api';
import { ApiError } from '../api-error';
import { type ApiRequest, type ApiResponse, failure, respond } from './rest-response';
import { startWatch, wantsWatch } from './watch';

export interface KubeServerOptions {
  /** @default a free port */
  readonly port?: number;
  /** A secret path prefix, for clients such as kubectl that send no token over plain HTTP. @default none */
  readonly basePath?: string;
  /** Whether a request fails on purpose. @default none does */
  readonly isFaulty?: (request: ApiRequest) => boolean;
}

export interface KubeServer {
  /** Where clients connect, base path included. */
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

const LARGEST_BODY = 3 * 1024 * 1024;

/** Serves the API over HTTP on the loopback interface only. */
export async function serveKube(api: KubeApi, options: KubeServerOptions = {}): Promise<KubeServer> {
  const server = createServer((request, response) => {
    // Clients read the cluster's time, which is virtual, from this header.
    const now = new Date(api.store.now());
    response.setHeader('date', now.toUTCString());
    response.setHeader(SANDBOX_TIME_HEADER, now.toISOString());
    serve(api, options, request, response).catch((error: unknown) => {
      const internal = () => new ApiError(500, 'InternalError', `Internal error occurred: ${messageOf(error)}`);
      send(response, failure(error instanceof ApiError ? error : internal()));
    });
  });
  const port = await listenOnLoopback(server, options.port ?? 0);
  return {
    url: `http://127.0.0.1:${port}${options.basePath ?? ''}`,
    port,
    close: () => closeServer(server),
  };
}

async function serve(
  api: KubeApi,
  { basePath = '', isFaulty }: KubeServerOptions,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  refuseForeign(incoming, basePath);
  const request = await readRequest(incoming, basePath);
  if (isFaulty?.(request)) throw new ApiError(503, 'ServiceUnavailable', 'a fault that was switched on', {});
  if (wantsWatch(request)) return startWatch(api, request, response);
  send(response, respond(api, request));
}

function refuseForeign(incoming: IncomingMessage, basePath: string): void {
  const refusal = foreignCaller(incoming);
  if (refusal !== undefined) throw new ApiError(403, 'Forbidden', refusal);
  const { url = '' } = incoming;
  if (basePath !== '' && !url.startsWith(`${basePath}/`) && url !== basePath)
    throw new ApiError(401, 'Unauthorized', 'Unauthorized');
}

async function readRequest(incoming: IncomingMessage, basePath: string): Promise<ApiRequest> {
  const body = await readLimited(incoming, LARGEST_BODY);
  if (body === undefined)
    throw new ApiError(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${LARGEST_BODY}`);
  const url = new URL((incoming.url ?? '/').slice(basePath.length) || '/', 'http://127.0.0.1');
  const { headers } = incoming;
  return {
    method: incoming.method ?? 'GET',
    path: url.pathname,
    query: url.searchParams,
    contentType: headers['content-type'] ?? '',
    accept: headers.accept ?? '',
    userAgent: headers['user-agent'] ?? '',
    body,
  };
}

function send(response: ServerResponse, { status, body }: ApiResponse): void {
  if (response.headersSent) {
    response.end();
    return;
  }
  const type = typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json';
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-cache, private' });
  response.end(typeof body === 'string' ? body : `${JSON.stringify(body)}\n`);
}
