import { KubeApi } from '../../../../lab/simulator/kube/api/kube-api';
import { NAMESPACES } from '../../../../lab/simulator/kube/kinds';
import { ObjectStore } from '../../../../lab/simulator/kube/object-store';
import { type KubeServer, type KubeServerOptions, serveKube } from '../../../../lab/simulator/kube/rest/http-server';
import type { Answer, Connection } from '../../../contract/kube-client';

const START = Date.parse('2026-03-02T07:00:00Z');

/** An API over an empty store, with the namespaces that the tests use. */
export function emptyApi(namespaces: readonly string[] = ['default', 'contract'], now = () => START): KubeApi {
  let next = 0;
  const count = () => `${++next}`;
  const store = new ObjectStore({
    now,
    newUid: () => `00000000-0000-4000-8000-${count().padStart(12, '0')}`,
    newSuffix: () => count().padStart(5, 'x'),
  });
  const api = new KubeApi(store);
  for (const name of namespaces) {
    api.create(NAMESPACES, undefined, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }
  return api;
}

/** Serves an API and talks to it over HTTP. */
export async function connectTo(
  api: KubeApi,
  options: KubeServerOptions = {},
): Promise<Connection & { server: KubeServer }> {
  const server = await serveKube(api, options);
  return {
    server,
    namespace: 'contract',
    close: () => server.close(),
    request: (method, path, body, contentType = 'application/json') =>
      call(`${server.url}${path}`, {
        method,
        ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': contentType } }),
      }),
  };
}

export async function call(url: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(url, init);
  const text = await response.text();
  return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text };
}
