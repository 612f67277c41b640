import type { JsonObject } from '../json';

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
export function asCore(given: URLSearchParams, body: JsonObject | undefined) {
  const query = new URLSearchParams(given);
  const selector = query.get('fieldSelector');
  if (selector !== null) query.set('fieldSelector', selector.replaceAll('regarding.', 'involvedObject.'));
  const core = body && JSON.stringify({ ...renamed(body, TO_CORE), apiVersion: 'v1' });
  return { query, ...(core !== undefined && { body: core, contentType: 'application/json' }) };
}

/** A response of v1 as one of events.k8s.io/v1; a refusal or a table is the same in both. */
export function asNewer(body: JsonObject | string): JsonObject | string {
  if (typeof body === 'string') return body;
  const apiVersion = 'events.k8s.io/v1';
  if (body.kind === 'Event') return { ...renamed(body, TO_NEWER), apiVersion };
  if (body.kind !== 'EventList') return body;
  const items = (body.items as readonly JsonObject[]).map((item) => renamed(item, TO_NEWER));
  return { ...body, apiVersion, items };
}

function renamed(object: JsonObject, names: ReadonlyMap<string, string>): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [names.get(name) ?? name, value]));
}
