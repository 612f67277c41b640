import type { KubernetesListObject, KubernetesObject } from '@kubernetes/client-node';
import type { Connection } from './connection';
import { KubeError } from './kube-error';
import { type HttpAnswer, type HttpRequest, send } from './send';

const MAX_TRIES = 4;
const TIMEOUT_MS = 5_000;
/** All tries of one call together, so that a function still has time to say what failed. */
const BUDGET_MS = 12_000;
const RETRIED = [429, 500, 502, 503, 504];

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
  readonly mostTries?: number;
  readonly budgetMs?: number;
  /** Waits before another try; replaced in tests. */
  readonly sleep?: (ms: number) => Promise<void>;
}

/** Talks to one Kubernetes API with time-outs, bounded retries and a fresh token after a 401. */
export function kubeTransport(connection: Connection, options: TransportOptions = {}): KubeTransport {
  const call = (request: HttpRequest) => callWithRetries(connection, request, options);
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
  request: HttpRequest,
  { timeoutMs = TIMEOUT_MS, mostTries = MAX_TRIES, budgetMs = BUDGET_MS, sleep = wait }: TransportOptions,
): Promise<string> {
  let refused = false;
  const deadline = Date.now() + budgetMs;
  for (let attempt = 1; ; attempt += 1) {
    const last = attempt >= mostTries || Date.now() + timeoutMs > deadline;
    const [settled] = await Promise.allSettled([send(connection, request, timeoutMs, refused)]);
    if (settled.status === 'rejected') {
      if (last) throw unreachable(connection, request, settled.reason);
      await connection.rediscover?.();
      await sleep(delayMs(attempt));
      continue;
    }
    const answer = settled.value;
    if (answer.status < 300) return answer.body;
    if (answer.status === 401 && !refused) refused = true;
    else if (last || !RETRIED.includes(answer.status)) throw errorFrom(request, answer);
    await sleep(delayMs(attempt, answer.retryAfterSeconds));
  }
}

function unreachable(connection: Connection, request: HttpRequest, cause: Error): KubeError {
  return new KubeError(request, 0, 'Unreachable', `${connection.server()}: ${cause.message}`, { cause });
}

function errorFrom(request: HttpRequest, { status, body }: HttpAnswer): KubeError {
  try {
    const { reason, message } = JSON.parse(body) as { reason?: string; message?: string };
    return new KubeError(request, status, reason ?? 'Unknown', message ?? body.slice(0, 200));
  } catch {
    return new KubeError(request, status, 'Unknown', body.slice(0, 200));
  }
}

/** 100 ms, 200 ms, 400 ms, each with jitter; the server's own Retry-After wins, within reason. */
function delayMs(attempt: number, askedSeconds?: number): number {
  if (askedSeconds !== undefined) return Math.min(askedSeconds, 5) * 1_000;
  return 100 * 2 ** (attempt - 1) * (0.5 + Math.random());
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function parse<T>(body: string): T {
  return JSON.parse(body) as T;
}
