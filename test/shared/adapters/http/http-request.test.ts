import { httpRequest, type NoResponseError } from '../../../../shared/adapters/http/http-request';
import { json, loopbackServer } from '../../../fakes/loopback-server';

const GET = { method: 'GET', headers: {}, timeoutMs: 5_000 } as const;
const failureOf = (response: Promise<unknown>) =>
  response.then(
    () => undefined,
    (error: unknown) => error as NoResponseError,
  );

describe('a server that answers late', () => {
  const late = () => loopbackServer((_seen, response) => void setTimeout(() => json(response, 200, { a: 1 }), 150));

  test('is an error that says so', async () => {
    const server = await late();
    const failure = await failureOf(httpRequest(new URL(server.url), { ...GET, timeoutMs: 50 }));
    expect(failure).toMatchObject({ message: 'no response within 50 ms', timedOut: true });
    await server.close();
  });

  test('is still listened to, for as long as it was asked for', async () => {
    const server = await late();
    const failure = await failureOf(httpRequest(new URL(server.url), { ...GET, timeoutMs: 50, listenMs: 4_000 }));
    expect(failure).toMatchObject({ message: 'no response within 50 ms', timedOut: true });
    await expect(failure?.late).resolves.toMatchObject({ status: 200, body: '{"a":1}' });
    await server.close();
  });

  test('is not listened to any longer', async () => {
    const server = await late();
    const failure = await failureOf(httpRequest(new URL(server.url), { ...GET, timeoutMs: 20, listenMs: 40 }));
    await expect(failure?.late).rejects.toThrow('no response within 20 ms');
    await server.close();
  });
});
