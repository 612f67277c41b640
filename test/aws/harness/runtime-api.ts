import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How one run of a function ended. */
export interface Run {
  readonly failed: boolean;
  readonly payload: unknown;
}

/** The part of Lambda that a function's process talks to. */
export interface RuntimeApi {
  /** `host:port` */
  readonly address: string;
  run(event: unknown): Promise<Run>;
  /** Ends the runs that wait for an answer. */
  abort(why: string): void;
  close(): Promise<void>;
}

interface Pending {
  readonly id: string;
  readonly event: unknown;
  readonly resolve: (run: Run) => void;
  readonly reject: (error: Error) => void;
}

const TIMEOUT_MS = 120_000;

/**
 * Lambda's Runtime API on loopback.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html
 */
export async function startRuntimeApi(timeoutMs = TIMEOUT_MS): Promise<RuntimeApi> {
  const waiting: Pending[] = [];
  const running = new Map<string, Pending>();
  const idle: ServerResponse[] = [];
  const deliver = () => {
    while (idle.length > 0 && waiting.length > 0) {
      const [response, next] = [idle.shift(), waiting.shift()];
      if (!response || !next) return;
      running.set(next.id, next);
      response.writeHead(200, headersFor(next.id, timeoutMs));
      response.end(JSON.stringify(next.event));
    }
  };
  const settle = (id: string, run: Run) => {
    running.get(id)?.resolve(run);
    running.delete(id);
  };
  const abort = (why: string) => {
    for (const { reject } of [...waiting.splice(0), ...running.values()]) reject(new Error(why));
    running.clear();
  };
  const server = createServer(async (request, response) => {
    const [, id = '', what = ''] = /\/invocation\/([^/]+)(?:\/(response|error))?$/.exec(request.url ?? '') ?? [];
    if (request.method === 'GET' && id === 'next') {
      idle.push(response);
      return deliver();
    }
    const payload = await readJson(request);
    if (request.url?.endsWith('/init/error')) abort(`the function did not start: ${JSON.stringify(payload)}`);
    else settle(id, { failed: what === 'error', payload });
    response.writeHead(202, { 'content-type': 'application/json' });
    response.end('{"status":"OK"}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    run: (event) =>
      new Promise((resolve, reject) => {
        waiting.push({ id: randomUUID(), event, resolve, reject });
        deliver();
      }),
    abort,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function headersFor(id: string, timeoutMs: number): Record<string, string> {
  return {
    'content-type': 'application/json',
    'lambda-runtime-aws-request-id': id,
    'lambda-runtime-deadline-ms': `${Date.now() + timeoutMs}`,
    'lambda-runtime-invoked-function-arn': 'arn:aws:lambda:ap-northeast-2:123456789012:function:test',
  };
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  return text === '' ? undefined : JSON.parse(text);
}
