import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { messageOf } from '../../shared/core/basics/errors';
import type { ConsoleSource } from '../sources/console-source';
import { parseCommand } from './parse-command';
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
  await listenSomewhere(server, options.port);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    port,
    close: () =>
      new Promise((resolve) => {
        stream.close();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A port that the user chose must be free; the default falls back to a free one. */
async function listenSomewhere(server: Server, requested: number | undefined): Promise<void> {
  try {
    await listen(server, requested ?? DEFAULT_PORT);
  } catch (error) {
    const taken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
    if (taken && requested !== undefined)
      throw new Error(`port ${requested} is in use; choose another one, or leave out --port for a free one`, {
        cause: error,
      });
    if (!taken) throw error;
    await listen(server, 0);
  }
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
}

interface Context {
  readonly source: ConsoleSource;
  readonly stream: SnapshotStream;
  readonly folders: StaticFolders;
}

async function respond(request: IncomingMessage, response: ServerResponse, context: Context): Promise<void> {
  const refusal = refusalOf(request);
  if (refusal) return sendJson(response, refusal.status, { ok: false, error: refusal.message });
  const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1');
  if (request.method === 'POST')
    return pathname === '/api/command' ? command(request, response, context) : notFound(response);
  switch (pathname) {
    case '/api/snapshot':
      return sendJson(response, 200, context.source.snapshot());
    case '/api/stream':
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
  const body = await readBody(request);
  if (body === undefined)
    return sendJson(response, 413, { ok: false, error: `a command has at most ${MAX_COMMAND_BYTES} bytes` });
  try {
    sendJson(response, 200, { ok: true, ...(await source.command(parseCommand(body))) });
  } catch (error) {
    sendJson(response, 400, { ok: false, error: messageOf(error) });
  }
}

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size <= MAX_COMMAND_BYTES) chunks.push(chunk as Buffer);
  }
  return size > MAX_COMMAND_BYTES ? undefined : Buffer.concat(chunks).toString('utf8');
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

interface Refusal {
  readonly status: number;
  readonly message: string;
}

/**
 * Only its own page may call a server that can change things. A foreign Host means DNS rebinding, by a page whose
 * name resolves to this machine; a foreign or missing Origin on a POST means another site's form or script.
 */
function refusalOf({ method, headers, socket }: IncomingMessage): Refusal | undefined {
  const own = ['127.0.0.1', 'localhost', '[::1]'].map((host) => `${host}:${socket.localPort}`);
  const { host = '', origin } = headers;
  if (!own.includes(host.toLowerCase()))
    return forbidden(`host ${JSON.stringify(host)} is not served here: use ${own[0]}`);
  if (method !== 'GET' && method !== 'POST')
    return { status: 405, message: `method ${method} is not allowed: use GET or POST` };
  const foreign = origin !== undefined && !own.some((one) => origin.toLowerCase() === `http://${one}`);
  if (foreign) return forbidden(`origin ${JSON.stringify(origin)} is not allowed to call the console`);
  if (method === 'POST' && origin === undefined)
    return forbidden('a command needs the Origin header of the console itself');
  return undefined;
}

function forbidden(message: string): Refusal {
  return { status: 403, message };
}
