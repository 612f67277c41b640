import { deployPorts } from '../../../lambdas/deploy/deploy-ports';
import { sendCfnResponse } from '../../../lambdas/deploy/protocol/cfn-response';
import {
  type CustomResourceHandler,
  type CustomResourcePorts,
  customResource,
  NOT_CREATED,
} from '../../../lambdas/deploy/protocol/custom-resource';
import { type LoopbackServer, loopbackServer } from '../../fakes/loopback-server';
import { memoryLog, request, STACK } from './requests';

const fails: CustomResourceHandler = async () => Promise.reject(new Error('cluster demo refuses us'));
const works: CustomResourceHandler = async () => ({ physicalResourceId: 'thing', data: { Version: '1.35' } });

async function responseTo(
  handle: CustomResourceHandler,
  event: ReturnType<typeof request>,
  ports: Partial<CustomResourcePorts> = {},
): Promise<Record<string, unknown>> {
  const sent: string[] = [];
  const send = async (url: string, body: string) => {
    sent.push(`${url} ${body}`);
  };
  const all = { send, stackStatus: async () => 'UPDATE_IN_PROGRESS', log: memoryLog(), ...ports };
  await customResource(handle, all, { Version: 'unknown' })(event);
  expect(sent).toHaveLength(1);
  const [url, body] = sent[0]?.split(/ (.*)/s) ?? [];
  expect(url).toBe(event.ResponseURL);
  return JSON.parse(body ?? '');
}

const SAME = { StackId: STACK, RequestId: '8b7d2f2e', LogicalResourceId: 'Thing' };
const ROLLING_BACK = { stackStatus: async () => 'UPDATE_ROLLBACK_IN_PROGRESS' };
const UNKNOWN = { stackStatus: async () => Promise.reject(new Error('AccessDenied')) };
const FAILED = { ...SAME, Status: 'FAILED', PhysicalResourceId: 'thing', Reason: 'cluster demo refuses us' };
const SUCCESS = { ...SAME, Status: 'SUCCESS', PhysicalResourceId: 'thing' };
test.each([
  { name: 'a success with id and attributes', handle: works, response: { ...SUCCESS, Data: { Version: '1.35' } } },
  { name: 'a failure with its message', type: 'Update' as const, response: FAILED },
  { name: 'a failed creation with an id that says so', response: { ...FAILED, PhysicalResourceId: NOT_CREATED } },
  { name: 'a failed deletion of what was created', type: 'Delete' as const, response: FAILED },
  // Or the stack would be stuck.
  {
    name: 'a failure while an update is rolled back as a success',
    type: 'Update' as const,
    ports: ROLLING_BACK,
    response: { ...SUCCESS, Data: { Version: 'unknown' } },
  },
  { name: 'a failure in a stack of unknown status', type: 'Update' as const, ports: UNKNOWN, response: FAILED },
])('answers $name', async ({ type = 'Create' as const, handle = fails, ports, response }) => {
  await expect(responseTo(handle, request(type), ports)).resolves.toEqual(response);
});

test('answers the deletion of what could not be created without asking anybody', async () => {
  const event = request('Delete', {}, { PhysicalResourceId: NOT_CREATED });
  const handle = jest.fn(fails);
  await expect(responseTo(handle, event)).resolves.toEqual({ ...SUCCESS, PhysicalResourceId: NOT_CREATED });
  expect(handle).not.toHaveBeenCalled();
});

test('a handler must be done in time for the response, before Lambda kills the function', async () => {
  const deadlines: number[] = [];
  const handle: CustomResourceHandler = async (event, deadline) => {
    deadlines.push(deadline);
    return works(event, deadline);
  };
  const ports = { send: async () => {}, stackStatus: async () => '', log: memoryLog() };
  const started = Date.now();
  await customResource(handle, ports)(request('Create'), { getRemainingTimeInMillis: () => 480_000 });
  const [deadline = 0] = deadlines;
  expect(deadline - started).toBeGreaterThan(410_000);
  expect(deadline - Date.now()).toBeLessThanOrEqual(420_000);
});

test('a long reason is cut, since CloudFormation takes 4 KB', async () => {
  const long: CustomResourceHandler = async () => Promise.reject(new Error('x'.repeat(10_000)));
  const response = await responseTo(long, request('Update'));
  expect(JSON.stringify(response).length).toBeLessThan(4_096);
});

test('reads the status of the stack from CloudFormation, where the endpoint of an emulator counts', async () => {
  const stacks = await loopbackServer((_request, response) => {
    response.end('<StackStatus>UPDATE_ROLLBACK_IN_PROGRESS</StackStatus>');
  });
  const { env } = process;
  const credentials = { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' };
  process.env = { ...env, ...credentials, AWS_REGION: 'eu-west-1', AWS_ENDPOINT_URL_CLOUDFORMATION: stacks.url };
  try {
    await expect(deployPorts.stackStatus(STACK)).resolves.toBe('UPDATE_ROLLBACK_IN_PROGRESS');
  } finally {
    process.env = env;
    await stacks.close();
  }
});

describe('the response', () => {
  let server: LoopbackServer;
  let statuses: readonly number[];
  const waits: number[] = [];
  const sleep = async (ms: number) => {
    waits.push(ms);
  };

  beforeEach(async () => {
    waits.length = 0;
    server = await loopbackServer((_request, response, count) => {
      response.writeHead(statuses[count - 1] ?? 200);
      response.end('<Error/>');
    });
  });
  afterEach(() => server.close());

  test('is put with an empty content type, as the URL is signed', async () => {
    statuses = [200];
    await sendCfnResponse(`${server.url}/bucket/key?signature=secret`, '{"Status":"SUCCESS"}', sleep);
    expect(server.seen).toMatchObject([
      {
        method: 'PUT',
        url: '/bucket/key?signature=secret',
        body: '{"Status":"SUCCESS"}',
        headers: { 'content-type': '', 'content-length': '20' },
      },
    ]);
  });

  test('is tried again when S3 is busy', async () => {
    statuses = [503, 500, 200];
    await sendCfnResponse(server.url, '{}', sleep);
    expect(server.seen).toHaveLength(3);
    expect(waits).toEqual([1_000, 2_000]);
  });

  test('fails in the end, without the signature in the message', async () => {
    statuses = [403, 403, 403, 403, 403];
    const put = sendCfnResponse(`${server.url}/key?signature=secret`, '{}', sleep);
    await expect(put).rejects.toThrow(
      /^CloudFormation did not accept the response at http:\/\/127.*: 403 <Error\/>; a function in a VPC needs a way to S3/,
    );
    await expect(put).rejects.not.toThrow(/secret/);
  });

  test('is not sent over plain HTTP', async () => {
    await expect(sendCfnResponse('http://cloudformation.example/key', '{}', sleep)).rejects.toThrow(
      'plain HTTP is for loopback only, got http://cloudformation.example; use https',
    );
  });
});
