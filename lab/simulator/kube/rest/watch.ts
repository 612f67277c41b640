import type { ServerResponse } from 'node:http';
import { type KubeApi, selectionOf } from '../api/kube-api';
import { ApiError } from '../api-error';
import type { Change } from '../object-store';
import type { KubeObject } from '../object-types';
import { type ApiRequest, listQuery, shown } from './rest-response';
import { parsePath } from './routes';

export function wantsWatch({ method, query }: ApiRequest): boolean {
  return method === 'GET' && ['1', 'true'].includes(query.get('watch') ?? '');
}

/**
 * Streams changes until the client disconnects. There is no history: a watch from an older version
 * starts with the current state of what has changed since, and misses deletions in between.
 */
export function startWatch(api: KubeApi, request: ApiRequest, response: ServerResponse): void {
  const at = parsePath(request.path);
  if (at.kind !== 'objects') throw new ApiError(405, 'MethodNotAllowed', 'only collections can be watched', {});
  const { resource: kind, namespace } = at;
  const { query } = request;
  const selected = selectionOf(kind, listQuery(query));
  const selects = (object: KubeObject) =>
    (namespace === undefined || object.metadata.namespace === namespace) && selected(object);
  const notify = (type: Change['type'], object: KubeObject) =>
    response.write(`${JSON.stringify({ type, object: shown(api, request, kind, object) })}\n`);
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
  const timer = seconds > 0 ? setTimeout(() => response.end(), seconds * 1000).unref() : undefined;
  response.on('close', () => {
    clearTimeout(timer);
    unsubscribe();
  });
}
