import https from 'node:https';
import { stackStatus } from '../../../../shared/adapters/aws/stack-status';
import { type LoopbackServer, loopbackServer } from '../../../fakes/loopback-server';

const STACK = 'arn:aws:cloudformation:ap-northeast-2:123456789012:stack/demo/1';
const DENIED = '<ErrorResponse><Error><Code>AccessDenied</Code></Error></ErrorResponse>';
const FOUND = '<DescribeStacksResponse><StackStatus>UPDATE_ROLLBACK_IN_PROGRESS</StackStatus></DescribeStacksResponse>';

let server: LoopbackServer;
afterEach(() => {
  jest.restoreAllMocks();
  return server.close();
});

async function asked(answers: readonly { readonly status: number; readonly body: string }[]) {
  let calls = 0;
  const waited: number[] = [];
  server = await loopbackServer((_seen, response) => {
    const { status, body } = answers[Math.min(calls++, answers.length - 1)] ?? { status: 500, body: '' };
    response.writeHead(status, { 'content-type': 'text/xml' });
    response.end(body);
  });
  const status = stackStatus(STACK, {
    region: 'ap-northeast-2',
    credentials: async () => ({ accessKeyId: 'a', secretAccessKey: 'b' }),
    endpoint: server.url,
    sleep: async (ms) => {
      waited.push(ms);
    },
  });
  return { status: await status.catch((error: Error) => error.message), waited, seen: server.seen };
}

test.each([
  { name: 'a policy that is not known yet', status: 403, body: DENIED },
  { name: 'too many calls', status: 400, body: '<Error><Code>Throttling</Code></Error>' },
  { name: 'a failure of CloudFormation', status: 503, body: '' },
])('$name does not hide that an update is rolled back', async ({ status, body }) => {
  const refused = { status, body };
  await expect(asked([refused, refused, refused, { status: 200, body: FOUND }])).resolves.toMatchObject({
    status: 'UPDATE_ROLLBACK_IN_PROGRESS',
    waited: [1_000, 2_000, 4_000],
  });
});

test('a call that never works ends after a few tries, with the answer', async () => {
  const { status, waited } = await asked([{ status: 403, body: DENIED }]);
  expect(status).toMatch(/^DescribeStacks arn:.*: 403 .*AccessDenied/);
  expect(waited.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(15_000);
});

test('asks CloudFormation for the stack, with a signed call', async () => {
  const { seen } = await asked([{ status: 200, body: FOUND }]);
  const [{ method, url } = { method: '', url: '' }] = seen;
  expect(method).toBe('GET');
  expect(Object.fromEntries(new URL(url, 'http://x').searchParams)).toMatchObject({
    Action: 'DescribeStacks',
    Version: '2010-05-15',
    StackName: STACK,
    'X-Amz-Credential': expect.stringMatching(/^a\/\d{8}\/ap-northeast-2\/cloudformation\/aws4_request$/),
    'X-Amz-Expires': '60',
  });
});

test.each([
  { name: 'a status that comes with an error', status: 500, body: FOUND },
  { name: 'an answer without a status', status: 200, body: '<html>please log in</html>' },
])('$name is not believed', async ({ status, body }) => {
  expect((await asked([{ status, body }])).status).toBe(`DescribeStacks ${STACK}: ${status} ${body}`);
});

test('of a long answer the message shows the beginning', async () => {
  expect((await asked([{ status: 500, body: 'x'.repeat(300) }])).status).toBe(
    `DescribeStacks ${STACK}: 500 ${'x'.repeat(200)}`,
  );
});

test('asks the CloudFormation of its region', async () => {
  const hosts: string[] = [];
  jest.spyOn(https, 'request').mockImplementation((url) => {
    hosts.push(new URL(String(url)).host);
    throw new Error('no network');
  });
  const credentials = async () => ({ accessKeyId: 'a', secretAccessKey: 'b' });
  const status = stackStatus(STACK, { region: 'cn-north-1', credentials, sleep: async () => {} });
  await expect(status).rejects.toThrow('no network');
  expect(new Set(hosts)).toEqual(new Set(['cloudformation.cn-north-1.amazonaws.com.cn']));
});
