import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { messageOf } from '../../../shared/core/basics/errors';
import { foreignCaller } from '../../local-server/foreign-host';
import { closeServer, listenOnLoopback, readLimited } from '../../local-server/local-server';
import { parseCommand } from '../snapshot/page-command';
import type { ConsoleSource } from '../sources/console-source';
import { SnapshotStream } from './snapshot-stream';
import { readStatic, type StaticFolders } from './static-files';

const DEFAULT_PORT = 4100;
const MAX_COMMAND_BYTES = 64 * 1024;

const HEADERS = {
  'content-security-policy':
    "default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

export interface ConsoleServer {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

export interface ConsoleOptions {
  readonly folders: StaticFolders;
  /** @default 4100, or a free one where that is taken */
  readonly port?: number;
}

/** Serves the console on the loopback interface only. */
export async function serveConsole(source: ConsoleSource, options: ConsoleOptions): Promise<ConsoleServer> {
  const stream = new SnapshotStream(() => source.snapshot());
  const server = createServer((request, response) => {
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    respond(request, response, { source, stream, folders: options.folders }).catch((error: unknown) =>
      sendJson(response, 500, { ok: false, error: messageOf(error) }),
    );
  });
  const port = await listenSomewhere(server, options.port);
  return {
    url: `http://127.0.0.1:${port}/`,
    port,
    close: () => {
      stream.close();
      return closeServer(server);
    },
  };
}

/** A port that the user chose must be free; the default falls back to a free one. */
async function listenSomewhere(server: Server, requested: number | undefined): Promise<number> {
  try {
    return await listenOnLoopback(server, requested ?? DEFAULT_PORT);
  } catch (error) {
    const taken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
    if (taken && requested !== undefined)
      throw new Error(`port ${requested} is in use; choose another one, or leave out --port for a free one`, {
        cause: error,
      });
    if (!taken) throw error;
    return listenOnLoopback(server, 0);
  }
}

interface Context {
  readonly source: ConsoleSource;
  readonly stream: SnapshotStream;
  readonly folders: StaticFolders;
}

async function respond(request: IncomingMessage, response: ServerResponse, context: Context): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1');
  const refusal = refusalOf(request, pathname);
  if (refusal !== undefined) return sendJson(response, 403, { ok: false, error: refusal });
  if (request.method !== 'GET' && request.method !== 'POST')
    return sendJson(response, 405, { ok: false, error: `method ${request.method} is not allowed: use GET or POST` });
  if (request.method === 'POST')
    return pathname === '/api/command' ? command(request, response, context) : notFound(response);
  switch (pathname) {
    case '/api/snapshot':
      context.source.viewed?.();
      return sendJson(response, 200, context.source.snapshot());
    case '/api/stream':
      context.source.viewed?.();
      return context.stream.add(response);
    default: {
      const file = await readStatic(context.folders, pathname);
      if (!file) return notFound(response);
      response.writeHead(200, { 'content-type': file.type });
      response.end(file.content);
    }
  }
}

async function command(request: IncomingMessage, response: ServerResponse, { source }: Context): Promise<void> {
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? ''))
    return sendJson(response, 415, { ok: false, error: 'a command must be application/json' });
  const body = await readLimited(request, MAX_COMMAND_BYTES);
  if (body === undefined)
    return sendJson(response, 413, { ok: false, error: `a command has at most ${MAX_COMMAND_BYTES} bytes` });
  try {
    sendJson(response, 200, { ok: true, ...(await source.command(parseCommand(body))) });
  } catch (error) {
    sendJson(response, 400, { ok: false, error: messageOf(error) });
  }
}

function notFound(response: ServerResponse): void {
  sendJson(response, 404, { ok: false, error: 'not found' });
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  if (response.headersSent) {
    response.end();
    return;
  }
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

/** Only its own page may call a server that can change things; a POST without an Origin is another site's form. */
function refusalOf(request: IncomingMessage, pathname: string): string | undefined {
  const isUnknown = request.method === 'POST' && request.headers.origin === undefined;
  const isOtherSite = request.headers['sec-fetch-site'] === 'cross-site';
  // Another site may open a stream without an Origin, but browsers say so. A link to the page itself may be anywhere.
  if (isOtherSite && pathname.startsWith('/api/')) return 'another site may not call this server';
  return foreignCaller(request) ?? (isUnknown ? 'a command needs the Origin header of the console itself' : undefined);
}
