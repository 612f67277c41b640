/** The answer of a Kubernetes API; a body that is not JSON comes as text. */
export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the server sent and asserts on it
  readonly body: any;
}

export interface Connection {
  request(method: string, path: string, body?: unknown, contentType?: string): Promise<Answer>;
  /** A namespace of the tests' own. */
  readonly namespace: string;
  close?(): Promise<void>;
}

export type Connect = () => Promise<Connection>;

export const APPLY = 'application/apply-patch+yaml';
export const MERGE = 'application/merge-patch+json';
export const STRATEGIC = 'application/strategic-merge-patch+json';

type Labels = Readonly<Record<string, string>>;

/** The paths and verbs of one kind in the tests' namespace, so that the tests read as sentences. */
export function client(connect: Connect, kind: 'deployments' | 'configmaps' | 'priorityclasses') {
  const collection = async () => {
    const { namespace } = await connect();
    if (kind === 'deployments') return `/apis/apps/v1/namespaces/${namespace}/deployments`;
    if (kind === 'configmaps') return `/api/v1/namespaces/${namespace}/configmaps`;
    return '/apis/scheduling.k8s.io/v1/priorityclasses';
  };
  const send = async (method: string, tail: string, body?: unknown, contentType?: string) =>
    (await connect()).request(method, `${await collection()}${tail}`, body, contentType);
  return {
    list: (query = '') => send('GET', query),
    get: (name: string) => send('GET', `/${name}`),
    create: (body: unknown, query = '') => send('POST', query, body),
    replace: (name: string, body: unknown) => send('PUT', `/${name}`, body),
    merge: (name: string, body: unknown, query = '') => send('PATCH', `/${name}${query}`, body, MERGE),
    strategic: (name: string, body: unknown) => send('PATCH', `/${name}`, body, STRATEGIC),
    apply: (name: string, body: unknown, query: string) => send('PATCH', `/${name}?${query}`, body, APPLY),
    remove: (name: string, body?: unknown) => send('DELETE', `/${name}`, body),
    send,
  };
}

/** A ConfigMap, which no controller ever touches. */
export function configMap(name: string, data: Labels, metadata: Readonly<Record<string, unknown>> = {}) {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...metadata }, data };
}

/** A Deployment of pause pods as small as it may be, with no replicas, so that no node is needed. */
export function deployment(name: string, spec: Readonly<Record<string, unknown>> = {}, metadata = {}) {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, ...metadata },
    spec: {
      replicas: 0,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: { containers: [{ name: 'pause', image: 'registry.k8s.io/pause:3.10' }] },
      },
      ...spec,
    },
  };
}

export function priorityClass(name: string, value: number, more: Readonly<Record<string, unknown>> = {}) {
  return { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name }, value, ...more };
}

/** The managers of an object with the way they write: `headstart Apply`. */
export function managersOf(object: {
  metadata: { managedFields?: { manager: string; operation: string }[] };
}): string[] {
  return (object.metadata.managedFields ?? []).map(({ manager, operation }) => `${manager} ${operation}`).sort();
}
