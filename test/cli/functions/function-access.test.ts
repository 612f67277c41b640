import { json, type LoopbackServer, loopbackServer } from '../../fakes/loopback-server';
import { golden } from '../../golden/golden';
import { fakeTerminal } from '../run-cli';
import { inFolder, session, typed, useAws } from '../session';

inFolder({ 'headroom.yaml': 'cluster: {name: shop, region: ap-northeast-2}\nnodePools: {default: {max: 8}}\n' });
const said = golden(`${__dirname}/function-access.txt`);
const STATUS = {
  at: '2026-11-16T11:00:00.000Z',
  status: [
    {
      headroom: 'default',
      wanted: 6,
      replicas: 6,
      ready: 6,
      shortfall: 0,
      reasons: ['inflated to at least 6'],
      intents: { alarms: {}, surges: {} },
    },
  ],
};
const DECISION = {
  at: '2026-11-16T11:00:00.000Z',
  decisions: [
    {
      headroom: 'default',
      replicas: 6,
      from: 0,
      change: 'resized',
      reasons: ['inflated to at least 6'],
      ready: 0,
      shortfall: 6,
    },
  ],
};

interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Record<string, string>;
}
let server: LoopbackServer;
let respond: (body: string) => Answer;
beforeAll(async () => {
  server = await loopbackServer((request, response) => {
    const { status, body, headers } = respond(request.body);
    json(response, status, body, headers);
  });
});
afterAll(() => server.close());
useAws(() => server.url);

const awsError = (status: number, type: string, Message: string): Answer => ({
  status,
  body: { Message },
  headers: { 'x-amzn-errortype': type },
});

describe('through the deployed function', () => {
  test('status and inflate invoke the function that cdk deploy named', async () => {
    respond = (body) => ({ status: 200, body: JSON.parse(body).status ? STATUS : DECISION });
    said(await session(['status', 'inflate default --nodes 6 --for 30m']));
    const calls = server.seen.map(({ url, body }) => [url, JSON.parse(body)]);
    expect(calls).toContainEqual([
      '/2015-03-31/functions/headstart-shop-inflate/invocations',
      { headroom: 'default', atLeast: 6, for: '30m', by: 'ana' },
    ]);
  });

  test.each<[string, Answer]>([
    ['rejects an override', { status: 200, body: { rejected: 'atLeast 9 is above max 8 of default' } }],
    [
      'fails',
      {
        status: 200,
        body: { errorType: 'KubeError', errorMessage: 'GET /apis: 403 Forbidden: no' },
        headers: { 'X-Amz-Function-Error': 'Unhandled' },
      },
    ],
    ['is another one that returns nothing', { status: 200, body: null }],
    ['does not exist', awsError(404, 'ResourceNotFoundException', 'Function not found')],
    ['may not be invoked', awsError(403, 'AccessDeniedException', 'not allowed')],
  ])('says what to do about a function that %s', async (_name, answer) => {
    respond = () => answer;
    said(await typed('status'));
  });

  // An HTTP stub of Lambda: no emulator has functions that are Inactive.
  describe('that was idle for weeks', () => {
    const STATE = 'The function is currently in the following state: Pending';
    const INACTIVE = awsError(502, 'ResourceNotReadyException', STATE);
    const PENDING = awsError(409, 'ResourceConflictException', STATE);

    test.each([
      ['inflate default --nodes 6 --for 30m --no-wait', DECISION],
      ['release default', DECISION],
      ['status', STATUS],
    ])('%s says what it waits for, once, and succeeds', async (line, body) => {
      const asleep = [INACTIVE, PENDING, PENDING];
      respond = () => asleep.shift() ?? { status: 200, body };
      said(await typed(line));
    });

    test('gives up after two minutes and names the other way', async () => {
      respond = () => PENDING;
      said(await typed('release default', fakeTerminal({ width: 400 })));
    });
  });
});
