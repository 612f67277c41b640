import { badRequest } from '../api-error';
import type { JsonObject } from '../json';
import type { KubeObject } from '../objects';

/** One page of a list and its metadata, with a continue token if there is more. */
export function page(
  objects: readonly KubeObject[],
  query: URLSearchParams,
  resourceVersion: string,
): { readonly objects: readonly KubeObject[]; readonly metadata: JsonObject } {
  const limit = Number(query.get('limit') ?? 0);
  const after = readToken(query.get('continue'));
  const rest = after === undefined ? objects : objects.filter((object) => keyOf(object) > after);
  const last = rest[limit - 1];
  if (limit === 0 || !last || rest.length <= limit) return { objects: rest, metadata: { resourceVersion } };
  const metadata = { resourceVersion, continue: writeToken(keyOf(last)), remainingItemCount: rest.length - limit };
  return { objects: rest.slice(0, limit), metadata };
}

function keyOf({ metadata }: KubeObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`;
}

function writeToken(start: string): string {
  return Buffer.from(JSON.stringify({ v: 'sandbox', start })).toString('base64url');
}

function readToken(token: string | null): string | undefined {
  if (!token) return undefined;
  try {
    const { start } = JSON.parse(Buffer.from(token, 'base64url').toString()) as { start?: unknown };
    if (typeof start === 'string') return start;
  } catch {}
  throw badRequest(`continue key is not valid: ${token}`);
}
