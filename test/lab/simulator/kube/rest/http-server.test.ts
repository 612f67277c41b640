import type { KubeServer } from '../../../../../lab/simulator/kube/rest/http-server';
import { serveKube } from '../../../../../lab/simulator/kube/rest/http-server';
import { configMap } from '../../../../contract/kube-client';
import { call, connectTo, emptyApi } from '../serve-store';

const open: KubeServer[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

async function serve(...args: Parameters<typeof serveKube>): Promise<KubeServer> {
  const server = await serveKube(...args);
  open.push(server);
  return server;
}

describe('the HTTP server', () => {
  test('the Date header tells the virtual clock, for clients that reckon by it', async () => {
    const api = emptyApi();
    const { url } = await serve(api);
    const answer = await fetch(`${url}/version`);
    expect(answer.headers.get('date')).toBe(new Date(api.store.now()).toUTCString());
  });

  test('a page of another origin is refused with 403, one of its own is served', async () => {
    const { url } = await serve(emptyApi());
    const from = (origin: string) => call(`${url}/api/v1/namespaces`, { headers: { origin } });
    expect((await from('https://evil.example')).status).toBe(403);
    expect((await from(url)).status).toBe(200);
  });

  test('a base path is part of the address, and nothing is served beside it', async () => {
    const { url, port } = await serve(emptyApi(), { basePath: '/k-secret' });
    expect(url).toMatch(/\/k-secret$/);
    expect((await call(`${url}/api/v1/namespaces`, {})).status).toBe(200);
    expect((await call(`http://127.0.0.1:${port}/api/v1/namespaces`, {})).status).toBe(401);
    expect((await call(`http://127.0.0.1:${port}/k-secretly/api`, {})).status).toBe(401);
  });

  const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
  const posted = (body: string, type = 'application/json') => ({
    method: 'POST',
    headers: { 'content-type': type },
    body,
  });
  const ONE = JSON.stringify(configMap('a', {}));

  test('a request can fail on purpose, and then changes nothing', async () => {
    const { url } = await serve(emptyApi(), { isFaulty: ({ method }) => method === 'POST' });
    const { status, body } = await call(`${url}${CONFIG_MAPS}`, posted(ONE));
    expect([status, body.kind, body.reason]).toEqual([503, 'Status', 'ServiceUnavailable']);
    expect((await call(`${url}${CONFIG_MAPS}/a`, {})).status).toBe(404);
  });

  test.each([
    { name: 'a body that is too large', request: posted('x'.repeat(4 * 1024 * 1024)), status: 413 },
    { name: 'a body in no known format', request: posted(ONE, 'text/plain'), status: 415 },
  ])('$name is refused with $status', async ({ request, status }) => {
    const { url } = await serve(emptyApi());
    expect((await call(`${url}${CONFIG_MAPS}`, request)).status).toBe(status);
  });

  test('YAML is read as well as JSON', async () => {
    const { url } = await serve(emptyApi());
    const body = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: from-yaml}\ndata: {a: "1"}\n';
    const patch = { method: 'PATCH', headers: { 'content-type': 'application/apply-patch+yaml' }, body };
    const path = `${CONFIG_MAPS}/from-yaml?fieldManager=test`;
    expect((await call(`${url}${path}`, patch)).status).toBe(201);
  });

  test.each([
    { path: '/version', shows: { major: '1', minor: '35' } },
    { path: '/api', shows: { kind: 'APIVersions', versions: ['v1'] } },
    { path: '/apis', shows: { kind: 'APIGroupList' } },
    { path: '/apis/apps', shows: { kind: 'APIGroup', name: 'apps' } },
    { path: '/apis/karpenter.sh/v1', shows: { kind: 'APIResourceList', groupVersion: 'karpenter.sh/v1' } },
  ])('$path is there for discovery', async ({ path, shows }) => {
    const { url } = await serve(emptyApi());
    expect(await call(`${url}${path}`, {})).toMatchObject({ status: 200, body: shows });
  });

  test('a table has the columns of the kind, and the metadata of the objects', async () => {
    const { url } = await serve(emptyApi(['default', 'shop']));
    const headers = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
    const { body } = await call(`${url}/api/v1/namespaces`, { headers });
    expect(body).toMatchObject({ kind: 'Table', apiVersion: 'meta.k8s.io/v1' });
    expect(body.columnDefinitions.map(({ name }: { name: string }) => name)).toEqual(['Name', 'Status', 'Age']);
    expect(body.rows.map(({ cells }: { cells: unknown[] }) => cells)).toEqual([
      ['default', 'Active', '0s'],
      ['shop', 'Active', '0s'],
    ]);
    expect(body.rows[0].object).toMatchObject({ kind: 'PartialObjectMetadata', metadata: { name: 'default' } });
  });

  test('a watch tells what happens to the objects that it selects', async () => {
    const { server, request, close } = await connectTo(emptyApi());
    const path = CONFIG_MAPS;
    await request('POST', path, configMap('before', {}, { labels: { seen: 'yes' } }));
    const stop = new AbortController();
    const response = await fetch(`${server.url}${path}?watch=1&labelSelector=seen%3Dyes`, { signal: stop.signal });
    await request('POST', path, configMap('unseen', {}));
    await request('PATCH', `${path}/before`, { data: { a: '1' } }, 'application/merge-patch+json');
    await request('DELETE', `${path}/before`);
    const told = await firstLines(response, 3);
    stop.abort();
    await close?.();
    expect(told.map(({ type, object }) => [type, object.metadata.name])).toEqual([
      ['ADDED', 'before'],
      ['MODIFIED', 'before'],
      ['DELETED', 'before'],
    ]);
  });

  test('one object cannot be watched by its own path', async () => {
    const { url } = await serve(emptyApi());
    expect((await call(`${url}/api/v1/namespaces/default?watch=1`, {})).status).toBe(405);
  });
});

interface Told {
  readonly type: string;
  readonly object: { readonly metadata: { readonly name: string } };
}

async function firstLines(response: Response, count: number): Promise<Told[]> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk as Uint8Array);
    const lines = text.split('\n').filter((line) => line !== '');
    if (lines.length >= count && text.endsWith('\n')) return lines.map((line) => JSON.parse(line) as Told);
  }
  throw new Error(`the watch ended after ${text}`);
}
