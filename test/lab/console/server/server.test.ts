import { request } from 'node:http';
import { join } from 'node:path';
import { type ConsoleServer, serveConsole } from '../../../../lab/console/server/server';
import { foldersOf } from '../../../../lab/console/server/static-files';
import type { Command } from '../../../../lab/console/snapshot/page-command';
import type { Snapshot } from '../../../../lab/console/snapshot/snapshot';
import type { ConsoleSource } from '../../../../lab/console/sources/console-source';

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
    headroom: { ready: 0, wanted: 0, noun: 'headrooms', inUse: 0, free: 0, text: '' },
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

const own = () => `http://127.0.0.1:${server.port}`;
const PAUSE = JSON.stringify({ kind: 'pause', paused: true });
const SNAPSHOT = '/api/snapshot';
/** A command as the page itself sends it, but for these headers. */
const post = (body = PAUSE, headers: Readonly<Record<string, string>> = {}) =>
  ask({
    method: 'POST',
    path: '/api/command',
    headers: { 'content-type': 'application/json', origin: own(), ...headers },
    body,
  });

test('the snapshot is JSON', async () => {
  const { status, text } = await ask({ path: SNAPSHOT });
  expect([status, JSON.parse(text)]).toEqual([200, snapshotAt(1)]);
});

test('a command of the page itself is carried out, under its name localhost too', async () => {
  const { status, text } = await post();
  expect([status, JSON.parse(text)]).toEqual([200, { ok: true, speed: 60 }]);
  expect(commands).toEqual([{ kind: 'pause', paused: true }]);
  const host = `localhost:${server.port}`;
  expect((await post(PAUSE, { host, origin: `http://${host}` })).status).toBe(200);
});

test.each<{ name: string; headers: Readonly<Record<string, string>> }>([
  { name: 'a foreign host', headers: { host: 'evil.example:80' } },
  { name: 'its own name with a foreign port', headers: { host: '127.0.0.1:1' } },
  { name: 'a foreign origin', headers: { origin: 'http://evil.example' } },
  { name: 'an origin of null', headers: { origin: 'null' } },
  { name: 'a page of another site', headers: { 'sec-fetch-site': 'cross-site' } },
])('$name is refused, to read and to write', async ({ headers }) => {
  for (const path of [SNAPSHOT, '/api/stream', '//x/api/stream'])
    expect((await ask({ path, headers })).status).toBe(403);
  expect((await post(PAUSE, headers)).status).toBe(403);
  expect(commands).toEqual([]);
});

test('a link on another site still opens the page', async () => {
  expect((await ask({ path: '/', headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(200);
});

test('a command without an origin is refused', async () => {
  const headers = { 'content-type': 'application/json' };
  expect((await ask({ method: 'POST', path: '/api/command', headers, body: PAUSE })).status).toBe(403);
  expect(commands).toEqual([]);
});

test.each(['PUT', 'DELETE', 'OPTIONS', 'PATCH'])('%s is not allowed', async (method) => {
  const { status, headers } = await ask({ method, path: '/api/command', headers: { origin: own() } });
  expect([status, headers['access-control-allow-origin']]).toEqual([405, undefined]);
});

test.each([
  { name: 'no JSON', body: '{', error: 'command is not JSON' },
  { name: 'an unknown kind', body: '{"kind":"explode"}', error: 'command at kind cannot be read' },
  { name: 'too large a speed', body: '{"kind":"speed","speed":5000}', error: 'command at speed cannot be read' },
  { name: 'what the source refuses', body: '{"kind":"release","pool":"a"}', error: 'nothing to release' },
  { name: 'no JSON by its type', body: PAUSE, headers: { 'content-type': 'text/plain' }, status: 415, error: 'json' },
  { name: 'too long a body', body: ' '.repeat(70_000), status: 413, error: 'at most 65536 bytes' },
])('$name is answered with what is wrong', async ({ body, headers, status = 400, error }) => {
  const answer = await post(body, headers);
  expect(answer.status).toBe(status);
  expect(JSON.parse(answer.text)).toMatchObject({ ok: false, error: expect.stringContaining(error) });
});

test.each(['uplot/uPlot.esm.js', 'lit-html/lit-html.js', 'lit-html/directives/repeat.js'])(
  'the library /vendor/%s comes from the installed package',
  async (path) => {
    const { status, headers } = await ask({ path: `/vendor/${path}` });
    expect([status, headers['content-type']]).toEqual([200, expect.stringContaining('text/javascript')]);
    expect(headers['content-security-policy']).toContain("default-src 'self'");
  },
);

test.each([
  '/../package.json',
  '/%2e%2e/package.json',
  '/vendor/uplot/../package.json',
  '/vendor/typescript/lib/tsc.js',
  '/vendor/constructor/name.js',
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
