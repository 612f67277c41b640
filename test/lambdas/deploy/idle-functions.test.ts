import { handler as clusterObjects } from '../../../lambdas/deploy/cluster-objects';
import { handler as deployReconcile } from '../../../lambdas/deploy/deploy-reconcile';
import { handler as relay } from '../../../lambdas/deploy/relay';
import { invokeFunction } from '../../../shared/adapters/aws/invoke-function';
import { useAws } from '../../cli/session';
import { json, type LoopbackServer, loopbackServer } from '../../fakes/loopback-server';
import { fakeClock, memoryLog, request } from './requests';

// The waits of the entry files; the clock of the others is a fake.
jest.mock('../../../shared/adapters/process/sleep', () => ({ sleep: async () => {} }));
/** Lambda's answers about a function in a VPC that was idle for weeks. An HTTP stub: no emulator has this state. */
const INACTIVE = { status: 502, type: 'ResourceNotReadyException', Message: 'Lambda is initializing your function.' };
const PENDING = {
  status: 409,
  type: 'ResourceConflictException',
  Message: 'The operation cannot be performed at this time. The function is currently in the following state: Pending',
};
type Answer = { readonly status: number; readonly type?: string; readonly Message?: string };

let aws: LoopbackServer;
let answers: readonly Answer[] = [];
let result: unknown = {};
let invocations = 0;
let sent: { readonly Status: string; readonly Reason?: string; readonly Data?: unknown } | undefined;

beforeAll(async () => {
  aws = await loopbackServer(({ url, method, body }, response) => {
    if (url.includes('/invocations')) {
      const { status, type, ...rest } = answers[invocations++] ?? { status: 200 };
      if (type === undefined) return json(response, 200, result);
      return json(response, status, rest, { 'x-amzn-errortype': type });
    }
    if (url === '/answer') sent = JSON.parse(body);
    if (url.startsWith('/clusters/'))
      return json(response, 200, method === 'GET' ? { cluster: CLUSTER } : { associatedAccessPolicies: [] });
    response.end('<StackStatus>DELETE_IN_PROGRESS</StackStatus>');
  });
});
afterAll(() => aws.close());
useAws(() => aws.url);
beforeEach(() => {
  process.env.AWS_REGION = 'ap-northeast-2';
  invocations = 0;
  answers = [INACTIVE, PENDING, PENDING];
  sent = undefined;
});

const CLUSTER = {
  status: 'ACTIVE',
  endpoint: 'https://demo.example',
  certificateAuthority: { data: 'Q0E=' },
  identity: { oidc: { issuer: 'https://oidc.example/id/CLUSTER1' } },
};
const OBJECTS = {
  clusterId: 'CLUSTER1',
  functionName: 'change-objects',
  deployer: 'arn:role',
  adminPolicy: 'arn:admin',
};

describe('an idle function in a VPC (HTTP stub of Lambda)', () => {
  test.each([
    {
      name: 'a deploy waits for change-objects',
      handler: clusterObjects,
      event: () => request('Create', OBJECTS, { ResponseURL: `${aws.url}/answer` }),
      answer: { commands: [], changed: [] },
    },
    {
      name: 'cdk destroy waits for change-objects',
      handler: clusterObjects,
      event: () =>
        request('Delete', OBJECTS, {
          ResponseURL: `${aws.url}/answer`,
          PhysicalResourceId: 'cluster-objects-demo-CLUSTER1',
        }),
      answer: { commands: [], changed: [] },
    },
    {
      name: 'a deploy waits for karpenter-check',
      handler: relay,
      event: () => request('Update', { functionName: 'check' }, { ResponseURL: `${aws.url}/answer` }),
      answer: { physicalResourceId: 'karpenter-check-demo' },
    },
    {
      name: 'a deploy waits for reconcile',
      handler: deployReconcile,
      event: () => request('Create', { functionName: 'reconcile' }, { ResponseURL: `${aws.url}/answer` }),
      answer: { decisions: [{ headroom: 'default', from: 0, replicas: 2 }] },
    },
  ])('$name', async ({ handler, event, answer }) => {
    result = answer;
    await handler(event());
    expect(sent).toMatchObject({ Status: 'SUCCESS' });
    expect(invocations).toBe(4);
  });

  /** Its clock is the real one, moved on by what is waited for. */
  const ports = () => {
    const clock = fakeClock();
    const ahead = Date.now() - clock.now();
    return { ...clock, now: () => clock.now() + ahead, log: memoryLog() };
  };
  const invoke = (given: ReturnType<typeof ports>, deadline = Number.POSITIVE_INFINITY) =>
    invokeFunction('change-objects', 'ap-northeast-2', {}, deadline, given);

  test('is waited for with one sentence in the log', async () => {
    result = { ok: true };
    const given = ports();
    await expect(invoke(given)).resolves.toEqual({ ok: true });
    expect(given.log.lines).toEqual([
      expect.stringContaining(
        'function change-objects was idle for weeks; waiting up to two minutes until Lambda has prepared it',
      ),
    ]);
  });

  test.each([
    { name: 'after two minutes', left: Number.POSITIVE_INFINITY, atLeast: 115_000, atMost: 120_000 },
    { name: 'at the deadline of the invocation', left: 30_000, atLeast: 24_000, atMost: 30_000 },
  ])('is given up $name, and the error says so', async ({ left, atLeast, atMost }) => {
    answers = Array<Answer>(100).fill(PENDING);
    const given = ports();
    const deadline = given.now() + left;
    await expect(invoke(given, deadline)).rejects.toMatchObject({
      name: 'ResourceConflictException',
      message: expect.stringMatching(/^function change-objects was idle, .* state: Pending\); try again$/),
    });
    expect(given.passed()).toBeGreaterThanOrEqual(atLeast);
    expect(given.passed()).toBeLessThanOrEqual(atMost);
  });

  test('any other error of Lambda is thrown at once', async () => {
    answers = [{ status: 404, type: 'ResourceNotFoundException', Message: 'Function not found' }];
    const given = ports();
    await expect(invoke(given)).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
    expect(given.passed()).toBe(0);
  });
});
