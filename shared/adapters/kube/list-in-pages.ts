import type { KubernetesObject } from '@kubernetes/client-node';
import { KubeError } from './kube-error';

/** As kubectl does it: three megabytes of NodeClaims at once, and few round trips. */
export const PAGE_SIZE = 500;
/** A list is as old as its first page, and the API forgets it after five minutes; so often it starts again. */
const MAX_STARTS = 3;

export interface ListOptions<T, R> {
  readonly labelSelector?: string | undefined;
  /** What to keep of an object; the object itself is dropped with its page. */
  readonly facts: (object: T) => readonly R[];
}

interface Pages {
  get<T extends object>(path: string): Promise<T>;
}

/** As it comes over the wire; the client library's model has other names. */
interface Page<T> {
  readonly items?: readonly T[] | null;
  readonly metadata?: { readonly continue?: string };
}

/** Lists page by page and keeps only the facts, so that memory does not grow with the objects' size. */
export async function listInPages<T extends KubernetesObject, R>(
  transport: Pages,
  path: string,
  { labelSelector, facts }: ListOptions<T, R>,
): Promise<readonly R[]> {
  const found: R[] = [];
  const begin = () => {
    found.length = 0;
    return (object: T) => {
      found.push(...facts(object));
    };
  };
  await readInPages(transport, path, begin, labelSelector);
  return found;
}

/** Shows every object to what `begin` returns, page by page; a list that expires half-way begins anew. */
export async function readInPages<T extends KubernetesObject>(
  transport: Pages,
  path: string,
  begin: () => (object: T) => void,
  labelSelector?: string,
): Promise<void> {
  for (let start = 1; ; start += 1) {
    try {
      return await readOnce(transport, path, begin(), labelSelector);
    } catch (error) {
      const expired = error instanceof KubeError && error.status === 410;
      if (!expired || start === MAX_STARTS) throw error;
    }
  }
}

async function readOnce<T extends KubernetesObject>(
  transport: Pages,
  path: string,
  see: (object: T) => void,
  labelSelector: string | undefined,
): Promise<void> {
  let token: string | undefined;
  do {
    const query = new URLSearchParams({
      ...(labelSelector !== undefined && { labelSelector }),
      limit: String(PAGE_SIZE),
      ...(token && { continue: token }),
    });
    const { items, metadata } = await transport.get<Page<T>>(`${path}?${query}`);
    if (items === undefined) throw new Error(`GET ${path}: the response is not a list`);
    for (const object of items ?? []) see(object);
    token = metadata?.continue;
  } while (token);
}
