import {
  type DeployReconcilePorts,
  handleDeployReconcile,
} from '../../../lambdas/deploy/handlers/handle-deploy-reconcile';
import type { ClusterDescription } from '../../../shared/adapters/aws/describe-cluster';
import { functionError } from '../../../shared/adapters/aws/invoke-function';
import { withClusterErrorType } from '../../../shared/adapters/kube/cluster-error';
import { KubeError } from '../../../shared/adapters/kube/kube-error';
import { parseEvent } from '../../../shared/core/events/parse-event';
import { OPEN } from './facts';
import { fakeClock, memoryLog, request } from './requests';

const PROPERTIES = { functionName: 'reconcile', configHash: 'abc', karpenterLater: 'false' };
const DECISION = { reasons: [], change: 'created' };
const RETURNED = {
  at: '2026-03-02T03:00:00.000Z',
  decisions: [
    { ...DECISION, headroom: 'default', from: 0, replicas: 6 },
    { ...DECISION, headroom: 'service', from: 2, replicas: 2 },
  ],
};

/** As Lambda tells how the reconcile function failed: by name and message of what it threw, and no more. */
function failed(
  status: number,
  reason: string,
  message: string,
  path = '/apis/apps/v1/namespaces/headroom/deployments',
): Error {
  const cause = new KubeError({ method: 'GET', path }, status, reason, message);
  const thrown = new Error(`reading the headroom of NodePools default: ${cause.message}`, { cause });
  const { name, message: errorMessage } = withClusterErrorType(thrown) as Error;
  return functionError(JSON.stringify({ errorType: name, errorMessage, trace: [] }));
}
const TIMED_OUT = failed(0, 'Unreachable', 'https://x: no response within 10000 ms');
const UNAUTHORIZED = failed(401, 'Unauthorized', 'Unauthorized');
const FORBIDDEN = failed(403, 'Forbidden', 'deployments.apps is forbidden');

let clock: ReturnType<typeof fakeClock>;
beforeEach(() => {
  clock = fakeClock();
});

function handle(
  event: ReturnType<typeof request>,
  outcomes: readonly unknown[],
  more: Partial<DeployReconcilePorts> = {},
) {
  let count = 0;
  const invoke = async () => {
    const outcome = outcomes[Math.min(count++, outcomes.length - 1)];
    if (outcome instanceof Error) throw outcome;
    return outcome;
  };
  return handleDeployReconcile(event, {
    invoke,
    describe: async () => OPEN,
    now: clock.now,
    sleep: clock.sleep,
    log: memoryLog(),
    deadline: Number.POSITIVE_INFINITY,
    ...more,
  });
}

test('invokes the function with an event that it understands', async () => {
  const invoked: unknown[] = [];
  const invoke = async (functionName: string, region: string, event: unknown) => {
    invoked.push([functionName, region]);
    expect(parseEvent(event, 0)).toEqual({ kind: 'tick', trigger: 'deploy', at: clock.now() });
    return RETURNED;
  };
  await expect(handle(request('Create', PROPERTIES), [], { invoke })).resolves.toEqual({
    physicalResourceId: 'deploy-reconcile-demo',
    data: { Outcome: 'default 0 -> 6, service 2' },
  });
  expect(invoked).toEqual([['reconcile', 'ap-northeast-2']]);
});

test.each([
  { name: 'an access entry that is not known yet', first: UNAUTHORIZED },
  { name: 'rights that are not known yet', first: FORBIDDEN },
  {
    name: 'a policy that is not known yet',
    first: Object.assign(new Error('User: x is not authorized to perform: lambda:InvokeFunction'), {
      name: 'AccessDeniedException',
    }),
  },
])('waits out $name', async ({ first }) => {
  await expect(handle(request('Create', PROPERTIES), [first, first, RETURNED])).resolves.toHaveProperty('data');
  expect(clock.passed()).toBe(2_000 + 4_000);
});

