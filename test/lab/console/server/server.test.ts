import { request } from 'node:http';
import { join } from 'node:path';
import { type ConsoleServer, serveConsole } from '../../../../lab/console/server/server';
import { foldersOf } from '../../../../lab/console/server/static-files';
import type { Command } from '../../../../lab/console/snapshot/page-command';
import type { Snapshot } from '../../../../lab/console/snapshot/snapshot';
import type { ConsoleSource } from '../../../../lab/console/sources/console-source';

jest.setTimeout(60_000);

const ROOT = join(__dirname, '../../../..');

function snapshotAt(now: number): Snapshot {
  return {
    mode: 'sandbox',
    clusterName: 'c',
    simulated: [],
    clock: { now, startedAt: 0, speed: 60, paused: true },
    scenarios: [],
    configProblems: [],
    faults: { lost: 0, doubled: 0, late: 0, apiErrors: 0 },
    pools: [],
    nodes: [],
    pods: [],
    decisions: [],
    waiting: { with: { pods: 0, medianMs: 0, p95Ms: 0, worstMs: 0 } },
    cost: { total: 0, headroom: 0, nodeHours: 0 },
  };
}

let server: ConsoleServer;
let commands: Command[];
let now: number;

beforeEach(async () => {
  commands = [];
  now = 1;
  const source: ConsoleSource = {
    snapshot: () => snapshotAt(now),
    command: async (command) => {
      commands.push(command);
      if (command.kind === 'release') throw new Error('nothing to release');
      return { speed: 60 };
    },
  };
  server = await serveConsole(source, { folders: foldersOf(ROOT), port: 0 });
});

afterEach(() => server.close());

