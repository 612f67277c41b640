import type { KubeApi, WriteOptions } from '../api/kube-api';
import { mergePatch } from '../api/patches';
import { badRequest, invalid, invalidValue } from '../api-error';
import { isObject, type JsonObject, valueAt } from '../json';
import type { Kind } from '../kinds';
import type { KubeObject, LabelSelector } from '../object-types';

export function readScale(object: KubeObject): JsonObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const replicas = valueAt(object, ['status', 'replicas']) ?? 0;
  const selector = valueAt(object, ['spec', 'selector']) as LabelSelector | undefined;
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, ...(namespace !== undefined && { namespace }), uid, resourceVersion, creationTimestamp },
    spec: { replicas: valueAt(object, ['spec', 'replicas']) ?? 0 },
    status: { replicas, selector: selectorText(selector) },
  };
}

/** A whole Scale (PUT) or a part of one (PATCH) becomes the replicas of the object. */
export function writeScale<T extends KubeObject>(
  api: KubeApi,
  kind: Kind<T>,
  old: T,
  change: { readonly body: unknown; readonly partial: boolean },
  options: WriteOptions,
): T {
  const wanted = change.partial ? mergePatch(readScale(old), change.body) : change.body;
  if (!isObject(wanted)) throw badRequest('Scale expected an object');
  const replicas = valueAt(wanted, ['spec', 'replicas']) ?? 0;
  if (!Number.isInteger(replicas)) {
    const got = typeof replicas;
    throw badRequest(
      `Scale in version "v1" cannot be handled as a Scale: json: cannot unmarshal ${got} into Go struct field ScaleSpec.spec.replicas of type int32`,
    );
  }
  if (Number(replicas) < 0) {
    const error = invalidValue('spec.replicas', replicas, 'must be greater than or equal to 0');
    throw invalid({ group: 'autoscaling', kind: 'Scale' }, old.metadata.name, [error]);
  }
  const spec = { ...(old.spec as JsonObject), replicas };
  const version = valueAt(wanted, ['metadata', 'resourceVersion']);
  const metadata = { ...old.metadata, ...(typeof version === 'string' && { resourceVersion: version }) };
  return api.replace(kind, old, { ...old, metadata, spec }, { ...options, subresource: 'scale' });
}

/** The labels; expressions are left out. */
function selectorText({ matchLabels = {} }: LabelSelector = {}): string {
  return Object.entries(matchLabels)
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
}
