import { type Agent, request as httpsRequest } from 'node:https';

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body?: string | undefined;
  /** For the whole response, including name lookup and connect, which a socket timeout does not cover. */
  readonly timeoutMs: number;
  /** How much longer a response may still come after its time-out. @default not at all */
  readonly listenMs?: number;
  /** @default the process's own */
  readonly agent?: Agent;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export class NoResponseError extends Error {
  override readonly name = 'NoResponseError';

  constructor(
    override readonly cause: Error,
    /** The connection was reused, so it may have been dead before the request. */
    readonly reusedConnection: boolean,
    readonly timedOut = false,
    /** The response, if it still comes after its time-out. */
    readonly late?: Promise<HttpResponse>,
  ) {
    super(cause.message);
  }
}

const MAX_BYTES = 256 * 1024 * 1024;
const LOOPBACK = ['127.0.0.1', '[::1]', 'localhost'];

/** The only HTTP client besides the AWS SDK's; rejects if there is no complete response in time. */
export async function httpRequest(url: URL, { body, timeoutMs, listenMs = 0, ...rest }: HttpRequest) {
  refusePlainHttp(url);
  // Loaded on demand, to keep cold starts short: only tests and the sandbox need `node:http`.
  const request = url.protocol === 'https:' ? httpsRequest : (await import('node:http')).request;
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
  const options = { ...rest, headers: { ...rest.headers, ...length } };
  return new Promise<HttpResponse>((resolve, reject) => {
    // After the time-out they settle the response that may still come.
    let settle = { resolve, reject };
    const fail = (cause: Error) => settle.reject(new NoResponseError(cause, outgoing.reusedSocket));
    const outgoing = request(url, options, (incoming) => {
      const chunks: Buffer[] = [];
      let size = 0;
      incoming.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size > MAX_BYTES) incoming.destroy(new Error(`response is longer than ${MAX_BYTES} bytes`));
      });
      incoming.on('error', fail);
      incoming.on('end', () =>
        settle.resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          body: Buffer.concat(chunks).toString('utf8'),
        }),
      );
    });
    let timer = setTimeout(() => {
      const cause = new Error(`no response within ${timeoutMs} ms`);
      const late = new Promise<HttpResponse>((resolve, reject) => {
        settle = { resolve, reject };
      });
      late.catch(() => {});
      timer = setTimeout(() => outgoing.destroy(cause), listenMs);
      reject(new NoResponseError(cause, outgoing.reusedSocket, true, late));
    }, timeoutMs);
    outgoing.on('close', () => clearTimeout(timer));
    outgoing.on('error', fail);
    outgoing.end(body);
  });
}

/** Plain HTTP is for the sandbox and for tests on loopback; anywhere else it would be a leak. */
export function refusePlainHttp({ protocol, hostname, origin }: URL): void {
  if (protocol !== 'https:' && !LOOPBACK.includes(hostname))
    throw new Error(`plain HTTP is for loopback only, got ${origin}; use https`);
}
