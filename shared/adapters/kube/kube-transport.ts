import type { KubernetesObject } from '@kubernetes/client-node';
import { doubling, retry } from '../../core/basics/retry';
import { type HttpResponse, NoResponseError } from '../http/http-request';
import { sleep } from '../process/sleep';
import type { Connection } from './connection';
import { KubeError } from './kube-error';
import { listInPages } from './list-in-pages';
import { type KubeRequest, type SendOptions, send } from './send';

/** 0 is no response at all. */
const TRANSIENT = [0, 429, 500, 502, 503, 504];
/** A response that is not the API's, but from a proxy in between; a retry may help. */
const UNREADABLE = 'Unreadable';

/** The few calls that Headstart makes, typed by the models of @kubernetes/client-node. */
export interface KubeTransport {
  get<T extends object>(path: string, accept?: string): Promise<T>;
  /** The whole list; `listInPages` keeps only part of each object. */
  list<T extends KubernetesObject>(path: string, labelSelector?: string): Promise<readonly T[]>;
  create<T extends KubernetesObject>(path: string, body: KubernetesObject): Promise<T>;
  /** Server-side apply of a complete manifest, guarded by `metadata.resourceVersion`; forced unless told otherwise. */
  apply<T extends KubernetesObject>(
    path: string,
    body: KubernetesObject,
    fieldManager: string,
    options?: { readonly force: boolean },
  ): Promise<T>;
  delete(path: string, preconditions?: { readonly uid?: string; readonly resourceVersion?: string }): Promise<void>;
}

export interface TransportOptions {
  /** For one try, at most. */
  readonly timeoutMs?: number;
  readonly maxTries?: number;
  /** For all tries of one call together. @default with a deadline: all that is left */
  readonly budgetMs?: number;
  /** When all calls must have ended, in epoch milliseconds; a try gets a share of what is left. */
  readonly deadline?: number;
  /** Waits before another try; replaced in tests. */
  readonly sleep?: (ms: number) => Promise<void>;
  readonly now?: () => number;
  /** Jitter. */
  readonly random?: () => number;
  /** Sends one request and waits for its response; replaced where there is no network. */
  readonly send?: (connection: Connection, request: KubeRequest, options: SendOptions) => Promise<HttpResponse>;
}

/** Without a deadline, somebody waits for the answer. */
const [IMPATIENT, PATIENT] = [{ timeoutMs: 5_000, budgetMs: 12_000 }, { timeoutMs: 20_000 }];

const DEFAULTS = {
  maxTries: 4,
  budgetMs: Number.POSITIVE_INFINITY,
  deadline: Number.POSITIVE_INFINITY,
  sleep,
  now: () => Date.now(),
  random: () => Math.random(),
  send,
};

/** Calls one Kubernetes API with timeouts, bounded retries, a fresh token after a 401, and never past its deadline. */
export function kubeTransport(connection: Connection, given: TransportOptions = {}): KubeTransport {
  const patience = Number.isFinite(given.deadline) ? PATIENT : IMPATIENT;
  const options = { ...DEFAULTS, ...patience, ...given, slowest: { ms: 0 } };
  const call = <T>(request: KubeRequest) => callWithRetries<T>(connection, request, options);
  const get = <T>(path: string, accept?: string) => call<T>({ method: 'GET', path, ...(accept && { accept }) });
  return {
    get,
    list: <T extends KubernetesObject>(path: string, labelSelector?: string) =>
      listInPages({ get }, path, { labelSelector, facts: (object: T) => [object] }),
    create: (path, body) => call({ method: 'POST', path, body: JSON.stringify(body), contentType: 'application/json' }),
    apply: (path, body, fieldManager, { force } = { force: true }) =>
      call({
        method: 'PATCH',
        path: `${path}?fieldManager=${encodeURIComponent(fieldManager)}&force=${force}`,
        body: JSON.stringify(body),
        contentType: 'application/apply-patch+yaml',
      }),
    delete: async (path, preconditions) => {
      const body = JSON.stringify({ apiVersion: 'v1', kind: 'DeleteOptions', ...(preconditions && { preconditions }) });
      await call({ method: 'DELETE', path, body, contentType: 'application/json' });
    },
  };
}