interface Ask {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

function ask({ method = 'GET', path = '/', headers = {}, body }: Ask) {
  return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; text: string }>((resolve, reject) => {
    const { port } = server;
    const outgoing = request({ host: '127.0.0.1', port, method, path, headers }, (incoming) => {
      let text = '';
      incoming.on('data', (chunk) => {
        text += chunk;
      });
      incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text }));
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

const json = { 'content-type': 'application/json' };
const own = () => `http://127.0.0.1:${server.port}`;
const PAUSE = JSON.stringify({ kind: 'pause', paused: true });

test('the snapshot is JSON', async () => {
  const { status, text } = await ask({ path: '/api/snapshot' });
  expect(status).toBe(200);
  expect(JSON.parse(text)).toEqual(snapshotAt(1));
});

test('a command of the page itself is carried out', async () => {
  const answer = await ask({ method: 'POST', path: '/api/command', headers: { ...json, origin: own() }, body: PAUSE });
  expect(answer.status).toBe(200);
  expect(JSON.parse(answer.text)).toEqual({ ok: true, speed: 60 });
  expect(commands).toEqual([{ kind: 'pause', paused: true }]);
});

test('localhost is an own name too', async () => {
  const host = `localhost:${server.port}`;
  const headers = { ...json, host, origin: `http://${host}` };
  expect((await ask({ method: 'POST', path: '/api/command', headers, body: PAUSE })).status).toBe(200);
});

test.each([
  { name: 'a foreign host', headers: { host: 'evil.example:80' }, status: 403 },
  { name: 'the own name with a foreign port', headers: { host: '127.0.0.1:1' }, status: 403 },
  { name: 'a foreign origin', headers: { origin: 'http://evil.example' }, status: 403 },
  { name: 'an origin of null', headers: { origin: 'null' }, status: 403 },
  { name: 'a page of another site', headers: { 'sec-fetch-site': 'cross-site' }, status: 403 },
])('$name is refused, to read and to write', async ({ headers, status }) => {
  expect((await ask({ path: '/api/snapshot', headers })).status).toBe(status);
  const withOrigin = 'origin' in headers ? headers : { ...headers, origin: own() };
  const answer = await ask({
    method: 'POST',
    path: '/api/command',
    headers: { ...json, ...withOrigin } as Record<string, string>,
    body: PAUSE,
  });
  expect(answer.status).toBe(status);
  expect(commands).toEqual([]);
});

test.each<{ name: string; path?: string; headers: Readonly<Record<string, string>>; status: number }>([
  { name: 'of another site', headers: { 'sec-fetch-site': 'cross-site' }, status: 403 },
  {
    name: 'of another site in other words',
    path: '//x/api/stream',
    headers: { 'sec-fetch-site': 'cross-site' },
    status: 403,
  },
  { name: 'of a foreign name for this machine', headers: { host: 'evil.example' }, status: 403 },
  { name: 'of the console itself', headers: { 'sec-fetch-site': 'same-origin' }, status: 200 },
  { name: 'without Sec-Fetch-Site, as curl asks', headers: {}, status: 200 },
])('the stream answers a request $name with $status', async ({ path = '/api/stream', headers, status }) => {
  const response = await new Promise<number>((resolve, reject) => {
    const { port } = server;
    const outgoing = request({ host: '127.0.0.1', port, path, headers }, (incoming) => {
      incoming.destroy();
      resolve(incoming.statusCode ?? 0);
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
  expect(response).toBe(status);
});

test('a link on another site still opens the page', async () => {
  expect((await ask({ path: '/', headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(200);
});

test('a command without an origin is refused', async () => {
  expect((await ask({ method: 'POST', path: '/api/command', headers: json, body: PAUSE })).status).toBe(403);
  expect(commands).toEqual([]);
});

test.each(['PUT', 'DELETE', 'OPTIONS', 'PATCH'])('%s is not allowed', async (method) => {
  const { status, headers } = await ask({ method, path: '/api/command', headers: { origin: own() } });
  expect(status).toBe(405);
  expect(headers['access-control-allow-origin']).toBeUndefined();
});

test.each([
  { name: 'no JSON', body: '{', error: 'command is not JSON' },
  { name: 'an unknown kind', body: '{"kind":"explode"}', error: 'command at kind cannot be read' },
  {
    name: 'a speed beyond the fastest',
    body: '{"kind":"speed","speed":5000}',
    error: 'command at speed cannot be read',
  },
  { name: 'what the source refuses', body: '{"kind":"release","pool":"a"}', error: 'nothing to release' },
])('$name is answered with what is wrong', async ({ body, error }) => {
  const answer = await ask({ method: 'POST', path: '/api/command', headers: { ...json, origin: own() }, body });
  expect(answer.status).toBe(400);
  expect(JSON.parse(answer.text)).toMatchObject({ ok: false, error: expect.stringContaining(error) });
});

test('a command that is not JSON by its type is refused', async () => {
  const headers = { 'content-type': 'text/plain', origin: own() };
  expect((await ask({ method: 'POST', path: '/api/command', headers, body: PAUSE })).status).toBe(415);
});

test('a command that is too long is refused', async () => {
  const body = ' '.repeat(70_000);
  const answer = await ask({ method: 'POST', path: '/api/command', headers: { ...json, origin: own() }, body });
  expect(answer.status).toBe(413);
});

test.each([
  { library: 'the charting library', path: '/vendor/uplot/uPlot.esm.js' },
  { library: 'the templating library', path: '/vendor/lit-html/lit-html.js' },
  { library: 'a part of it', path: '/vendor/lit-html/directives/repeat.js' },
])('$library comes from the installed package', async ({ path }) => {
  const { status, headers } = await ask({ path });
  expect(status).toBe(200);
  expect(headers['content-type']).toContain('text/javascript');
  expect(headers['content-security-policy']).toContain("default-src 'self'");
});

test.each([
  '/../package.json',
  '/%2e%2e/package.json',
  '/vendor/uplot/../package.json',
  '/vendor/typescript/lib/tsc.js',
  '/vendor/constructor/name.js',
  '/vendor/../package.json',
  '/.env',
  '/none.js',
  '/a//b.js',
])('%s is not served', async (path) => {
  expect((await ask({ path })).status).toBe(404);
});

test('the stream sends the snapshot at once and again when it changed', async () => {
  const frames = await new Promise<Snapshot[]>((resolve, reject) => {
    const seen: Snapshot[] = [];
    const outgoing = request({ host: '127.0.0.1', port: server.port, path: '/api/stream' }, (incoming) => {
      let text = '';
      incoming.on('data', (chunk) => {
        text += chunk;
        const parts = text.split('\n\n');
        text = parts.pop() ?? '';
        for (const part of parts) if (part.startsWith('data: ')) seen.push(JSON.parse(part.slice(6)));
        now = 2;
        if (seen.at(-1)?.clock.now !== 2) return;
        outgoing.destroy();
        resolve(seen);
      });
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
  expect(frames[0]?.clock.now).toBe(1);
  expect(frames.at(-1)?.clock.now).toBe(2);
});

test('closing ends open streams at once', async () => {
  const ended = new Promise<void>((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port: server.port, path: '/api/stream' }, (incoming) => {
      incoming.once('data', () => server.close());
      incoming.on('close', () => resolve());
      incoming.on('error', () => resolve());
      incoming.resume();
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
  await ended;
});

test('a chosen port that is in use is an error, the default one is not', async () => {
  const source: ConsoleSource = { snapshot: () => snapshotAt(1), command: async () => ({}) };
  await expect(serveConsole(source, { folders: foldersOf(ROOT), port: server.port })).rejects.toThrow(
    `port ${server.port} is in use`,
  );
});
