import type { CloudFormationCustomResourceEvent } from 'aws-lambda';
import { handleDiscoveryTags } from '../../../lambdas/deploy/handlers/handle-discovery-tags';
import { DISCOVERY_TAG, type DiscoveryRequest } from '../../../shared/core/karpenter/install/discovery-tags';
import { FakeNetwork } from '../../fakes/fake-network';
import { awsError, fakeClock, memoryLog } from './requests';

const REQUEST: DiscoveryRequest = {
  clusterName: 'demo',
  owner: 'stack/tags',
  subnets: ['subnet-1'],
  securityGroups: 'cluster',
};

/** As CloudFormation sends it; the answer's address is not used here. */
function event(
  RequestType: 'Create' | 'Update' | 'Delete',
  request: Partial<DiscoveryRequest> = {},
  before: Partial<DiscoveryRequest> = {},
) {
  return {
    RequestType,
    StackId: 'stack',
    PhysicalResourceId: 'discovery-tags-demo',
    ResourceProperties: { ServiceToken: 'arn', ...REQUEST, ...request },
    ...(RequestType === 'Update' && { OldResourceProperties: { ServiceToken: 'arn', ...REQUEST, ...before } }),
  } as unknown as CloudFormationCustomResourceEvent;
}

function world(status = 'DELETE_IN_PROGRESS') {
  const aws = new FakeNetwork(new Map());
  const log = memoryLog();
  const tagged = () => Object.keys(aws.state).sort();
  const { now, sleep, passed } = fakeClock();
  const waiting = { now, sleep, deadline: Number.POSITIVE_INFINITY };
  const ports = { network: async () => aws, stackStatus: async () => status, log, ...waiting };
  return { aws, tagged, lines: log.lines, passed, ports };
}

const outcomeOf = async (made: ReturnType<typeof handleDiscoveryTags>) => (await made).data?.Outcome;

test('create tags, an update follows the ids of the config, delete leaves nothing', async () => {
  const { tagged, ports } = world();
  const subnets = ['subnet-2'];
  for (const [request, left] of [
    [event('Create'), ['sg-cluster', 'subnet-1']],
    [event('Update', { subnets }), ['sg-cluster', 'subnet-2']],
    [event('Delete', { subnets }), []],
  ] as const) {
    // Always the same id, so that an update is never taken for a replacement.
    const { physicalResourceId } = await handleDiscoveryTags(request, ports);
    expect([physicalResourceId, tagged()]).toEqual(['discovery-tags-demo', left]);
  }
});

describe('deleting', () => {
  const stays = ['sg-cluster', 'subnet-1'];
  test.each([
    { name: 'the stack, without nodes of Karpenter', status: 'DELETE_IN_PROGRESS', nodes: 0, left: [] },
    { name: 'the stack, with nodes that live on the tags', status: 'DELETE_IN_PROGRESS', nodes: 3, left: stays },
    { name: 'the stack, when nodes cannot be counted', status: 'DELETE_IN_PROGRESS', nodes: undefined, left: stays },
    { name: 'what a rolled back deploy has added', status: 'ROLLBACK_IN_PROGRESS', nodes: 3, left: [] },
    {
      name: 'discovery from the config: what it listed goes, what was found stays',
      status: 'UPDATE_COMPLETE_CLEANUP_IN_PROGRESS',
      nodes: 3,
      left: ['sg-cluster'],
    },
  ])('$name', async ({ status, nodes, left }) => {
    const { aws, tagged, lines, ports } = world(status);
    await handleDiscoveryTags(event('Create'), ports);
    aws.nodes = nodes;
    await handleDiscoveryTags(event('Delete'), ports);
    expect(tagged()).toEqual(left);
    if (left.length > 0) expect(lines.join()).toContain('"stale":["sg-cluster"');
  });
});

test('the outcome says what was done, and how to take away what looks stale', async () => {
  const { aws, ports } = world();
  expect(await outcomeOf(handleDiscoveryTags(event('Create'), ports))).toBe('added to sg-cluster, subnet-1');
  expect(await outcomeOf(handleDiscoveryTags(event('Update'), ports))).toBe('nothing to do');
  aws.clusterGroup = 'sg-new';
  expect(await outcomeOf(handleDiscoveryTags(event('Update', { subnets: ['subnet-2'] }), ports))).toBe(
    'added to sg-new, subnet-2; removed from subnet-1; kept on sg-cluster, which discovery no longer finds: Karpenter replaces the nodes there if you run aws ec2 delete-tags --resources sg-cluster --tags Key=karpenter.sh/discovery Key=headstart.dev/added-discovery',
  );
});

test('a subnet of another cluster fails the request', async () => {
  const { aws, ports } = world();
  aws.tags.set('subnet-1', { [DISCOVERY_TAG]: 'other' });
  await expect(handleDiscoveryTags(event('Create'), ports)).rejects.toThrow('already names another cluster');
});

test('however many tags there are, the outcome fits into a response of CloudFormation', async () => {
  const subnets = Array.from({ length: 300 }, (_, i) => `subnet-0123456789abcd${100 + i}`);
  const outcome = (await outcomeOf(handleDiscoveryTags(event('Create', { subnets }), world().ports))) ?? '';
  expect(outcome.length).toBeLessThanOrEqual(1_000);
  expect(outcome).toMatch(/^added to .+ \.\.\.$/);
});

test('a right that is never given fails with the reason, within two minutes', async () => {
  const { aws, passed, ports } = world();
  Object.assign(aws, { addTags: async () => Promise.reject(awsError('UnauthorizedOperation', 'no ec2:CreateTags')) });
  await expect(handleDiscoveryTags(event('Create'), ports)).rejects.toThrow('no ec2:CreateTags');
  expect(passed()).toBeLessThanOrEqual(120_000);
});

test('without a managed node group to learn from, the error names the two ways out', async () => {
  const { ports } = world();
  await expect(handleDiscoveryTags(event('Create', { subnets: 'node-groups' }), ports)).rejects.toThrow(
    'cluster demo has no managed node group to learn subnets and security groups from; write their ids in karpenter.discovery: {subnets: [...], securityGroups: [...]}, or write discovery: {subnets: none, securityGroups: none} and choose them by id in the subnets and securityGroups of each pool block',
  );
});
