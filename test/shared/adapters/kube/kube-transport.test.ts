import type { ServerResponse } from 'node:http';
import { NoResponseError } from '../../../../shared/adapters/http/http-request';
import type { Connection } from '../../../../shared/adapters/kube/connection';
import type { KubeError } from '../../../../shared/adapters/kube/kube-error';
import {
  type KubeTransport,
  kubeTransport,
  type TransportOptions,
} from '../../../../shared/adapters/kube/kube-transport';
import { json, type LoopbackServer, loopbackServer, type Seen, TEST_CA } from '../../../fakes/loopback-server';

const OBJECT = { apiVersion: 'v1', kind: 'Thing', metadata: { name: 'a' } };
let server: LoopbackServer;
const slept: number[] = [];
const options = { sleep: async (ms: number) => void slept.push(ms), timeoutMs: 5_000 };

async function serve(respond: (seen: Seen, response: ServerResponse, count: number) => void, tls = false) {
  server = await loopbackServer(respond, tls);
  return server;
}

function connection(more: Partial<Connection> = {}): Connection {
  return {
    server: () => server.url,
    tls: () => ({ ca: TEST_CA }),
    authorize: async (fresh) => ({ authorization: fresh ? 'Bearer fresh' : 'Bearer cached' }),
    ...more,
  };
}

beforeEach(() => {
  slept.length = 0;
});
afterEach(() => server.close());

