import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { KubernetesObject } from '@kubernetes/client-node';
import { KubeError } from '../../../../shared/adapters/kube/kube-error';
import { listInPages, PAGE_SIZE, readInPages, type Table } from '../../../../shared/adapters/kube/list-in-pages';

/** A list on the server; a page says where the next one starts. */
function pagedApi(names: readonly string[], expired: (request: number) => boolean = () => false) {
  const asked: URLSearchParams[] = [];
  return {
    asked,
    transport: {
      get: async <T extends object>(path: string) => {
        const query = new URL(path, 'http://api').searchParams;
        asked.push(query);
        if (expired(asked.length)) throw new KubeError({ method: 'GET', path }, 410, 'Expired', 'too old');
        const first = Number(query.get('continue') ?? 0);
        const items = names.slice(first, first + Number(query.get('limit'))).map((name) => ({ metadata: { name } }));
        const next = first + items.length;
        return { items, metadata: next < names.length ? { continue: String(next) } : {} } as unknown as T;
      },
    },
  };
}

const names = (count: number) => Array.from({ length: count }, (_, index) => `claim-${index}`);
const facts = ({ metadata }: KubernetesObject) => [metadata?.name ?? ''];

test('reads page by page, each object once, in order', async () => {
  const api = pagedApi(names(1_201));
  await expect(listInPages(api.transport, '/x', { facts })).resolves.toEqual(names(1_201));
  expect(api.asked.map((query) => [query.get('limit'), query.get('continue')])).toEqual([
    [`${PAGE_SIZE}`, null],
    [`${PAGE_SIZE}`, '500'],
    [`${PAGE_SIZE}`, '1000'],
  ]);
});

test('an empty page that has a next one is not the end', async () => {
  const pages = [
    { items: [{ metadata: { name: 'a' } }], metadata: { continue: '1' } },
    { items: [], metadata: { continue: '2' } },
    { items: [{ metadata: { name: 'b' } }], metadata: {} },
  ];
  const get = async <T extends object>() => pages.shift() as unknown as T;
  await expect(listInPages({ get }, '/x', { facts })).resolves.toEqual(['a', 'b']);
});

test('asks every page with the same selector', async () => {
  const api = pagedApi(names(600));
  await listInPages(api.transport, '/x', { labelSelector: 'a=b', facts });
  expect(api.asked.map((query) => query.get('labelSelector'))).toEqual(['a=b', 'a=b']);
});

test('of 15,000 objects no more than one page is held at any time, only their facts', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const api = pagedApi(names(15_000));
  const handedOut: WeakRef<object>[] = [];
  const heldBefore: number[] = [];
  const transport = {
    get: async <T extends object>(path: string) => {
      // Now and then: a collection takes long in a large process.
      if (api.asked.length % 10 === 9) {
        // A reference that was looked at lives until the end of its task.
        await new Promise((resolve) => setImmediate(resolve));
        collectGarbage();
        heldBefore.push(handedOut.filter((object) => object.deref() !== undefined).length);
      }
      const page = await api.transport.get<T & { readonly items: readonly object[] }>(path);
      for (const object of page.items) handedOut.push(new WeakRef(object));
      return page;
    },
  };
  await expect(listInPages(transport, '/x', { facts })).resolves.toHaveLength(15_000);
  expect([handedOut.length, heldBefore.length]).toEqual([15_000, 3]);
  expect(Math.max(...heldBefore)).toBeLessThanOrEqual(PAGE_SIZE);
}, 60_000);

test('a list that expired half-way starts again and counts nothing twice', async () => {
  const api = pagedApi(names(1_200), (request) => request === 3);
  await expect(listInPages(api.transport, '/x', { facts })).resolves.toEqual(names(1_200));
  expect(api.asked.map((query) => query.get('continue'))).toEqual([null, '500', '1000', null, '500', '1000']);
});

test('a list that expires again and again is an error in the end', async () => {
  const api = pagedApi(names(1_200), (request) => request % 2 === 0);
  await expect(listInPages(api.transport, '/x', { facts })).rejects.toMatchObject({ status: 410 });
  expect(api.asked).toHaveLength(6);
});

test('an object may have no facts, or several', async () => {
  const api = pagedApi(names(3));
  const some = ({ metadata }: KubernetesObject) => (metadata?.name === 'claim-1' ? [] : ['fact', 'fact']);
  await expect(listInPages(api.transport, '/x', { facts: some })).resolves.toHaveLength(4);
});

test.each([
  { name: 'no items at all', body: { items: null }, found: [] },
  { name: 'an empty list', body: { items: [], metadata: {} }, found: [] },
])('$name is an empty list', async ({ body, found }) => {
  const transport = { get: async <T extends object>() => body as unknown as T };
  await expect(listInPages(transport, '/x', { facts })).resolves.toEqual(found);
});

test('what is no list is an error, and not an empty list', async () => {
  const transport = { get: async <T extends object>() => ({ kind: 'Status' }) as unknown as T };
  await expect(listInPages(transport, '/x', { facts })).rejects.toThrow('GET /x: the response is not a list');
});

describe('a table', () => {
  const column = (name: string) => ({ name });
  const fromTable = ({ columnDefinitions, rows }: Table): readonly KubernetesObject[] | undefined =>
    columnDefinitions.some(({ name }) => name === 'Name')
      ? (rows ?? []).map(({ cells: [name] }) => ({ metadata: { name: String(name) } }))
      : undefined;
  const table = (columns: string[], cells: string[], next?: string) => ({
    columnDefinitions: columns.map(column),
    rows: cells.map((cell) => ({ cells: [cell] })),
    metadata: { continue: next },
  });
  const objects = (...given: string[]) => ({ items: given.map((name) => ({ metadata: { name } })) });

  const read = async (...pages: object[]) => {
    const [found, asked]: [string[], unknown[]] = [[], []];
    const get = async <T extends object>(path: string, accept?: string) => {
      const query = new URL(path, 'http://api').searchParams;
      asked.push([query.get('limit'), query.get('includeObject'), accept?.split(',')]);
      return pages.shift() as unknown as T;
    };
    const visitor = () => (object: KubernetesObject) => void found.push(object.metadata?.name ?? '');
    await readInPages({ get }, '/x', visitor, { fromTable });
    return { found, asked };
  };
  const AS_TABLE = ['2000', 'None', ['application/json;as=Table;v=v1;g=meta.k8s.io', 'application/json']];
  const AS_OBJECTS = ['500', null, undefined];

  test.each([
    {
      name: 'is read in pages that are as large as those of objects, without its objects',
      pages: [table(['Name'], ['a', 'b'], '1'), table(['Name'], [], '2'), table(['Name'], ['c'])],
      found: ['a', 'b', 'c'],
      asked: [AS_TABLE, AS_TABLE, AS_TABLE],
    },
    {
      name: 'without rows has none',
      pages: [{ columnDefinitions: [column('Name')], rows: null }],
      found: [],
      asked: [AS_TABLE],
    },
    {
      name: 'that an API does not have is a list of objects',
      pages: [objects('a', 'b')],
      found: ['a', 'b'],
      asked: [AS_TABLE],
    },
    {
      name: 'that lacks a column is left for the objects, in their smaller pages',
      pages: [table(['Other'], ['x']), objects('a')],
      found: ['a'],
      asked: [AS_TABLE, AS_OBJECTS],
    },
  ])('$name', async ({ pages, found, asked }) => {
    await expect(read(...pages)).resolves.toEqual({ found, asked });
  });

  test('and no list at all is an error', async () => {
    await expect(read({}, {})).rejects.toThrow('GET /x: the response is not a list');
  });
});
