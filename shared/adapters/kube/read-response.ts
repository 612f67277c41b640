import { parseJson } from '../../core/basics/json';
import type { HttpResponse } from '../http/http-request';
import { KubeError } from './kube-error';
import type { KubeRequest } from './send';

/** A response that is not the API's, but from a proxy in between; a retry may help. */
export const UNREADABLE = 'Unreadable';

export function readResponse<T>(
  request: KubeRequest,
  response: HttpResponse,
): { readonly value: T } | { readonly error: KubeError } {
  const { status, body } = response;
  const value = parseJson(body);
  if (status >= 300) return { error: errorFrom(request, response, value) };
  if (typeof value === 'object' && value !== null) return { value: value as T };
  return { error: new KubeError(request, status, UNREADABLE, `not an object in JSON: ${body.slice(0, 200)}`) };
}

function errorFrom(request: KubeRequest, { status, headers, body }: HttpResponse, said: unknown): KubeError {
  const { reason = 'Unknown', message = body.slice(0, 200) } = (said ?? {}) as {
    readonly reason?: string;
    readonly message?: string;
  };
  const retryAfter = Number(headers['retry-after']);
  return new KubeError(request, status, reason, message, retryAfter > 0 ? { retryAfterSeconds: retryAfter } : {});
}
