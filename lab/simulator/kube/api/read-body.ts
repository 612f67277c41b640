import { ApiError, badRequest } from '../api-error';
import { canonicalQuantity } from '../canonical-quantity';
import { isObject, type JsonObject, valueAt, withoutNulls } from '../json';
import { apiVersionOf, type Kind } from '../kinds';
import type { Draft } from '../object-store';

/** The object that the URL addresses; a create has no name yet. */
export interface Place {
  readonly kind: Kind;
  readonly namespace: string | undefined;
  readonly name?: string;
}

/** Decodes and checks an object that a client sent; its name and namespace are those of the URL. */
export function readBody(place: Place, body: unknown): Draft & JsonObject {
  const { kind, namespace } = place;
  if (!isObject(body))
    throw badRequest(`couldn't get version/kind; json parse error: expected an object, got ${typeof body}`);
  checkIdentity(kind, body);
  const cleaned = withoutNulls(body) as JsonObject;
  const metadata = isObject(cleaned.metadata) ? cleaned.metadata : {};
  if (metadata.namespace !== undefined && metadata.namespace !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  if (place.name !== undefined && metadata.name !== undefined && metadata.name !== place.name) {
    throw badRequest(`the name of the object (${metadata.name}) does not match the name on the URL (${place.name})`);
  }
  checkTypes(kind, cleaned);
  const { managedFields, selfLink, ...rest } = metadata;
  const named = {
    ...rest,
    name: `${place.name ?? metadata.name ?? ''}`,
    ...(namespace !== undefined && { namespace }),
  };
  const canonical = kind.custom ? cleaned : (canonicalResources(cleaned) as JsonObject);
  return { ...canonical, apiVersion: apiVersionOf(kind), kind: kind.kind, metadata: named };
}

/** Like `readBody`, for server-side apply: the real server responds with 500 if a field has the wrong type. */
export function readApplied(place: Place, body: unknown): Draft & JsonObject {
  try {
    return readBody(place, body);
  } catch (error) {
    if (!(error instanceof ApiError) || !error.message.includes('cannot unmarshal')) throw error;
    const { kind, namespace = '', name } = place;
    const target = `${namespace}/${name}; ${apiVersionOf(kind)}, Kind=${kind.kind}`;
    throw new ApiError(500, '', `failed to create typed patch object (${target}): ${error.message}`);
  }
}

function checkIdentity(kind: Kind, body: JsonObject): void {
  const version = apiVersionOf(kind);
  if (body.kind === undefined || body.kind === '') {
    throw badRequest(`Object 'Kind' is missing in '${JSON.stringify(body).slice(0, 200)}'`);
  }
  if (body.apiVersion !== version) {
    throw badRequest(
      `the API version in the data (${body.apiVersion}) does not match the expected API version (${version})`,
    );
  }
  if (body.kind !== kind.kind) {
    const name = valueAt(body, ['metadata', 'name']) ?? '';
    throw badRequest(
      `${body.kind} "${name}" cannot be handled as a ${kind.kind}: the kind in the data does not match the resource ${kind.plural}`,
    );
  }
}

const MAPS = [
  'ObjectMeta.metadata.labels',
  'ObjectMeta.metadata.annotations',
  'ConfigMap.data',
  'ObjectMeta.spec.template.metadata.labels',
];
const TYPES: Readonly<Record<string, readonly [type: string, fits: (value: unknown) => boolean]>> = {
  'ObjectMeta.metadata.name': ['string', (value) => typeof value === 'string'],
  'DeploymentSpec.spec.replicas': ['int32', Number.isInteger],
  'PriorityClass.value': ['int32', Number.isInteger],
  'PodSpec.spec.containers': ['[]v1.Container', Array.isArray],
  'PodSpec.spec.template.spec.containers': ['[]v1.Container', Array.isArray],
};

function checkTypes(kind: Kind, body: JsonObject): void {
  for (const field of MAPS) {
    const map = fieldOf(body, field);
    const wrong = isObject(map) ? Object.values(map).find((value) => typeof value !== 'string') : map;
    if (wrong !== undefined) throw cannotUnmarshal(kind, wrong, field, isObject(map) ? 'string' : 'map[string]string');
  }
  for (const [field, [type, fits]] of Object.entries(TYPES)) {
    const value = fieldOf(body, field);
    if (value !== undefined && !fits(value)) throw cannotUnmarshal(kind, value, field, type);
  }
}

function fieldOf(body: JsonObject, field: string): unknown {
  return valueAt(body, field.split('.').slice(1));
}

function cannotUnmarshal(kind: Kind, value: unknown, field: string, type: string) {
  const got = Array.isArray(value) ? 'array' : typeof value;
  return badRequest(
    `${kind.kind} in version "${kind.version}" cannot be handled as a ${kind.kind}: json: cannot unmarshal ${got} into Go struct field ${field} of type ${type}`,
  );
}

/** Requests and limits in canonical form, so that `1000m` equals `1`. */
function canonicalResources(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonicalResources);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [
      key,
      key === 'resources' && isObject(child) ? canonicalLists(child) : canonicalResources(child),
    ]),
  );
}

function canonicalLists(resources: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(resources).map(([key, list]) => {
      if (!isObject(list)) return [key, list];
      const quantities = Object.entries(list).map(([name, one]) => [name, canonicalQuantity(one as string | number)]);
      return [key, Object.fromEntries(quantities)];
    }),
  );
}
