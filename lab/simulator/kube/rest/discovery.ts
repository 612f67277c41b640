import type { JsonObject } from '../json';
import { apiVersionOf, KINDS, type Kind, type Subresource } from '../kinds';

const VERBS = ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'];

export const SERVER_VERSION: JsonObject = {
  major: '1',
  minor: '35',
  gitVersion: 'v1.35.4-headstart-sandbox',
  platform: 'sandbox',
};

/** `/api` */
export function coreVersions(): JsonObject {
  return { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [] };
}

/** `/apis` */
export function groupList(): JsonObject {
  const groups = [...new Set(KINDS.map(({ group }) => group))].filter((group) => group !== '');
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: groups.map(groupEntry) };
}

export function oneGroup(group: string): JsonObject {
  return { kind: 'APIGroup', apiVersion: 'v1', ...groupEntry(group) };
}

function groupEntry(group: string): JsonObject {
  const versions = [...new Set(KINDS.filter((kind) => kind.group === group).map(({ version }) => version))];
  const entries = versions.map((version) => ({ groupVersion: `${group}/${version}`, version }));
  return { name: group, versions: entries, preferredVersion: entries[0] };
}

/** `/api/v1` and `/apis/<group>/<version>` */
export function resourceList(groupVersion: string): JsonObject {
  const kinds = KINDS.filter((kind) => apiVersionOf(kind) === groupVersion);
  const resources = kinds.flatMap((kind) => [
    resource(kind),
    ...kind.subresources.map((one) => subresource(kind, one)),
  ]);
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources };
}

function resource({ plural, kind, namespaced, shortNames }: Kind): JsonObject {
  return {
    name: plural,
    singularName: kind.toLowerCase(),
    namespaced,
    kind,
    verbs: VERBS,
    ...(shortNames.length > 0 && { shortNames }),
  };
}

function subresource({ plural, kind, namespaced }: Kind, name: Subresource): JsonObject {
  const scale = { group: 'autoscaling', version: 'v1', kind: 'Scale' };
  return {
    name: `${plural}/${name}`,
    singularName: '',
    namespaced,
    ...(name === 'scale' ? scale : { kind }),
    verbs: ['get', 'patch', 'update'],
  };
}