const PRIVATE: Partial<ClusterDescription> = { publicAccess: false };
const LIMITED: Partial<ClusterDescription> = { publicCidrs: ['203.0.113.0/24', '198.51.100.7/32'] };
test.each([
  {
    name: 'a private endpoint without vpc',
    outcome: TIMED_OUT,
    facts: PRIVATE,
    message: /^cluster demo has a private endpoint only.*write cluster\.vpc: .* of vpc-0a1b \(reading the headroom/,
  },
  {
    name: 'an endpoint that admits some addresses',
    outcome: TIMED_OUT,
    facts: LIMITED,
    message:
      /^the public endpoint of cluster demo admits only 203\.0\.113\.0\/24, 198\.51\.100\.7\/32, and functions outside of a VPC have no fixed address; write cluster\.vpc: \{subnetIds: \[\.\.\.\]\} with private subnets of vpc-0a1b \(/,
  },
  {
    name: 'the same without private access',
    outcome: TIMED_OUT,
    facts: { ...LIMITED, privateAccess: false },
    message: /of vpc-0a1b and turn on private endpoint access \(/,
  },
  {
    name: 'a function that ran out of time',
    outcome: functionError('{"errorMessage":"2026-03-02T03:00:00Z 5f1 Task timed out after 60.00 seconds"}'),
    facts: PRIVATE,
    message: /^cluster demo has a private endpoint only/,
  },
  {
    name: 'a function that ran out of time, as Lambda names it',
    outcome: functionError('{"errorType":"Sandbox.Timedout","errorMessage":"RequestId: 5f1 Error: Task timed out"}'),
    facts: PRIVATE,
    message: /^cluster demo has a private endpoint only/,
  },
  {
    name: 'a security group in the way',
    outcome: TIMED_OUT,
    properties: { placed: 'true' },
    facts: {},
    message: /security group sg-0c2d must admit port 443 from the functions' security group/,
  },
  {
    name: 'a VPC without a way to the public endpoint',
    outcome: TIMED_OUT,
    properties: { placed: 'true' },
    facts: { privateAccess: false },
    message: /turn on private endpoint access, or give the subnets a NAT gateway/,
  },
  {
    name: 'a missing access entry',
    outcome: UNAUTHORIZED,
    facts: {},
    message: /^cluster demo does not know the function's role; its access entry is missing/,
  },
  {
    name: 'authentication mode CONFIG_MAP',
    outcome: UNAUTHORIZED,
    facts: { authenticationMode: 'CONFIG_MAP' },
    message: /^cluster demo has authentication mode CONFIG_MAP/,
  },
  {
    name: 'RBAC that refuses',
    outcome: FORBIDDEN,
    facts: {},
    message: /^cluster demo refuses this to the function's role; .* \(.*deployments\.apps is forbidden\)$/,
  },
  {
    name: 'a cluster without Karpenter',
    outcome: failed(
      404,
      'NotFound',
      'the server could not find the requested resource',
      '/apis/karpenter.sh/v1/nodepools',
    ),
    facts: {},
    message: /^cluster demo does not serve karpenter\.sh\/v1; install Karpenter 1\.0 or newer/,
  },
  {
    name: 'anything else, as it is',
    outcome: failed(422, 'Invalid', 'spec.template: invalid'),
    facts: {},
    message: /^reading the headroom of NodePools default: GET .*: 422 Invalid: spec\.template: invalid$/,
  },
])('fails the deploy with cause and fix: $name', async ({ outcome, facts, message, properties }) => {
  const event = request('Create', { ...PROPERTIES, ...properties });
  const describe = async () => ({ ...OPEN, ...facts });
  await expect(handle(event, [outcome], { describe })).rejects.toThrow(message);
  expect(clock.passed()).toBeLessThanOrEqual(120_000);
});

test('says what it can when EKS cannot be asked', async () => {
  const describe = async () => Promise.reject(new Error('no way to EKS'));
  await expect(handle(request('Create', PROPERTIES), [TIMED_OUT], { describe })).rejects.toThrow(
    /^the functions cannot reach cluster demo; if its endpoint is private or admits only some addresses, write cluster\.vpc/,
  );
});

test('a function that cannot be invoked fails the deploy', async () => {
  const invoke = async () => Promise.reject(new Error('Function not found'));
  await expect(handle(request('Create', PROPERTIES), [], { invoke })).rejects.toThrow('Function not found');
});

test('a rejected event fails the deploy', async () => {
  const rejected = { rejected: 'event is not for this function' };
  await expect(handle(request('Create', PROPERTIES), [rejected])).rejects.toThrow('event is not for this function');
});

test('Karpenter that a person installs after the deploy does not fail it', async () => {
  const event = request('Create', { ...PROPERTIES, karpenterLater: 'true' });
  const missing = failed(404, 'NotFound', 'not served', '/apis/karpenter.sh/v1/nodepools');
  await expect(handle(event, [missing])).resolves.toMatchObject({
    data: { Outcome: 'Karpenter is not installed yet; the heartbeat takes over then' },
  });
});

test('deleting invokes nothing', async () => {
  const invoke = async () => Promise.reject(new Error('not invoked'));
  await expect(handle(request('Delete', PROPERTIES), [], { invoke })).resolves.toEqual({ physicalResourceId: 'thing' });
});
