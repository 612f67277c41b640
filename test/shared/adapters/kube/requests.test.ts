import { type HttpResponse, NoResponseError } from '../../../../shared/adapters/http/http-request';
import {
  type KubeTransport,
  kubeTransport,
  type TransportOptions,
} from '../../../../shared/adapters/kube/kube-transport';
import type { KubeRequest, SendOptions } from '../../../../shared/adapters/kube/send';

const OBJECT = { apiVersion: 'v1', kind: 'Thing', metadata: { name: 'a' } };
type Answer = Partial<HttpResponse> | Error;

/** A transport over a wire that answers one after the other, the last again and again; and what it was asked. */
function over(
  answers: readonly Answer[],
  options: TransportOptions = {},
  rediscover?: (until: number) => Promise<void>,
) {
  const sent: KubeRequest[] = [];
  const how: SendOptions[] = [];
  const slept: number[] = [];
  const transport = kubeTransport(
    {
      server: () => 'https://cluster',
      tls: () => ({}),
      authorize: async () => ({}),
      ...(rediscover && { rediscover }),
    },
    {
      now: () => 0,
      random: () => 0.5,
      sleep: async (ms) => void slept.push(ms),
      send: async (_connection, request, given) => {
        sent.push(request);
        how.push(given);
        const answer = answers[Math.min(sent.length, answers.length) - 1];
        if (answer instanceof Error) throw answer;
        return { status: 200, headers: {}, body: JSON.stringify(OBJECT), ...answer };
      },
      ...options,
    },
  );
  return { transport, sent, how, slept };
}

const JSON_BODY = 'application/json';

test.each<{ name: string; call: (transport: KubeTransport) => Promise<unknown>; request: object }>([
  { name: 'get', call: (t) => t.get('/x'), request: { method: 'GET', path: '/x' } },
  {
    name: 'create',
    call: (t) => t.create('/x', OBJECT),
    request: { method: 'POST', path: '/x', body: JSON.stringify(OBJECT), contentType: JSON_BODY },
  },
  {
    name: 'apply',
    call: (t) => t.apply('/x', OBJECT, 'a b'),
    request: {
      method: 'PATCH',
      path: '/x?fieldManager=a%20b&force=true',
      body: JSON.stringify(OBJECT),
      contentType: 'application/apply-patch+yaml',
    },
  },
  {
    name: 'apply without force',
    call: (t) => t.apply('/x', OBJECT, 'a', { force: false }),
    request: {
      method: 'PATCH',
      path: '/x?fieldManager=a&force=false',
      body: JSON.stringify(OBJECT),
      contentType: 'application/apply-patch+yaml',
    },
  },
  {
    name: 'delete',
    call: (t) => t.delete('/x'),
    request: {
      method: 'DELETE',
      path: '/x',
      body: '{"apiVersion":"v1","kind":"DeleteOptions"}',
      contentType: JSON_BODY,
    },
  },
  {
    name: 'delete what was read',
    call: (t) => t.delete('/x', { uid: 'u1' }),
    request: {
      method: 'DELETE',
      path: '/x',
      body: '{"apiVersion":"v1","kind":"DeleteOptions","preconditions":{"uid":"u1"}}',
      contentType: JSON_BODY,
    },
  },
])('$name is one request', async ({ call, request }) => {
  const { transport, sent, how } = over([{}]);
  await call(transport);
  expect(sent).toStrictEqual([request]);
  expect(how).toStrictEqual([{ timeoutMs: 5_000, listenMs: 0, freshToken: false, now: 0 }]);
});

test.each([
  { name: 'with nothing said, up to four tries, ever longer apart', headers: {}, slept: [100, 200, 400] },
  { name: 'as the server asks', headers: { 'retry-after': '2' }, slept: [2_000, 2_000, 2_000] },
  { name: 'five seconds at most', headers: { 'retry-after': '9' }, slept: [5_000, 5_000, 5_000] },
  { name: 'not by what is no number', headers: { 'retry-after': 'soon' }, slept: [100, 200, 400] },
  { name: 'not by zero', headers: { 'retry-after': '0' }, slept: [100, 200, 400] },
])('a busy server is asked again: $name', async ({ headers, slept }) => {
  const wire = over([{ status: 503, headers, body: 'x'.repeat(300) }], { deadline: 60_000 });
  await expect(wire.transport.get('/x')).rejects.toMatchObject({
    message: `GET /x: 503 Unknown: ${'x'.repeat(200)}`,
    status: 503,
  });
  expect(wire.slept).toEqual(slept);
});

test.each([429, 500, 502, 503, 504])('%d passes', async (status) => {
  expect(await over([{ status, body: '{}' }, {}]).transport.get('/x')).toEqual(OBJECT);
});

