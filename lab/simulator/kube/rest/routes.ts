import { noSuchResource } from '../api-error';
import type { JsonObject } from '../json';
import { apiVersionOf, KINDS, type Kind, type Subresource } from '../kinds';
import { coreVersions, groupList, oneGroup, resourceList, SERVER_VERSION } from './discovery';

export type Route =
  | { readonly kind: 'objects'; readonly resource: Kind; readonly namespace?: string }
  | {
      readonly kind: 'object';
      readonly resource: Kind;
      readonly namespace?: string;
      readonly name: string;
      readonly subresource?: Subresource;
    }
  /** Something to read about the server itself. */
  | { readonly kind: 'document'; readonly body: JsonObject | string; readonly status?: 404 };

export type ObjectRoute = Extract<Route, { kind: 'object' }>;

/** Of an unknown group or path. */
const UNKNOWN: Route = { kind: 'document', body: '404 page not found\n', status: 404 };
const GROUP_VERSIONS = new Set(KINDS.map(apiVersionOf));
const GROUPS = new Set(KINDS.map((kind) => kind.group));

export function parsePath(path: string): Route {
  const segments = path
    .split('/')
    .filter((segment) => segment !== '')
    .map(decodeSegment);
  const [root, ...rest] = segments;
  switch (root) {
    case 'api':
      return rest.length === 0 ? { kind: 'document', body: coreVersions() } : groupRoute(rest[0] ?? '', rest.slice(1));
    case 'apis':
      return apisRoute(rest);
    case 'version':
      return { kind: 'document', body: SERVER_VERSION };
    case 'healthz':
    case 'readyz':
    case 'livez':
      return { kind: 'document', body: 'ok' };
    default:
      return UNKNOWN;
  }
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function apisRoute([group, version, ...rest]: readonly string[]): Route {
  if (group === undefined) return { kind: 'document', body: groupList() };
  if (!GROUPS.has(group)) return UNKNOWN;
  if (version === undefined) return { kind: 'document', body: oneGroup(group) };
  return groupRoute(`${group}/${version}`, rest);
}

function groupRoute(groupVersion: string, rest: readonly string[]): Route {
  if (!GROUP_VERSIONS.has(groupVersion)) return UNKNOWN;
  if (rest.length === 0) return { kind: 'document', body: resourceList(groupVersion) };
  // `namespaces/<name>` addresses the namespace itself, `namespaces/<name>/pods` what is in it.
  const [first, namespace, plural, ...deeper] = rest;
  if (first === 'namespaces' && namespace !== undefined && plural !== undefined && plural !== 'status') {
    return objectRoute(groupVersion, plural, deeper, namespace);
  }
  return objectRoute(groupVersion, first ?? '', rest.slice(1), undefined);
}

function objectRoute(
  groupVersion: string,
  plural: string,
  [name, sub, ...tooMuch]: readonly string[],
  namespace: string | undefined,
): Route {
  const resource = KINDS.find((kind) => kind.plural === plural && apiVersionOf(kind) === groupVersion);
  if (!resource || tooMuch.length > 0 || (namespace !== undefined && !resource.namespaced)) throw noSuchResource();
  const within = namespace === undefined ? {} : { namespace };
  if (name === undefined) return { kind: 'objects', resource, ...within };
  const subresource = resource.subresources.find((one) => one === sub);
  if ((resource.namespaced && namespace === undefined) || (sub !== undefined && !subresource)) throw noSuchResource();
  return { kind: 'object', resource, ...within, name, ...(subresource && { subresource }) };
}
