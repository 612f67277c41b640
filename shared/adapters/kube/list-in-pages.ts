import type { KubernetesObject } from '@kubernetes/client-node';
import { KubeError } from './kube-error';

/** As in kubectl: about three megabytes of NodeClaims per page, and few round trips. */
export const PAGE_SIZE = 500;
/** A row is a tenth of an object or less; for each page the apiserver walks through the whole rest of the list. */
export const ROWS_PER_PAGE = 2_000;
/** How often a list is started: its continue token expires after about five minutes. */
const MAX_STARTS = 3;

interface Selectors {
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
}

export interface ListOptions<T, R> extends Selectors {
  /** What to keep of an object; the object itself is dropped with its page. */
  readonly facts: (object: T) => readonly R[];
}

interface Pages {
  get<T extends object>(path: string, accept?: string): Promise<T>;
}

/** The JSON of the API; the client library's model has other names. */
interface Page<T> extends Partial<Table> {
  readonly items?: readonly T[] | null;
  readonly metadata?: { readonly continue?: string };
}

/** What `kubectl get` asks for; an API that has no tables sends the objects. */
const AS_TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';

export interface Table {
  readonly columnDefinitions: readonly { readonly name: string }[];
  readonly rows?: readonly { readonly cells: readonly unknown[] }[] | null;
}

interface ReadOptions<T> extends Selectors {
  /** Reads a table instead of the objects, which are larger; `undefined` if it lacks a column. */
  readonly fromTable?: ((table: Table) => readonly T[] | undefined) | undefined;
}

/** Lists page by page and keeps only the facts, so that memory does not grow with the size of the objects. */
export async function listInPages<T extends KubernetesObject, R>(
  transport: Pages,
  path: string,
  { facts, ...selectors }: ListOptions<T, R>,
): Promise<readonly R[]> {
  const found: R[] = [];
  const begin = () => {
    found.length = 0;
    return (object: T) => {
      found.push(...facts(object));
    };
  };
  await readInPages(transport, path, begin, selectors);
  return found;
}

/** Passes every object to the visitor that `begin` returns. An expired list starts again with a new visitor. */
export async function readInPages<T extends KubernetesObject>(
  transport: Pages,
  path: string,
  begin: () => (object: T) => void,
  options: ReadOptions<T> = {},
): Promise<void> {
  for (let start = 1; ; start += 1) {
    try {
      return await readOnce(transport, path, begin(), options);
    } catch (error) {
      const expired = error instanceof KubeError && error.status === 410;
      if (!expired || start === MAX_STARTS) throw error;
    }
  }
}

async function readOnce<T extends KubernetesObject>(
  transport: Pages,
  path: string,
  visit: (object: T) => void,
  { labelSelector, fieldSelector, fromTable }: ReadOptions<T>,
): Promise<void> {
  let token: string | undefined;
  do {
    const query = new URLSearchParams({
      ...(labelSelector !== undefined && { labelSelector }),
      ...(fieldSelector !== undefined && { fieldSelector }),
      limit: String(fromTable ? ROWS_PER_PAGE : PAGE_SIZE),
      ...(token && { continue: token }),
      ...(fromTable && { includeObject: 'None' }),
    });
    const page = await transport.get<Page<T>>(`${path}?${query}`, fromTable && AS_TABLE);
    const objects = isTable(page) ? fromTable?.(page) : page.items;
    if (objects === undefined && fromTable) return readOnce(transport, path, visit, { labelSelector, fieldSelector });
    if (objects === undefined) throw new Error(`GET ${path}: the response is not a list`);
    for (const object of objects ?? []) visit(object);
    token = page.metadata?.continue;
  } while (token);
}

function isTable(page: Partial<Table>): page is Table {
  return page.columnDefinitions !== undefined;
}
