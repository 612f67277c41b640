import { Agent } from 'node:https';
import { createServer, type Server, type Socket } from 'node:net';
import { send } from '../../../../shared/adapters/kube/send';
import { json, type LoopbackServer, loopbackServer, TEST_CA } from '../../../fakes/loopback-server';

const GET = { method: 'GET', path: '/x' } as const;
const HOW = { timeoutMs: 5_000, freshToken: false, now: 0 };
const connectionTo = (url: () => string, ca: () => Buffer | undefined = () => TEST_CA) => ({
  server: url,
  tls: () => ({ ...(ca() && { ca: ca() as Buffer }) }),
  authorize: async () => ({}),
});
let server: LoopbackServer;
beforeAll(async () => {
  server = await loopbackServer(({ url }, response) => void (url === '/never' || json(response, 200, {})), true);
});
afterAll(() => server.close());
afterEach(() => jest.restoreAllMocks());

/** Three seconds to connect pass in a moment. */
function hurry(): void {
  const real = setTimeout;
  jest
    .spyOn(globalThis, 'setTimeout')
    .mockImplementation(((wake: () => void, ms: number) => real(wake, ms === 3_000 ? 60 : ms)) as never);
}

/** How often a connection was opened, and by which agents. */
function connections(): ReadonlySet<Agent> & { readonly opened: () => number } {
  const agents = new Set<Agent>();
  let opened = 0;
  const create = Agent.prototype.createConnection;
  jest.spyOn(Agent.prototype, 'createConnection').mockImplementation(function (this: Agent, ...args) {
    agents.add(this);
    opened += 1;
    return create.apply(this, args);
  });
  return Object.assign(agents, { opened: () => opened });
}

test('requests that follow each other share a connection, until it has been idle', async () => {
  const seen = connections();
  const connection = connectionTo(() => server.url);
  for (const now of [0, 1_000, 31_000]) await send(connection, GET, { ...HOW, now });
  expect(seen.opened()).toBe(1);
  await send(connection, GET, { ...HOW, now: 61_001 });
  expect([seen.opened(), seen.size]).toEqual([2, 2]);
  const [old, fresh] = [...seen];
  expect([old?.maxFreeSockets, fresh?.maxFreeSockets]).toEqual([0, 256]);
  expect(Object.values(old?.freeSockets ?? {}).flat()).toEqual([]);
  expect([old?.maxSockets, old?.options.keepAlive, old?.options.rejectUnauthorized]).toEqual([16, true, true]);
});

test('a renewed CA, or another address, is another connection', async () => {
  const seen = connections();
  let ca: Buffer | undefined;
  const connection = connectionTo(
    () => server.url,
    () => ca,
  );
  await expect(send(connection, GET, HOW)).rejects.toThrow(/certificate|self.signed/i);
  ca = TEST_CA;
  await send(connection, GET, HOW);
  await send(connection, GET, HOW);
  expect(seen.opened()).toBe(2);
});

test('after a failure the next request gets a fresh connection', async () => {
  const seen = connections();
  const connection = connectionTo(() => server.url);
  await send(connection, GET, HOW);
  await expect(send(connection, { ...GET, path: '/never' }, { ...HOW, timeoutMs: 30 })).rejects.toThrow(
    'no response within 30 ms',
  );
  await send(connection, GET, HOW);
  expect(seen.size).toBe(2);
});

test('a server that does not even connect is given up after three seconds', async () => {
  hurry();
  const sockets: Socket[] = [];
  const silent: Server = createServer((socket) => void sockets.push(socket.on('error', () => {})));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as { port: number };
  await expect(
    send(
      connectionTo(() => `https://127.0.0.1:${port}`),
      GET,
      HOW,
    ),
  ).rejects.toThrow('no connection within 3000 ms');
  for (const socket of sockets) socket.destroy();
  silent.close();
});

test.each([
  { name: 'works', url: () => server.url, ends: 'answered' },
  { name: 'fails', url: () => 'https://127.0.0.1:1', ends: 'failed' },
])('a connection that $name leaves no timer behind that would end it', async ({ url, ends }) => {
  const set = jest.spyOn(globalThis, 'setTimeout');
  const cleared = jest.spyOn(globalThis, 'clearTimeout');
  const sent = send(connectionTo(url), GET, HOW);
  expect(
    await sent.then(
      () => 'answered',
      () => 'failed',
    ),
  ).toBe(ends);
  const timer = set.mock.results[set.mock.calls.findIndex(([, ms]) => ms === 3_000)]?.value;
  const isCleared = () => cleared.mock.calls.some(([one]) => one === timer);
  // A connection that fails closes a moment later.
  for (let tries = 0; tries < 100 && ends === 'failed' && !isCleared(); tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 5));
  expect(isCleared()).toBe(true);
});
