import { join } from 'node:path';
import { json, type LoopbackServer, loopbackServer } from '../../fakes/loopback-server';
import { fakeTerminal, folderWith, runCli } from '../run-cli';

// Generous: the machine may be busy.
jest.setTimeout(60_000);

const CONFIG = 'cluster: {name: shop, region: ap-northeast-2}\nnodePools: {default: {max: 8}}\n';
const config = join(folderWith({ 'headroom.yaml': CONFIG }), 'headroom.yaml');
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

let server: LoopbackServer;
let respond: (body: string) => { status: number; body: unknown; headers?: Record<string, string> };
const before = { ...process.env };

beforeAll(async () => {
  server = await loopbackServer((request, response) => {
    const { status, body, headers } = respond(request.body);
    json(response, status, body, headers);
  });
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_LAMBDA: server.url,
    AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE',
    AWS_SECRET_ACCESS_KEY: 'example',
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_MAX_ATTEMPTS: '1',
  });
});
afterAll(async () => {
  await server.close();
  for (const key of Object.keys(process.env)) if (!(key in before)) delete process.env[key];
  Object.assign(process.env, before);
});

describe('through the deployed function', () => {
  test('status and inflate invoke the function that cdk deploy named', async () => {
    respond = (body) => ({ status: 200, body: JSON.parse(body).status ? STATUS : DECISION });
    const status = await runCli(['status', '-c', config], fakeTerminal({ width: 100 }));
    expect(status).toMatchObject({ code: 0, err: '' });
    expect(status.out).toContain('by function headstart-shop-inflate in ap-northeast-2');
    expect(status.out).toContain('6 of 6 nodes ready');
    const inflated = await runCli(['inflate', 'default', '--nodes', '6', '--for', '30m', '-c', config]);
    expect(inflated).toMatchObject({ code: 0, err: '' });
    expect(inflated.out).toContain('default: 6 of 6 nodes ready after 0 s');
    const calls = server.seen.map(({ url, body }) => [url, JSON.parse(body)]);
    expect(calls).toContainEqual([
      '/2015-03-31/functions/headstart-shop-inflate/invocations',
      { headroom: 'default', atLeast: 6, for: '30m', by: 'ana' },
    ]);
  });

  test.each([
    {
      name: 'an order that the function rejects is the user’s input',
      answer: { status: 200, body: { rejected: 'atLeast 9 is above max 8 of default' } },
      code: 1,
      says: 'atLeast 9 is above max 8 of default',
    },
    {
      name: 'a function that fails says so',
      answer: {
        status: 200,
        body: { errorType: 'KubeError', errorMessage: 'GET /apis: 403 Forbidden: no' },
        headers: { 'X-Amz-Function-Error': 'Unhandled' },
      },
      code: 2,
      says: 'function headstart-shop-inflate in ap-northeast-2 failed: GET /apis: 403 Forbidden: no; see its log',
    },
    {
      name: 'another function that returns nothing says what to check',
      answer: { status: 200, body: null },
      code: 2,
      says: "returned no status; check that it is Headstart's inflate function",
    },
    {
      name: 'a function that is not there says what to run',
      answer: {
        status: 404,
        body: { Type: 'User', Message: 'Function not found' },
        headers: { 'x-amzn-errortype': 'ResourceNotFoundException' },
      },
      code: 2,
      says: 'does not exist in ap-northeast-2: run npx cdk deploy --all',
    },
    {
      name: 'missing rights say which',
      answer: {
        status: 403,
        body: { Message: 'not allowed' },
        headers: { 'x-amzn-errortype': 'AccessDeniedException' },
      },
      code: 2,
      says: 'ask for lambda:InvokeFunction on it',
    },
  ])('$name', async ({ answer, code, says }) => {
    respond = () => answer;
    const run = await runCli(['status', '-c', config], fakeTerminal());
    expect({ code: run.code, out: run.out }).toEqual({ code, out: '' });
    expect(run.err).toContain(says);
  });

  // An HTTP stub of Lambda: no emulator has functions that are Inactive.
  describe('that was idle for weeks', () => {
    const INACTIVE = [502, 'ResourceNotReadyException'] as const;
    const PENDING = [409, 'ResourceConflictException'] as const;
    const answer = ([status, type]: typeof INACTIVE | typeof PENDING) => ({
      status,
      body: { Message: 'The function is currently in the following state: Pending' },
      headers: { 'x-amzn-errortype': type },
    });

    test.each([
      { name: 'inflate', args: ['inflate', 'default', '--nodes', '6', '--for', '30m', '--no-wait'], body: DECISION },
      { name: 'release', args: ['release', 'default'], body: DECISION },
      { name: 'status', args: ['status'], body: STATUS },
    ])('$name says what it waits for, once, and succeeds', async ({ args, body }) => {
      const asleep = [INACTIVE, PENDING, PENDING];
      respond = () => {
        const next = asleep.shift();
        return next ? answer(next) : { status: 200, body };
      };
      const run = await runCli([...args, '-c', config], fakeTerminal({ width: 200 }));
      expect(run).toMatchObject({
        code: 0,
        err: 'function headstart-shop-inflate was idle for weeks; waiting up to two minutes until Lambda has prepared it\n',
      });
    });

    test('gives up after two minutes and names the other way', async () => {
      respond = () => answer(PENDING);
      const run = await runCli(['release', 'default', '-c', config], fakeTerminal({ width: 400 }));
      expect(run).toMatchObject({ code: 2, out: '' });
      expect(run.err).toContain('Lambda has not prepared it in time');
      expect(run.err).toContain('try again, or talk to the cluster with --kubeconfig FILE');
    });
  });
});
