import { type Agent, request as httpsRequest } from 'node:https';

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body?: string | undefined;
  /** For the whole response, including name lookup and connect, which a socket timeout does not cover. */
  readonly timeoutMs: number;
  /** For name lookup, connect and TLS handshake, if a new connection is needed. @default as long as the response */
  readonly connectMs?: number;
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

/** There was no complete response. */
export class NoResponseError extends Error {
  override readonly name = 'NoResponseError';

  constructor(
    override readonly cause: Error,
    /** The connection was reused, so it may have been dead before the request. */
    readonly reusedConnection: boolean,
    /** There was a connection, and the response did not come in time. */
    readonly timedOut = false,
    /** The response, if it still comes. */
    readonly late?: Promise<HttpResponse>,
  ) {
    super(cause.message, { cause });
  }
}

const MAX_BYTES = 256 * 1024 * 1024;
const LOOPBACK = ['127.0.0.1', '[::1]', 'localhost'];

/** The only HTTP client besides the AWS SDK's; rejects if there is no complete response in time. */
export async function httpRequest(
  url: URL,
  { body, timeoutMs, connectMs = timeoutMs, listenMs = 0, ...rest }: HttpRequest,
): Promise<HttpResponse> {
  refusePlainHttp(url);
  // Loaded on demand, to keep cold starts short: only tests and the sandbox need `node:http`.
  const request = url.protocol === 'https:' ? httpsRequest : (await import('node:http')).request;
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
  const options = { ...rest, headers: { ...rest.headers, ...length } };
  return new Promise((resolve, reject) => {
    let [connected, timedOut] = [false, false];
    /** Replaced after the time-out by those of the response that may still come. */
    let [succeed, refuse] = [resolve, reject];
    const fail = (cause: Error) => refuse(new NoResponseError(cause, outgoing.reusedSocket, timedOut));
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
        succeed({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          body: Buffer.concat(chunks).toString('utf8'),
        }),
      );
    });
    const giveUp = (what: string, ms: number) => outgoing.destroy(notWithin(what, ms));
    const onTimeout = () => {
      timedOut = connected;
      if (!connected || listenMs <= 0) return void giveUp('response', timeoutMs);
      const late = new Promise<HttpResponse>((...settle) => {
        [succeed, refuse] = settle;
      });
      late.catch(() => {});
      reject(new NoResponseError(notWithin('response', timeoutMs), outgoing.reusedSocket, true, late));
      timers.push(setTimeout(giveUp, listenMs, 'response', timeoutMs + listenMs));
    };
    const timers = [setTimeout(onTimeout, timeoutMs)];
    outgoing.on('socket', (socket) => {
      connected = outgoing.reusedSocket;
      if (connected) return;
      timers.push(setTimeout(() => connected || giveUp('connection', connectMs), connectMs));
      socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
        connected = true;
      });
    });
    outgoing.on('close', () => timers.forEach(clearTimeout));
    outgoing.on('error', fail);
    outgoing.end(body);
  });
}

function notWithin(what: string, ms: number): Error {
  return new Error(`no ${what} within ${ms} ms`);
}

/** Plain HTTP is for the sandbox and for tests on loopback; anywhere else it would be a leak. */
export function refusePlainHttp({ protocol, hostname, origin }: URL): void {
  if (protocol !== 'https:' && !LOOPBACK.includes(hostname))
    throw new Error(`plain HTTP is for loopback only, got ${origin}; use https`);
}
