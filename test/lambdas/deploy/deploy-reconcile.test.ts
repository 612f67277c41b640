import {
  type DeployReconcilePorts,
  handleDeployReconcile,
} from '../../../lambdas/deploy/handlers/handle-deploy-reconcile';
import type { ClusterDescription } from '../../../shared/adapters/aws/describe-cluster';
import { functionError } from '../../../shared/adapters/aws/invoke-function';
import { withClusterErrorType } from '../../../shared/adapters/kube/cluster-error';
import { KubeError } from '../../../shared/adapters/kube/kube-error';
import { messageOf } from '../../../shared/core/basics/errors';
import { parseEvent } from '../../../shared/core/events/parse-event';
import { golden } from '../../golden/golden';
import { OPEN } from './facts';
import { fakeClock, memoryLog, request } from './requests';

const said = golden(`${__dirname}/deploy-reconcile.txt`);
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

const LIMITED: Partial<ClusterDescription> = { publicCidrs: ['203.0.113.0/24', '198.51.100.7/32'] };
const lambda = (error: object) => functionError(JSON.stringify(error));
const OUT_OF_TIME = lambda({ errorMessage: '2026-03-02T03:00:00Z 5f1 Task timed out after 60.00 seconds' });
const SANDBOX = lambda({ errorType: 'Sandbox.Timedout', errorMessage: 'RequestId: 5f1 Error: Task timed out' });
const NO_KARPENTER = failed(404, 'NotFound', 'not served', '/apis/karpenter.sh/v1/nodepools');
const INVALID = failed(422, 'Invalid', 'spec.template: invalid');
const IN_VPC = { placed: 'true' };
test.each([
  { name: 'a private endpoint without vpc', outcome: TIMED_OUT, facts: { publicAccess: false } },
  { name: 'an endpoint that admits some addresses', outcome: TIMED_OUT, facts: LIMITED },
  { name: 'the same without private access', outcome: TIMED_OUT, facts: { ...LIMITED, privateAccess: false } },
  { name: 'an open endpoint', outcome: TIMED_OUT },
  { name: 'a function that ran out of time', outcome: OUT_OF_TIME, facts: { publicAccess: false } },
  { name: 'the same as Lambda names it', outcome: SANDBOX, facts: { publicAccess: false } },
  { name: 'a security group in the way', outcome: TIMED_OUT, properties: IN_VPC },
  {
    name: 'a VPC without a way to the public endpoint',
    outcome: TIMED_OUT,
    properties: IN_VPC,
    facts: { privateAccess: false },
  },
  { name: 'a missing access entry', outcome: UNAUTHORIZED },
  { name: 'authentication mode CONFIG_MAP', outcome: UNAUTHORIZED, facts: { authenticationMode: 'CONFIG_MAP' } },
  { name: 'manual access without the mapping', outcome: UNAUTHORIZED, properties: { access: 'manual' } },
  { name: 'RBAC that refuses', outcome: FORBIDDEN },
  { name: 'RBAC that refuses with manual access', outcome: FORBIDDEN, properties: { access: 'manual' } },
  { name: 'a cluster without Karpenter', outcome: NO_KARPENTER },
  { name: 'anything else, as it is', outcome: INVALID },
  { name: 'EKS that cannot be asked', outcome: TIMED_OUT, facts: undefined },
  { name: 'a function that does not exist', outcome: new Error('Function not found') },
  { name: 'a rejected event', outcome: { rejected: 'event is not for this function' } },
])('fails the deploy with cause and fix: $name', async ({ name, outcome, properties, ...row }) => {
  const { facts } = { facts: {}, ...row };
  const describe = async () => (facts ? { ...OPEN, ...facts } : Promise.reject(new Error('no way to EKS')));
  const failure = handle(request('Create', { ...PROPERTIES, ...properties }), [outcome], { describe });
  said(name, await failure.then(JSON.stringify, messageOf));
  expect(clock.passed()).toBeLessThanOrEqual(120_000);
});

test('Karpenter that a person installs after the deploy does not fail it', async () => {
  const event = request('Create', { ...PROPERTIES, karpenterLater: 'true' });
  await expect(handle(event, [NO_KARPENTER])).resolves.toMatchObject({
    data: { Outcome: 'Karpenter is not installed yet; the heartbeat takes over then' },
  });
});

test('deleting invokes nothing', async () => {
  const invoke = async () => Promise.reject(new Error('not invoked'));
  await expect(handle(request('Delete', PROPERTIES), [], { invoke })).resolves.toEqual({ physicalResourceId: 'thing' });
});
