import type { KubeApi, WriteOptions } from '../api/kube-api';
import { badRequest, forbiddenValue, invalid, requiredValue, unsupportedPatchType } from '../api-error';
import { isObject } from '../json';
import type { KubeObject } from '../object-types';
import { mediaType, parseBody } from './request-body';
import type { ObjectRoute } from './routes';

interface PatchRequest {
  readonly contentType: string;
  readonly body: string;
  readonly query: URLSearchParams;
}

const APPLY = 'application/apply-patch+yaml';
const MERGE = 'application/merge-patch+json';
const STRATEGIC = 'application/strategic-merge-patch+json';

/** Carries out a PATCH according to its content type; JSON patches are not supported. */
export function patchObject(
  api: KubeApi,
  request: PatchRequest,
  { resource: kind, namespace, name }: ObjectRoute,
  options: WriteOptions,
): { readonly object: KubeObject; readonly created: boolean } {
  const type = mediaType(request.contentType);
  const accepted = kind.custom ? [MERGE, APPLY] : [MERGE, STRATEGIC, APPLY];
  if (!accepted.includes(type)) throw unsupportedPatchType();
  const body = parseBody(request);
  if (!isObject(body)) throw badRequest(`a patch must be an object, got ${JSON.stringify(body)}`);
  if (type === APPLY) {
    const { manager, force } = applyOptions(request.query);
    const created = api.store.get(kind, namespace, name) === undefined;
    const applied = { ...options, fieldManager: manager, force };
    return { object: api.apply(kind, { namespace, name }, body, applied), created };
  }
  if (request.query.has('force'))
    throw optionError(forbiddenValue('force', 'may not be specified for non-apply patch'));
  const patch = { kind: type === MERGE ? ('merge' as const) : ('strategic' as const), body };
  return { object: api.patch(kind, api.get(kind, namespace, name), patch, options), created: false };
}

function applyOptions(query: URLSearchParams): { readonly manager: string; readonly force: boolean } {
  const manager = query.get('fieldManager');
  if (!manager) throw optionError(requiredValue('fieldManager', 'is required for apply patch'));
  return { manager, force: query.get('force') === 'true' };
}

function optionError(error: ReturnType<typeof requiredValue>) {
  return invalid({ group: 'meta.k8s.io', kind: 'PatchOptions' }, '', [error]);
}
