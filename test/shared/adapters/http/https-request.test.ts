import { EventEmitter } from 'node:events';
import https from 'node:https';
import { httpRequest, NoResponseError, refusePlainHttp } from '../../../../shared/adapters/http/http-request';

const GET = { method: 'GET', headers: { a: 'b' }, timeoutMs: 5_000 } as const;
const MAX_BYTES = 256 * 1024 * 1024;
afterEach(() => jest.restoreAllMocks());

/** A request on a wire of the test's own: what it was asked, and the two ends of it. */
function wire(headers: Readonly<Record<string, string>> = {}, statusCode: number | undefined = 200) {
  const outgoing = Object.assign(new EventEmitter(), { reusedSocket: true, destroy: jest.fn(), end: jest.fn() });
  const incoming = Object.assign(new EventEmitter(), { statusCode, headers, destroy: jest.fn() });
  let answer: (response: unknown) => void = () => {};
  const request = jest.spyOn(https, 'request').mockImplementation(((...args: unknown[]) => {
    answer = args[2] as typeof answer;
    return outgoing;
  }) as never);
  return { request, outgoing, incoming, answer: () => answer(incoming) };
}
const failureOf = (response: Promise<unknown>) => response.catch((error: NoResponseError) => error);

test('a body is sent with its length in bytes, and an answer is put together from its parts', async () => {
  const { request, outgoing, incoming, answer } = wire({ x: 'y' });
  const response = httpRequest(new URL('https://cluster/x'), { ...GET, body: 'ü' });
  answer();
  const bytes = Buffer.from('ö');
  for (const part of [bytes.subarray(0, 1), bytes.subarray(1)]) incoming.emit('data', part);
  incoming.emit('end');
  outgoing.emit('close');
  expect(await response).toEqual({ status: 200, headers: { x: 'y' }, body: 'ö' });
  expect(request.mock.calls[0]?.[1]).toEqual({ method: 'GET', headers: { a: 'b', 'content-length': 2 } });
  expect(outgoing.end).toHaveBeenCalledWith('ü');
});

test('without a body there is no length, and an answer without a status has none', async () => {
  const { request, outgoing, incoming, answer } = wire({}, undefined);
  Object.assign(incoming, { statusCode: undefined });
  const response = httpRequest(new URL('https://cluster/x'), GET);
  answer();
  incoming.emit('end');
  outgoing.emit('close');
  expect(await response).toEqual({ status: 0, headers: {}, body: '' });
  expect(request.mock.calls[0]?.[1]).toEqual({ method: 'GET', headers: { a: 'b' } });
});

test('an answer that would fill the memory is cut off', async () => {
  const { outgoing, incoming, answer } = wire();
  const failure = failureOf(httpRequest(new URL('https://cluster/x'), GET));
  answer();
  incoming.emit('data', { length: MAX_BYTES });
  expect(incoming.destroy).not.toHaveBeenCalled();
  incoming.emit('data', { length: 1 });
  const cause = new Error(`response is longer than ${MAX_BYTES} bytes`);
  expect(incoming.destroy).toHaveBeenCalledWith(cause);
  incoming.emit('error', cause);
  outgoing.emit('close');
  const error = await failure;
  expect(error).toBeInstanceOf(NoResponseError);
  expect(error).toMatchObject({
    name: 'NoResponseError',
    message: cause.message,
    cause,
    reusedConnection: true,
    timedOut: false,
    late: undefined,
  });
});

test('a failure to connect is one, and leaves no timer behind', async () => {
  const cleared = jest.spyOn(globalThis, 'clearTimeout');
  const { outgoing } = wire();
  const failure = failureOf(httpRequest(new URL('https://cluster/x'), GET));
  outgoing.emit('error', new Error('ECONNREFUSED'));
  outgoing.emit('close');
  expect(await failure).toMatchObject({ message: 'ECONNREFUSED', reusedConnection: true });
  expect(cleared).toHaveBeenCalledTimes(1);
});

test.each(['http://127.0.0.1:1', 'http://[::1]:1', 'http://localhost:1', 'https://cluster'])(
  '%s may be asked',
  (url) => {
    expect(() => refusePlainHttp(new URL(url))).not.toThrow();
  },
);

test('plain HTTP beyond loopback may not', () => {
  expect(() => refusePlainHttp(new URL('http://cluster/x'))).toThrow(
    'plain HTTP is for loopback only, got http://cluster; use https',
  );
});
