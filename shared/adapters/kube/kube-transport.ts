import type { KubernetesObject } from '@kubernetes/client-node';
import type { HttpResponse } from '../http/http-request';
import { sleep } from '../process/sleep';
import { callWithRetries } from './call-with-retries';
import type { Connection } from './connection';
import { listInPages } from './list-in-pages';
import { type KubeRequest, type SendOptions, send } from './send';

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
  const options = { ...DEFAULTS, ...patience, ...given, pace: { slowestMs: 0 } };
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
