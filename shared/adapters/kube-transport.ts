import type { KubernetesListObject, KubernetesObject } from '@kubernetes/client-node';
import { doubling, retry } from '../core/basics/retry';
import type { Connection } from './connection';
import type { HttpResponse } from './http-request';
import { KubeError } from './kube-error';
import { type KubeRequest, send } from './send';
import { sleep } from './sleep';

const MAX_TRIES = 4;
const TIMEOUT_MS = 5_000;
/** All tries of one call together, so that a function still has time to say what failed. */
const BUDGET_MS = 12_000;
/** 0 is no answer at all. */
const RETRIED = [0, 429, 500, 502, 503, 504];

/** The few calls that Headstart makes, typed by the models of @kubernetes/client-node. */
export interface KubeTransport {
  get<T extends KubernetesObject>(path: string): Promise<T>;
  list<T extends KubernetesObject>(path: string, labelSelector?: string): Promise<readonly T[]>;
  create<T extends KubernetesObject>(path: string, body: KubernetesObject): Promise<T>;
  /** Server-side apply of a complete manifest, forced; `metadata.resourceVersion` guards it. */
  apply<T extends KubernetesObject>(path: string, body: KubernetesObject, fieldManager: string): Promise<T>;
  delete(path: string, preconditions?: { readonly uid?: string; readonly resourceVersion?: string }): Promise<void>;
}

export interface TransportOptions {
  readonly timeoutMs?: number;
  readonly maxTries?: number;
  readonly budgetMs?: number;
  /** Waits before another try; replaced in tests. */
  readonly sleep?: (ms: number) => Promise<void>;
}

/** Talks to one Kubernetes API with time-outs, bounded retries and a fresh token after a 401. */
export function kubeTransport(connection: Connection, options: TransportOptions = {}): KubeTransport {
  const call = (request: KubeRequest) => callWithRetries(connection, request, options);
  return {
    get: async <T>(path: string) => parse<T>(await call({ method: 'GET', path })),
    list: async <T extends KubernetesObject>(path: string, labelSelector?: string) => {
      const query = labelSelector === undefined ? '' : `?labelSelector=${encodeURIComponent(labelSelector)}`;
      return parse<KubernetesListObject<T>>(await call({ method: 'GET', path: `${path}${query}` })).items;
    },
    create: async <T>(path: string, body: KubernetesObject) =>
      parse<T>(await call({ method: 'POST', path, body: JSON.stringify(body), contentType: 'application/json' })),
    apply: async <T>(path: string, body: KubernetesObject, fieldManager: string) =>
      parse<T>(
        await call({
          method: 'PATCH',
          path: `${path}?fieldManager=${encodeURIComponent(fieldManager)}&force=true`,
          body: JSON.stringify(body),
          contentType: 'application/apply-patch+yaml',
        }),
      ),
    delete: async (path, preconditions) => {
      const body = JSON.stringify({ apiVersion: 'v1', kind: 'DeleteOptions', ...(preconditions && { preconditions }) });
      await call({ method: 'DELETE', path, body, contentType: 'application/json' });
    },
  };
}

async function callWithRetries(
  connection: Connection,
  request: KubeRequest,
  { timeoutMs = TIMEOUT_MS, maxTries = MAX_TRIES, budgetMs = BUDGET_MS, sleep: wait = sleep }: TransportOptions,
): Promise<string> {
  let freshToken = false;
  const deadline = Date.now() + budgetMs;
  const tryOnce = async (previous: KubeError | undefined) => {
    if (previous?.status === 0) await connection.rediscover?.();
    const response = await send(connection, request, timeoutMs, freshToken).catch((cause: Error) => {
      throw new KubeError(request, 0, 'Unreachable', `${connection.server()}: ${cause.message}`, { cause });
    });
    if (response.status < 300) return response.body;
    throw errorFrom(request, response);
  };
  return retry(tryOnce, {
    sleep: wait,
    delayMs: ({ status, retryAfterSeconds }, attempt) => {
      const refused = status === 401 && !freshToken;
      freshToken ||= refused;
      const last = attempt >= maxTries || Date.now() + timeoutMs > deadline;
      return refused || (RETRIED.includes(status) && !last) ? delayMs(attempt, retryAfterSeconds) : undefined;
    },
  });
}

function errorFrom(request: KubeRequest, { status, headers, body }: HttpResponse): KubeError {
  const { reason = 'Unknown', message = body.slice(0, 200) } = statusIn(body);
  const retryAfter = Number(headers['retry-after']);
  return new KubeError(request, status, reason, message, retryAfter > 0 ? { retryAfterSeconds: retryAfter } : {});
}

/** What the API's own Status object says; a proxy in between answers with anything. */
function statusIn(body: string): { readonly reason?: string; readonly message?: string } {
  try {
    return JSON.parse(body) as { reason?: string; message?: string };
  } catch {
    return {};
  }
}

/** 100 ms, 200 ms, 400 ms, each with jitter; the server's own Retry-After wins, within reason. */
function delayMs(attempt: number, askedSeconds?: number): number {
  if (askedSeconds !== undefined) return Math.min(askedSeconds, 5) * 1_000;
  return doubling(100, attempt) * (0.5 + Math.random());
}

function parse<T>(body: string): T {
  return JSON.parse(body) as T;
}
