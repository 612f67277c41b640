import { readDeletion } from '../api/delete-object';
import type { KubeApi, ListQuery, WriteOptions } from '../api/kube-api';
import { ApiError, badRequest, methodNotAllowed, success } from '../api-error';
import type { JsonObject } from '../json';
import { apiVersionOf, EVENTS, type Kind, NEWER_EVENTS } from '../kinds';
import { renderManagers } from '../managed-fields';
import type { KubeObject } from '../object-types';
import { asCore, asNewer } from './events-api';
import { tableOf } from './kubectl-table';
import { page } from './pagination';
import { patchObject } from './patch-request';
import { parseBody } from './request-body';
import { type ObjectRoute, parsePath, type Route } from './routes';
import { readScale, writeScale } from './scale';

export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly contentType: string;
  readonly accept: string;
  readonly userAgent: string;
  readonly body: string;
}

export interface ApiResponse {
  readonly status: number;
  readonly body: JsonObject | string;
}

type ObjectsRoute = Extract<Route, { kind: 'objects' }>;

/** Responds as a kube-apiserver would; refusals are responses too. */
export function respond(api: KubeApi, request: ApiRequest): ApiResponse {
  try {
    return route(api, request);
  } catch (error) {
    if (error instanceof ApiError) return failure(error);
    throw error;
  }
}

export function failure({ code, status }: ApiError): ApiResponse {
  return { status: code, body: status };
}

function route(api: KubeApi, request: ApiRequest): ApiResponse {
  const found = parsePath(request.path);
  switch (found.kind) {
    case 'objects':
    case 'object':
      return found.resource === NEWER_EVENTS ? newerEvents(api, request, found) : objects(api, request, found);
    case 'document':
      if (!found.status && request.method !== 'GET' && request.method !== 'HEAD') throw methodNotAllowed();
      return { status: found.status ?? 200, body: found.body };
  }
}

function objects(api: KubeApi, request: ApiRequest, found: ObjectsRoute | ObjectRoute): ApiResponse {
  if (found.kind === 'objects') return collection(api, request, found);
  return found.subresource === 'scale' ? scale(api, request, found) : single(api, request, found);
}

/** Both APIs of Events show the same ones. */
function newerEvents(api: KubeApi, request: ApiRequest, found: ObjectsRoute | ObjectRoute): ApiResponse {
  const body = request.body === '' || request.method === 'DELETE' ? undefined : parseBody(request);
  const core = { ...request, ...asCore(request.query, body as JsonObject | undefined) };
  const response = objects(api, core, { ...found, resource: EVENTS });
  return { ...response, body: asNewer(response.body) };
}

function collection(api: KubeApi, request: ApiRequest, { resource, namespace }: ObjectsRoute): ApiResponse {
  switch (request.method) {
    case 'GET':
      return list(api, request, resource, namespace);
    case 'POST': {
      if (resource.namespaced && namespace === undefined) throw methodNotAllowed();
      const created = api.create(resource, namespace, parseBody(request), writeOptions(request));
      return { status: 201, body: rendered(api, resource, created) };
    }
    default:
      throw methodNotAllowed();
  }
}

function list(api: KubeApi, request: ApiRequest, kind: Kind, namespace: string | undefined): ApiResponse {
  const { query } = request;
  const { objects, metadata } = page(api.list(kind, namespace, listQuery(query)), query, api.store.version);
  if (wantsTable(request))
    return { status: 200, body: tableOf(kind, objects, { now: api.store.now(), metadata, query }) };
  const items = objects.map((object) => listed(kind, rendered(api, kind, object)));
  return { status: 200, body: { kind: `${kind.kind}List`, apiVersion: apiVersionOf(kind), metadata, items } };
}

export function listQuery(query: URLSearchParams): ListQuery {
  return { labelSelector: query.get('labelSelector'), fieldSelector: query.get('fieldSelector') };
}

/** Items of a list have neither apiVersion nor kind, except those of custom resources. */
export function listed({ custom }: Kind, object: JsonObject): JsonObject {
  if (custom) return object;
  const { apiVersion: _version, kind: _kind, ...rest } = object;
  return rest;
}

function single(api: KubeApi, request: ApiRequest, at: ObjectRoute): ApiResponse {
  const { resource, namespace, name } = at;
  const options: WriteOptions = { ...writeOptions(request), ...(at.subresource && { subresource: at.subresource }) };
  switch (request.method) {
    case 'GET': {
      const object = api.get(resource, namespace, name);
      return { status: 200, body: shown(api, request, resource, object) };
    }
    case 'PUT': {
      const body = parseBody(request);
      const replaced = api.replace(resource, api.get(resource, namespace, name), body, options);
      return { status: 200, body: rendered(api, resource, replaced) };
    }
    case 'PATCH': {
      const { object, created } = patchObject(api, request, at, options);
      return { status: created ? 201 : 200, body: rendered(api, resource, object) };
    }
    case 'DELETE':
      if (at.subresource) throw methodNotAllowed();
      return remove(api, request, at);
    default:
      throw methodNotAllowed();
  }
}

function remove(api: KubeApi, request: ApiRequest, { resource, namespace, name }: ObjectRoute): ApiResponse {
  const body = request.body === '' ? undefined : parseBody(request);
  const object = api.get(resource, namespace, name);
  const left = api.delete(resource, object, readDeletion(body, request.query));
  if (left) return { status: 200, body: rendered(api, resource, left) };
  return { status: 200, body: success(resource, name, object.metadata.uid) };
}

function scale(api: KubeApi, request: ApiRequest, { resource, namespace, name }: ObjectRoute): ApiResponse {
  const object = api.get(resource, namespace, name);
  if (request.method === 'GET') return { status: 200, body: readScale(object) };
  if (request.method !== 'PUT' && request.method !== 'PATCH') throw methodNotAllowed();
  const change = { body: parseBody(request), partial: request.method === 'PATCH' };
  return { status: 200, body: readScale(writeScale(api, resource, object, change, writeOptions(request))) };
}

function writeOptions({ query, userAgent }: ApiRequest): WriteOptions {
  const dryRun = query.getAll('dryRun');
  if (dryRun.some((value) => value !== 'All')) throw badRequest(`invalid dryRun ${JSON.stringify(dryRun)}: write All`);
  const fallback = userAgent.split('/')[0] || 'unknown';
  return { fieldManager: query.get('fieldManager') ?? fallback, dryRun: dryRun.length > 0 };
}

/** An object with its managedFields, as clients see it. */
export function rendered(api: KubeApi, kind: Kind, object: KubeObject): JsonObject {
  const managers = api.store.managersOf(kind, object);
  if (managers.length === 0) return object;
  return { ...object, metadata: { ...object.metadata, managedFields: renderManagers(managers) } };
}

function wantsTable({ accept }: ApiRequest): boolean {
  return accept.includes('as=Table');
}

export function shown(api: KubeApi, request: ApiRequest, kind: Kind, object: KubeObject): JsonObject {
  if (!wantsTable(request)) return rendered(api, kind, object);
  const { resourceVersion } = object.metadata;
  return tableOf(kind, [object], { now: api.store.now(), metadata: { resourceVersion }, query: request.query });
}
