import type { JsonObject } from '../json';
import type { KubeObject } from '../object-types';

/** One page of a list and its metadata, with a continue token if there is more. */
export function page(
  objects: readonly KubeObject[],
  query: URLSearchParams,
  resourceVersion: string,
): { readonly objects: readonly KubeObject[]; readonly metadata: JsonObject } {
  const limit = Number(query.get('limit') ?? 0);
  const token = query.get('continue');
  const after = token ? Buffer.from(token, 'base64url').toString() : undefined;
  const rest = after === undefined ? objects : objects.filter((object) => keyOf(object) > after);
  const last = rest[limit - 1];
  if (limit === 0 || !last || rest.length <= limit) return { objects: rest, metadata: { resourceVersion } };
  const next = Buffer.from(keyOf(last)).toString('base64url');
  const metadata = { resourceVersion, continue: next, remainingItemCount: rest.length - limit };
  return { objects: rest.slice(0, limit), metadata };
}

function keyOf({ metadata }: KubeObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`;
}
