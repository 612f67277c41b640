import type { JsonObject } from '../json';
import type { ApiRequest, ApiResponse } from './rest-response';

/** The names of the same field in v1 and in events.k8s.io/v1, which serve the same Events. */
const RENAMED: readonly (readonly [core: string, newer: string])[] = [
  ['involvedObject', 'regarding'],
  ['message', 'note'],
  ['reportingComponent', 'reportingController'],
  ['source', 'deprecatedSource'],
  ['count', 'deprecatedCount'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
];
const TO_CORE = new Map(RENAMED.map(([core, newer]) => [newer, core]));
const TO_NEWER = new Map(RENAMED);

/** A request to events.k8s.io/v1 as one to v1. */
export function asCore(request: ApiRequest, body: JsonObject | undefined): ApiRequest {
  const query = new URLSearchParams(request.query);
  const selector = query.get('fieldSelector');
  if (selector !== null) query.set('fieldSelector', selector.replaceAll('regarding.', 'involvedObject.'));
  const core = body && JSON.stringify({ ...renamed(body, TO_CORE), apiVersion: 'v1' });
  return { ...request, query, ...(core !== undefined && { body: core, contentType: 'application/json' }) };
}

/** A response of v1 as one of events.k8s.io/v1; a refusal or a table is the same in both. */
export function asNewer({ status, body }: ApiResponse): ApiResponse {
  if (typeof body === 'string') return { status, body };
  const apiVersion = 'events.k8s.io/v1';
  if (body.kind === 'Event') return { status, body: { ...renamed(body, TO_NEWER), apiVersion } };
  if (body.kind !== 'EventList') return { status, body };
  const items = (body.items as readonly JsonObject[]).map((item) => renamed(item, TO_NEWER));
  return { status, body: { ...body, apiVersion, items } };
}

function renamed(object: JsonObject, names: ReadonlyMap<string, string>): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [names.get(name) ?? name, value]));
}
