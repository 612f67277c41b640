import { readFileSync } from 'node:fs';
import { createServer as createPlainServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { ApiRequest } from '../../lab/simulator/kube/rest/rest-response';

const TLS = join(__dirname, '..', 'fixtures', 'tls');
/** Signed only for tests on loopback. */
export const TEST_CA = readFileSync(join(TLS, 'ca.crt'));

export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface LoopbackServer {
  readonly url: string;
  readonly seen: readonly Seen[];
  forget(): void;
  close(): Promise<void>;
}

/** A request as the simulated API takes it. */
export function apiRequest({ method, url, headers, body }: Seen): ApiRequest {
  const { pathname: path, searchParams: query } = new URL(url, 'http://127.0.0.1');
  const { 'content-type': contentType = '', accept = '', 'user-agent': userAgent = '' } = headers;
  return { method, path, query, contentType, accept, userAgent, body };
}

type Respond = (request: Seen, response: ServerResponse, count: number) => void;

/** A real HTTP or HTTPS server on a free port of loopback that remembers what it was asked. */
export async function loopbackServer(respond: Respond, tls = false): Promise<LoopbackServer> {
  const seen: Seen[] = [];
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const one = { method, url, headers, body: Buffer.concat(chunks).toString() };
      seen.push(one);
      respond(one, response, seen.length);
    });
  };
  const server: Server = tls
    ? createTlsServer(
        { key: readFileSync(join(TLS, 'server.key')), cert: readFileSync(join(TLS, 'server.crt')) },
        listener,
      )
    : createPlainServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    seen,
    forget: () => {
      seen.length = 0;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}
