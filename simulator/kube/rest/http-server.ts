import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { messageOf } from '../../../shared/core/basics/errors';
import type { KubeApi } from '../api/kube-api';
import { ApiError } from '../api-error';
import { type ApiRequest, type ApiResponse, failure, respond } from './respond';
import { startWatch, wantsWatch } from './watch';

/** An injected failure of a request. */
export interface Fault {
  readonly status: 429 | 500 | 503 | 504;
  readonly message?: string;
  readonly retryAfterSeconds?: number;
}

export interface KubeServerOptions {
  /** @default a free port */
  readonly port?: number;
  /** Requests without this bearer token are refused. @default anyone on this machine may call */
  readonly token?: string;
  /** A secret path prefix, for clients such as kubectl that send no token over plain HTTP. @default none */
  readonly basePath?: string;
  /** Called before every request; may wait, and may return a fault to respond with. */
  readonly onRequest?: (request: ApiRequest) => Fault | undefined | Promise<Fault | undefined>;
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
    response.setHeader('date', new Date(api.store.now()).toUTCString());
    serve(api, options, request, response).catch((error: unknown) => {
      const internal = () => new ApiError(500, 'InternalError', `Internal error occurred: ${messageOf(error)}`);
      send(response, failure(error instanceof ApiError ? error : internal()));
    });
  });
  await listen(server, options.port ?? 0);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${options.basePath ?? ''}`,
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
}

async function serve(
  api: KubeApi,
  options: KubeServerOptions,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  refuseForeign(incoming, options);
  const request = await readRequest(incoming, options.basePath ?? '');
  const fault = await options.onRequest?.(request);
  if (fault) return send(response, failure(faultError(fault)), fault.retryAfterSeconds);
  if (wantsWatch(request)) return startWatch(api, request, response);
  send(response, respond(api, request));
}

/** Rejects foreign host names and origins (DNS rebinding, other sites), and requests without the secret or token. */
function refuseForeign({ headers, socket, url = '' }: IncomingMessage, options: KubeServerOptions): void {
  const own = ['127.0.0.1', 'localhost', '[::1]'].map((host) => `${host}:${socket.localPort}`);
  if (!own.includes((headers.host ?? '').toLowerCase())) {
    const host = JSON.stringify(headers.host ?? '');
    throw new ApiError(403, 'Forbidden', `host ${host} is not served here: use ${own[0]}`);
  }
  const { origin } = headers;
  if (origin !== undefined && !own.some((host) => origin === `http://${host}`)) {
    throw new ApiError(403, 'Forbidden', `origin ${JSON.stringify(origin)} may not call this API`);
  }
  const { basePath = '', token } = options;
  const isElsewhere = basePath !== '' && !url.startsWith(`${basePath}/`) && url !== basePath;
  const isUnknown = token !== undefined && headers.authorization !== `Bearer ${token}`;
  if (isElsewhere || isUnknown) throw new ApiError(401, 'Unauthorized', 'Unauthorized');
}

async function readRequest(incoming: IncomingMessage, basePath: string): Promise<ApiRequest> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming) {
    size += (chunk as Buffer).length;
    if (size <= LARGEST_BODY) chunks.push(chunk as Buffer);
  }
  if (size > LARGEST_BODY)
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
    body: Buffer.concat(chunks).toString('utf8'),
  };
}

const FAULT_REASONS: Readonly<Record<Fault['status'], string>> = {
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};

function faultError({ status, message = 'a fault that was switched on', retryAfterSeconds }: Fault): ApiError {
  const details = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  return new ApiError(status, FAULT_REASONS[status], message, details);
}

function send(response: ServerResponse, { status, body }: ApiResponse, retryAfterSeconds?: number): void {
  if (response.headersSent) {
    response.end();
    return;
  }
  const type = typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json';
  response.writeHead(status, {
    'content-type': type,
    'cache-control': 'no-cache, private',
    ...(retryAfterSeconds !== undefined && { 'retry-after': `${retryAfterSeconds}` }),
  });
  response.end(typeof body === 'string' ? body : `${JSON.stringify(body)}\n`);
}
