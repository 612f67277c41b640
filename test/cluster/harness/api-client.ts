import { setTimeout as sleep } from 'node:timers/promises';
import { ask, type Credentials } from './http';

const BUSY_ATTEMPTS = 30;

/** As much of a Kubernetes object as the harness itself cares about. */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly resourceVersion?: string;
    readonly uid?: string;
    readonly deletionTimestamp?: string;
  };
  readonly [field: string]: unknown;
}

/** What the apiserver answered; a refusal is an answer too. */
export interface ApiResponse<T> {
  readonly status: number;
  readonly body: T;
}

/** Talks to the apiserver as one user. */
export interface ApiClient {
  /** Asks and gives the answer, whatever its status. */
  request<T = KubeObject>(method: string, path: string, body?: unknown, contentType?: string): Promise<ApiResponse<T>>;
  /** Asks and throws on a refusal. */
  send<T = KubeObject>(method: string, path: string, body?: unknown, contentType?: string): Promise<T>;
  /** Reads, or gives `undefined` where nothing is. */
  find<T = KubeObject>(path: string): Promise<T | undefined>;
  /** The items of a list. */
  list<T = KubeObject>(path: string): Promise<readonly T[]>;
  /** Creates or changes by server-side apply. */
  apply<T = KubeObject>(manifest: KubeObject): Promise<T>;
  /** Deletes, if it is there, without waiting for the end. */
  remove(path: string): Promise<void>;
  /** The path of the object that a manifest describes. */
  pathOf(manifest: KubeObject): Promise<string>;
}

/** The apiserver refused. */
export class ApiError extends Error {
  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message);
  }
}

interface ApiResource {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

/** Connects as whoever the credentials say. */
export function connect(server: string, credentials: Credentials): ApiClient {
  const request = async <T>(method: string, path: string, body?: unknown, contentType = 'application/json') => {
    const text = body === undefined ? {} : { body: JSON.stringify(body), contentType };
    for (let attempt = 1; ; attempt++) {
      const answer = await ask({ method, url: `${server}${path}`, ...text }, credentials);
      // "Try again later", as the apiserver says of custom types for a moment after its start.
      if (answer.status !== 429 || attempt === BUSY_ATTEMPTS)
        return { status: answer.status, body: parse(answer.text) as T };
      await sleep(1000);
    }
  };
  const send = async <T>(method: string, path: string, body?: unknown, contentType?: string): Promise<T> => {
    const response = await request<T>(method, path, body, contentType);
    if (response.status < 400) return response.body;
    throw new ApiError(`${method} ${path}: ${response.status} ${JSON.stringify(response.body)}`, response.status);
  };
  const find = async <T>(path: string): Promise<T | undefined> => {
    try {
      return await send<T>('GET', path);
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return undefined;
      throw error;
    }
  };
  const pathOf = async ({ apiVersion, kind, metadata }: KubeObject): Promise<string> => {
    const group = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    const { resources } = await send<{ resources: readonly ApiResource[] }>('GET', group);
    const resource = resources.find((one) => one.kind === kind && !one.name.includes('/'));
    if (resource === undefined) throw new ApiError(`${apiVersion} has no ${kind}`, 404);
    const namespace = resource.namespaced ? `/namespaces/${metadata.namespace ?? 'default'}` : '';
    return `${group}${namespace}/${resource.name}/${metadata.name}`;
  };
  return {
    request,
    send,
    find,
    pathOf,
    list: async <T>(path: string) => (await send<{ items: readonly T[] }>('GET', path)).items,
    apply: async <T>(manifest: KubeObject) => {
      const query = '?fieldManager=headstart-harness&force=true';
      return send<T>('PATCH', `${await pathOf(manifest)}${query}`, manifest, 'application/apply-patch+yaml');
    },
    remove: async (path) => {
      const { status, body } = await request('DELETE', path);
      if (status >= 400 && status !== 404)
        throw new ApiError(`DELETE ${path}: ${status} ${JSON.stringify(body)}`, status);
    },
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
