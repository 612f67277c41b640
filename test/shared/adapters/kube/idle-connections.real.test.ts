import { type AddressInfo, createServer } from 'node:net';
import type { Connection } from '../../../../shared/adapters/kube/connection';
import { kubeTransport } from '../../../../shared/adapters/kube/kube-transport';
import { json, type LoopbackServer, loopbackServer, TEST_CA } from '../../../fakes/loopback-server';
import { type TcpProxy, tcpProxy } from '../../../fakes/tcp-proxy';

const OBJECT = { apiVersion: 'v1', kind: 'Thing', metadata: { name: 'a' } };
const SLEPT_MS = 60_000;

let server: LoopbackServer;
let proxy: TcpProxy;
let now: number;
let rediscovered: number;
let address: () => string;

beforeEach(async () => {
  // Slow enough that calls side by side need a connection each.
  server = await loopbackServer((_seen, response) => void setTimeout(() => json(response, 200, OBJECT), 20), true);
  proxy = await tcpProxy(server.url);
  now = Date.now();
  rediscovered = 0;
  address = () => proxy.url;
});
afterEach(async () => {
  await proxy.close();
  await server.close();
});

/** One process of a function: its connection outlives the invocations. */
function warmFunction() {
  const connection: Connection = {
    server: () => address(),
    tls: () => ({ ca: TEST_CA }),
    authorize: async () => ({}),
    rediscover: async () => {
      rediscovered += 1;
    },
  };
  // Long enough for a busy machine; a call on a silent connection waits this long once.
  return () => kubeTransport(connection, { timeoutMs: 3_000, sleep: async () => {}, now: () => now });
}

const calls = (transport: ReturnType<typeof kubeTransport>, count: number) =>
  Promise.all(Array.from({ length: count }, () => transport.get('/x')));

describe.each(['reset', 'silence'] as const)('five pooled connections that died by %s', (how) => {
  async function withDeadConnections() {
    const invocation = warmFunction();
    await calls(invocation(), 5);
    expect(proxy.opened()).toBe(5);
    proxy.forget(how);
    return invocation;
  }

  test('while the process slept: ten calls succeed at their first try, on fresh connections', async () => {
    const invocation = await withDeadConnections();
    now += SLEPT_MS;
    await expect(calls(invocation(), 10)).resolves.toHaveLength(10);
    expect([server.seen.length, proxy.wasted()]).toEqual([5 + 10, 0]);
  });

  test('unnoticed: one call spends one try on them, and no more', async () => {
    const invocation = await withDeadConnections();
    await expect(invocation().get('/x')).resolves.toEqual(OBJECT);
    expect([server.seen.length, proxy.wasted()]).toEqual([5 + 1, 1]);
  });

  test('unnoticed: ten calls side by side all succeed', async () => {
    const invocation = await withDeadConnections();
    await expect(calls(invocation(), 10)).resolves.toHaveLength(10);
    expect(server.seen).toHaveLength(5 + 10);
    expect(proxy.wasted()).toBeLessThanOrEqual(5);
  });

  test('are no reason to ask EKS for the endpoint', async () => {
    const invocation = await withDeadConnections();
    await calls(invocation(), 10);
    expect(rediscovered).toBe(0);
  });
});

test('EKS is asked for the endpoint when a fresh connection fails too', async () => {
  const invocation = warmFunction();
  await calls(invocation(), 5);
  proxy.forget('reset');
  address = () => 'https://127.0.0.1:1';
  await expect(invocation().get('/x')).rejects.toThrow('Unreachable');
  expect(rediscovered).toBeGreaterThan(0);
});

test('connections are kept while the process is awake', async () => {
  const invocation = warmFunction();
  for (let second = 0; second < 20; second += 5) {
    now += 5_000;
    await invocation().get('/x');
  }
  expect([server.seen.length, proxy.opened()]).toEqual([4, 1]);
});

test('a server that accepts connections and never greets cannot be reached: nobody waits for half of the time', async () => {
  const mute = createServer(() => {});
  await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
  address = () => `https://127.0.0.1:${(mute.address() as AddressInfo).port}`;
  const connection = { server: address, tls: () => ({ ca: TEST_CA }), authorize: async () => ({}) };
  const transport = kubeTransport(connection, { maxTries: 1, deadline: Date.now() + 60_000 });
  await expect(transport.get('/x')).rejects.toThrow(/Unreachable: .*no connection within 3000 ms/);
  mute.close();
});
