import type { KubernetesListObject, KubernetesObject } from '@kubernetes/client-node';
import { KubeError } from '../../../shared/adapters/kube/kube-error';
import type { KubeTransport } from '../../../shared/adapters/kube/kube-transport';
import type { KubeApi } from '../kube/api/kube-api';
import { type ApiRequest, respond } from '../kube/rest/rest-response';

/** A failure of a call: it is refused, or it is carried out but its response is lost. */
export type CallFault = 'refused' | 'responseLost';

interface Call {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly contentType?: string;
}

/**
 * The sandbox's API without HTTP: the same requests, responses and refusals, a hundred times faster.
 * Unlike Headstart's own transport it does not retry, so that a fault reaches the handlers.
 */
export function inProcessTransport(
  api: KubeApi,
  faultOf: () => CallFault | undefined = () => undefined,
): KubeTransport {
  const call = async <T>(request: Call): Promise<T> => {
    const fault = faultOf();
    const failure = fault && new KubeError(request, 503, 'ServiceUnavailable', 'a fault that was switched on');
    if (fault === 'refused') throw failure;
    const { status, body } = respond(api, apiRequest(request));
    if (failure) throw failure;
    if (status < 300) return body as T;
    const { reason, message } = body as { reason?: string; message?: string };
    throw new KubeError(request, status, reason ?? 'Unknown', message ?? String(body));
  };
  return {
    get: (path) => call({ method: 'GET', path }),
    list: async <T extends KubernetesObject>(path: string, labelSelector?: string) => {
      const query = labelSelector === undefined ? '' : `?labelSelector=${encodeURIComponent(labelSelector)}`;
      return (await call<KubernetesListObject<T>>({ method: 'GET', path: `${path}${query}` })).items;
    },
    create: (path, body) => call({ method: 'POST', path, body, contentType: 'application/json' }),
    apply: (path, body, fieldManager, { force } = { force: true }) =>
      call({
        method: 'PATCH',
        path: `${path}?fieldManager=${encodeURIComponent(fieldManager)}&force=${force}`,
        body,
        contentType: 'application/apply-patch+yaml',
      }),
    delete: async (path, preconditions) => {
      const body = { apiVersion: 'v1', kind: 'DeleteOptions', ...(preconditions && { preconditions }) };
      await call({ method: 'DELETE', path, body, contentType: 'application/json' });
    },
  };
}

function apiRequest({ method, path, body, contentType = '' }: Call): ApiRequest {
  const [pathname = path, query = ''] = path.split('?');
  return {
    method,
    path: pathname,
    query: new URLSearchParams(query),
    contentType,
    accept: 'application/json',
    userAgent: 'headstart',
    body: body === undefined ? '' : JSON.stringify(body),
  };
}