async function callWithRetries<T>(
  connection: Connection,
  request: KubeRequest,
  options: Required<TransportOptions> & { readonly slowest: { ms: number } },
): Promise<T> {
  const { timeoutMs, maxTries, budgetMs, deadline, sleep, now, random, send, slowest } = options;
  const until = Math.min(now() + budgetMs, deadline);
  let freshToken = false;
  let waitingSince: number | undefined;
  const late: Promise<HttpResponse>[] = [];
  const tryOnce = async (previous: KubeError | undefined): Promise<T> => {
    if (isUnreachable(previous)) await connection.rediscover?.(until);
    const time = now();
    const pace = slowest.ms < 1_000 ? '' : `; its slowest response took ${seconds(slowest.ms)}`;
    if (time >= until)
      throw previous ?? new KubeError(request, 0, 'DeadlineExceeded', `no time is left for this call${pace}`);
    // What a read leaves is for the write that follows; nothing follows a write.
    const share = (deadline - time) / (request.method === 'GET' ? 2 : 1);
    const ms = Math.min(timeoutMs, share, until - time);
    const listenMs = Number.isFinite(deadline) ? deadline - time - ms : 0;
    const measured = (response: HttpResponse) => {
      slowest.ms = Math.max(slowest.ms, now() - time);
      return response;
    };
    const sent = send(connection, request, { timeoutMs: ms, listenMs, freshToken, now: time });
    const response = await (late.length > 0 ? Promise.race([...late, sent]) : sent).catch((cause: Error) => {
      if (!(cause instanceof NoResponseError && cause.timedOut))
        throw new KubeError(request, 0, 'Unreachable', `${connection.server()}: ${cause.message}`, { cause });
      waitingSince ??= time;
      if (cause.late) late.push(cause.late.then((one) => (one.status < 300 ? measured(one) : never()), never));
      const text = `${connection.server()} is too slow: no response within ${seconds(now() - waitingSince)}${pace}`;
      throw new KubeError(request, 0, 'TooSlow', text, { cause });
    });
    measured(response);
    if (response.status < 300) return bodyOf<T>(request, response);
    throw errorFrom(request, response);
  };
  return retry(tryOnce, {
    sleep,
    delayMs: (error, attempt) => {
      const refused = error.status === 401 && !freshToken;
      freshToken ||= refused;
      if (!refused && (attempt >= maxTries || !isTransient(error))) return undefined;
      const delay = delayMs(attempt, random(), error.retryAfterSeconds);
      return now() + delay < until ? delay : undefined;
    },
  });
}

/** Not even a fresh connection works; a reused one may just have been dead. */
function isUnreachable(error: KubeError | undefined): boolean {
  if (error?.status !== 0 || error.reason === 'TooSlow') return false;
  return !(error.cause instanceof NoResponseError && error.cause.reusedConnection);
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

function never(): Promise<never> {
  return new Promise(() => {});
}

function isTransient({ status, reason }: KubeError): boolean {
  return TRANSIENT.includes(status) || reason === UNREADABLE;
}

function bodyOf<T>(request: KubeRequest, { status, body }: HttpResponse): T {
  const value = parsed(body);
  if (typeof value === 'object' && value !== null) return value as T;
  throw new KubeError(request, status, UNREADABLE, `not an object in JSON: ${body.slice(0, 200)}`);
}

function errorFrom(request: KubeRequest, { status, headers, body }: HttpResponse): KubeError {
  const { reason = 'Unknown', message = body.slice(0, 200) } = (parsed(body) ?? {}) as {
    readonly reason?: string;
    readonly message?: string;
  };
  const retryAfter = Number(headers['retry-after']);
  return new KubeError(request, status, reason, message, retryAfter > 0 ? { retryAfterSeconds: retryAfter } : {});
}

/** `undefined` if it is not complete JSON. */
function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** 100 ms, 200 ms, 400 ms, each with jitter; the server's Retry-After wins, up to five seconds. */
function delayMs(attempt: number, random: number, retryAfterSeconds?: number): number {
  if (retryAfterSeconds !== undefined) return Math.min(retryAfterSeconds, 5) * 1_000;
  return doubling(100, attempt) * (0.5 + random);
}
