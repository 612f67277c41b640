import type { ServerResponse } from 'node:http';
import { type KubeApi, selectionOf } from '../api/kube-api';
import { ApiError } from '../api-error';
import type { JsonObject } from '../json';
import type { Kind } from '../kinds';
import type { KubeObject } from '../objects';
import { type ApiRequest, listQuery, rendered, wantsTable } from './respond';
import { parsePath } from './routes';
import { tableOf } from './table';

export function wantsWatch({ method, query }: ApiRequest): boolean {
  return method === 'GET' && ['1', 'true'].includes(query.get('watch') ?? '');
}

type Notify = (type: 'ADDED' | 'MODIFIED' | 'DELETED', object: KubeObject) => void;

/**
 * Streams changes until the client disconnects. There is no history: a watch from an older version
 * starts with the current state of what has changed since, and misses deletions in between.
 */
export function startWatch(api: KubeApi, request: ApiRequest, response: ServerResponse): void {
  const at = parsePath(request.path);
  if (at.kind !== 'objects') throw new ApiError(405, 'MethodNotAllowed', 'only collections can be watched', {});
  const { resource, namespace } = at;
  const { query } = request;
  const selected = selectionOf(resource, listQuery(query));
  const selects = (object: KubeObject) =>
    (namespace === undefined || object.metadata.namespace === namespace) && selected(object);
  stream(api, resource, { selects, notify: notifier(api, request, resource, response) }, query, response);
}

function stream(
  api: KubeApi,
  kind: Kind,
  { selects, notify }: { readonly selects: (object: KubeObject) => boolean; readonly notify: Notify },
  query: URLSearchParams,
  response: ServerResponse,
): void {
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-cache, private' });
  response.flushHeaders();
  const since = Number(query.get('resourceVersion') ?? 0);
  for (const object of api.store.list(kind).filter(selects)) {
    if (Number(object.metadata.resourceVersion) > since) notify(since === 0 ? 'ADDED' : 'MODIFIED', object);
  }
  const unsubscribe = api.store.subscribe(kind, ({ type, object, previous }) => {
    const [is, was] = [type !== 'DELETED' && selects(object), previous !== undefined && selects(previous)];
    if (is) notify(was ? 'MODIFIED' : 'ADDED', object);
    else if (was) notify('DELETED', object);
  });
  const seconds = Number(query.get('timeoutSeconds') ?? 0);
  const timer = seconds > 0 ? setTimeout(() => response.end(), seconds * 1000) : undefined;
  timer?.unref();
  response.on('close', () => {
    clearTimeout(timer);
    unsubscribe();
  });
}

function notifier(api: KubeApi, request: ApiRequest, kind: Kind, response: ServerResponse): Notify {
  const render = (object: KubeObject): JsonObject => {
    if (!wantsTable(request)) return rendered(api, kind, object);
    const metadata = { resourceVersion: object.metadata.resourceVersion };
    return tableOf({ kind, objects: [object], now: api.store.now(), metadata, include: 'Metadata' });
  };
  return (type, object) => {
    response.write(`${JSON.stringify({ type, object: render(object) })}\n`);
  };
}