test.each([300, 400, 403, 404, 409, 410, 501])('%d does not', async (status) => {
  const { transport, sent } = over([{ status, body: '{"reason":"R","message":"m"}' }]);
  await expect(transport.get('/x')).rejects.toThrow(`GET /x: ${status} R: m`);
  expect(sent).toHaveLength(1);
});

test.each(['null', '3', '', '{'])('%j is no answer, and is shown in part', async (body) => {
  await expect(over([{ body }], { maxTries: 1 }).transport.get('/x')).rejects.toThrow(
    `GET /x: 200 Unreadable: not an object in JSON: ${body}`,
  );
  await expect(over([{ body: 'x'.repeat(300) }], { maxTries: 1 }).transport.get('/x')).rejects.toThrow(/JSON: x{200}$/);
});

describe('a server that does not answer', () => {
  const [gone, dead] = [
    new NoResponseError(new Error('ECONNREFUSED'), false),
    new NoResponseError(new Error('EPIPE'), true),
  ];
  const late = new NoResponseError(new Error('late'), false, true);

  test.each([
    { name: 'is looked up again', answer: gone, lookups: 3, reason: 'Unreachable' },
    { name: 'is not, if the connection was an old one', answer: dead, lookups: 0, reason: 'Unreachable' },
    { name: 'is not, if it is slow', answer: late, lookups: 0, reason: 'TooSlow' },
    { name: 'is looked up after any failure', answer: new Error('odd'), lookups: 3, reason: 'Unreachable' },
  ])('$name', async ({ answer, lookups, reason }) => {
    const until: number[] = [];
    const wire = over([answer], { deadline: 60_000 }, async (at) => void until.push(at));
    await expect(wire.transport.get('/x')).rejects.toMatchObject({ status: 0, reason, cause: answer });
    expect([wire.sent.length, until]).toEqual([4, Array(lookups).fill(60_000)]);
  });

  test('is asked again where it cannot be looked up', async () => {
    expect(await over([gone, {}]).transport.get('/x')).toEqual(OBJECT);
  });

  test('is an error that names it, with what came of it', async () => {
    await expect(over([gone], { maxTries: 1 }).transport.get('/x')).rejects.toThrow(
      'GET /x: Unreachable: https://cluster: ECONNREFUSED',
    );
    await expect(over([late], { maxTries: 1 }).transport.get('/x')).rejects.toThrow(
      'GET /x: TooSlow: https://cluster is too slow: no response within 0.0 s',
    );
  });

  test('is said to be slow where its slowest response took a second', async () => {
    for (const { ms, pace } of [
      { ms: 999, pace: '' },
      { ms: 1_000, pace: '; its slowest response took 1.0 s' },
    ]) {
      let now = 0;
      const wire = over([{}, late], { now: () => now, maxTries: 1, deadline: 60_000, budgetMs: 50_000 });
      const answered = wire.transport.get('/x');
      now = ms;
      await answered;
      const message = await wire.transport.get('/x').catch((error: Error) => error.message);
      expect(message).toBe(`GET /x: TooSlow: https://cluster is too slow: no response within 0.0 s${pace}`);
      now = 60_000;
      await expect(wire.transport.get('/x')).rejects.toThrow(
        new RegExp(`^GET /x: DeadlineExceeded: no time is left for this call${pace}$`),
      );
    }
  });
});

test('a token that is refused is renewed once, whatever the number of tries', async () => {
  const { transport, how, slept } = over([{ status: 401, body: '{}' }, {}], { maxTries: 1 });
  await transport.get('/x');
  expect(how.map(({ freshToken }) => freshToken)).toEqual([false, true]);
  expect(slept).toEqual([100]);
});

test.each([
  { name: 'without a deadline, five seconds', options: {}, ms: 5_000 },
  { name: 'with one, twenty', options: { deadline: 600_000 }, ms: 20_000 },
  { name: 'as it is told', options: { timeoutMs: 70 }, ms: 70 },
  { name: 'no longer than its budget', options: { budgetMs: 30 }, ms: 30 },
])('a try waits $name', async ({ options, ms }) => {
  const { transport, how } = over([{}], options);
  await transport.get('/x');
  expect(how[0]?.timeoutMs).toBe(ms);
});

test('all tries of a call without a deadline take twelve seconds', async () => {
  let now = 0;
  const sleep = async (ms: number) => {
    now += ms;
  };
  const options = { now: () => now, sleep, maxTries: 99 };
  const { transport, sent } = over([{ status: 503, headers: { 'retry-after': '5' }, body: '{}' }], options);
  await expect(transport.get('/x')).rejects.toThrow('503');
  expect([sent.length, now]).toEqual([3, 10_000]);
});