describe('kubeTransport', () => {
  test('applies on the server with the field manager, by force, over verified TLS', async () => {
    await serve((_seen, response) => json(response, 200, OBJECT), true);
    await expect(kubeTransport(connection()).apply('/apis/x', OBJECT, 'headstart')).resolves.toEqual(OBJECT);
    expect(server.seen[0]).toMatchObject({
      method: 'PATCH',
      url: '/apis/x?fieldManager=headstart&force=true',
      headers: {
        'content-type': 'application/apply-patch+yaml',
        authorization: 'Bearer cached',
        accept: 'application/json',
        'user-agent': 'headstart',
      },
      body: JSON.stringify(OBJECT),
    });
  });

  test('does not talk to a server whose certificate it cannot verify', async () => {
    await serve((_seen, response) => json(response, 200, OBJECT), true);
    const untrusting = connection({ tls: () => ({}) });
    await expect(kubeTransport(untrusting, { ...options, maxTries: 1 }).get('/x')).rejects.toThrow(
      /certificate|self.signed/i,
    );
    expect(server.seen).toEqual([]);
  });

  test('does not speak plain HTTP beyond loopback', async () => {
    await serve((_seen, response) => json(response, 200, OBJECT));
    const leaky = connection({ server: () => 'http://example.com' });
    await expect(kubeTransport(leaky, { ...options, maxTries: 1 }).get('/x')).rejects.toThrow('loopback only');
  });

  test.each([
    { name: 'an HTML page', body: '<html>please log in</html>' },
    { name: 'nothing', body: '' },
  ])('tries again after status 200 with $name', async ({ body }) => {
    await serve((_seen, response, count) => (count === 1 ? response.end(body) : json(response, 200, OBJECT)));
    await expect(kubeTransport(connection(), options).get('/x')).resolves.toEqual(OBJECT);
    expect(slept).toHaveLength(1);
  });

  test('asks for a fresh token once after 401', async () => {
    await serve((seen, response) =>
      seen.headers.authorization === 'Bearer fresh' ? json(response, 200, OBJECT) : json(response, 401, {}),
    );
    await expect(kubeTransport(connection(), options).get('/x')).resolves.toEqual(OBJECT);
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer cached', 'Bearer fresh']);
  });

  test('a second 401 is an error', async () => {
    await serve((_seen, response) => json(response, 401, { reason: 'Unauthorized', message: 'who are you' }));
    await expect(kubeTransport(connection(), options).get('/x')).rejects.toThrow('401 Unauthorized');
    expect(server.seen).toHaveLength(2);
  });

  test('a server that does not answer in time is an error that says so', async () => {
    await serve(() => {});
    const impatient = { ...options, timeoutMs: 50, maxTries: 2 };
    await expect(kubeTransport(connection(), impatient).get('/x')).rejects.toThrow(
      /TooSlow: .* is too slow: no response within 0\.\d s/,
    );
  });

  test('all tries together stay within their budget', async () => {
    await serve(() => {});
    const hurried = { ...options, timeoutMs: 60, budgetMs: 100 };
    await expect(kubeTransport(connection(), hurried).get('/x')).rejects.toThrow(/no response within 0\.\d s/);
    expect(server.seen.length).toBeLessThan(4);
  });

  test('no call outlives its deadline, whatever time-outs and budget allow', async () => {
    await serve(() => {});
    const deadline = Date.now() + 150;
    const transport = kubeTransport(connection(), { ...options, deadline });
    await expect(transport.apply('/x', OBJECT, 'headstart')).rejects.toThrow(/no response within 0\.\d s/);
    expect(Date.now()).toBeGreaterThanOrEqual(deadline);
    await expect(transport.get('/y')).rejects.toThrow('GET /y: DeadlineExceeded: no time is left for this call');
    expect(server.seen.map(({ url }) => url)).toEqual(['/x?fieldManager=headstart&force=true']);
  });

  /** A connection on which every response is too late: what each try waited for, and how much longer it may come. */
  async function waits(deadline: number, call: (transport: KubeTransport) => Promise<unknown>) {
    const waited: { timeoutMs: number; listenMs?: number }[] = [];
    let now = 0;
    const send: TransportOptions['send'] = async (_connection, _request, { timeoutMs, listenMs = 0 }) => {
      waited.push({ timeoutMs, listenMs });
      now += timeoutMs;
      throw new NoResponseError(new Error('late'), false, true);
    };
    const rediscover = () => Promise.reject(new Error('a slow cluster is where it was'));
    const transport = kubeTransport(connection({ rediscover }), {
      sleep: options.sleep,
      now: () => now,
      deadline,
      send,
    });
    const error = await call(transport).catch(({ message }: Error) => message);
    return { waited, error };
  }
  const read = (transport: KubeTransport) => transport.get('/x');
  const write = (transport: KubeTransport) => transport.apply('/x', OBJECT, 'headstart');

  test.each([
    { name: 'a read waits for half of what is left', deadline: 16_000, call: read, ms: [8_000, 4_000, 2_000, 1_000] },
    { name: 'a write waits for all of it', deadline: 16_000, call: write, ms: [16_000] },
    { name: 'nothing waits for more than 20 s', deadline: 58_000, call: read, ms: [20_000, 19_000, 9_500, 4_750] },
    { name: 'nor does a write', deadline: 58_000, call: write, ms: [20_000, 20_000, 18_000] },
  ])('$name, and listens until its deadline', async ({ deadline, call, ms }) => {
    const { waited, error } = await waits(deadline, call);
    expect(waited.map(({ timeoutMs }) => timeoutMs)).toEqual(ms);
    let left = deadline;
    for (const { timeoutMs, listenMs = 0 } of waited) {
      expect(timeoutMs + listenMs).toBe(left);
      left -= timeoutMs;
    }
    expect(error).toContain(`is too slow: no response within ${((deadline - left) / 1_000).toFixed(1)} s`);
  });

  test.each([
    { name: 'counts while another try waits', status: 200, result: OBJECT },
    { name: 'that is an error does not', status: 503, result: 'TooSlow' },
  ])('a response that comes after its time-out $name', async ({ status, result }) => {
    await serve((_seen, response, count) => {
      if (count === 1) setTimeout(() => json(response, status, OBJECT), 250);
    });
    const transport = kubeTransport(connection(), { ...options, timeoutMs: 200, deadline: Date.now() + 900 });
    expect(await transport.get('/x').catch(({ reason }: KubeError) => reason)).toEqual(result);
    expect(server.seen.length).toBeGreaterThan(1);
  });

  test('does not wait for another try beyond its deadline', async () => {
    let now = 0;
    await serve((_seen, response) => json(response, 503, {}, { 'retry-after': '5' }));
    const sleep = async (ms: number) => {
      now += ms;
    };
    const transport = kubeTransport(connection(), { sleep, now: () => now, deadline: 8_000 });
    await expect(transport.get('/x')).rejects.toThrow('503');
    expect([server.seen.length, now]).toEqual([2, 5_000]);
  });

  test('uses a renewed CA at the same address', async () => {
    await serve((_seen, response) => json(response, 200, OBJECT), true);
    let ca = Buffer.from('');
    const renewed = connection({
      tls: () => ({ ca }),
      rediscover: async () => {
        ca = TEST_CA;
      },
    });
    await expect(kubeTransport(renewed, options).get('/x')).resolves.toEqual(OBJECT);
  });

  test('looks the endpoint up again when it no longer answers', async () => {
    await serve((_seen, response) => json(response, 200, OBJECT));
    let address = 'http://127.0.0.1:1';
    const moved = connection({
      server: () => address,
      rediscover: async () => {
        address = server.url;
      },
    });
    await expect(kubeTransport(moved, options).get('/x')).resolves.toEqual(OBJECT);
  });
});
