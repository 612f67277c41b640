import type { CloudFormationCustomResourceEvent } from 'aws-lambda';
import { handleDiscoveryTags } from '../../../lambdas/deploy/handle-discovery-tags';
import { DISCOVERY_TAG, type DiscoveryRequest } from '../../../shared/core/karpenter/discovery-tags';
import { FakeNetwork } from '../../fakes/fake-network';

const REQUEST: DiscoveryRequest = {
  clusterName: 'demo',
  owner: 'stack/tags',
  subnets: ['subnet-1'],
  securityGroups: 'cluster',
};

/** As CloudFormation sends it; the answer's address is not used here. */
function event(RequestType: 'Create' | 'Update' | 'Delete', request: Partial<DiscoveryRequest> = {}) {
  return {
    RequestType,
    PhysicalResourceId: 'discovery-tags-demo',
    ResourceProperties: { ServiceToken: 'arn', ...REQUEST, ...request },
  } as unknown as CloudFormationCustomResourceEvent;
}

function world() {
  const aws = new FakeNetwork(new Map());
  const lines: unknown[] = [];
  const write = (message: string, fields: object) => lines.push({ message, ...fields });
  const log = { info: write, warn: write, error: write };
  return { aws, lines, ports: { network: async () => aws, log } };
}

test('create tags, update moves the tags, delete leaves nothing', async () => {
  const { aws, ports } = world();
  const tagged = () => Object.keys(aws.state).sort();
  await handleDiscoveryTags(event('Create'), ports);
  expect(tagged()).toEqual(['sg-cluster', 'subnet-1']);
  await handleDiscoveryTags(event('Update', { subnets: ['subnet-2'] }), ports);
  expect(tagged()).toEqual(['sg-cluster', 'subnet-2']);
  await handleDiscoveryTags(event('Delete', { subnets: ['subnet-2'] }), ports);
  expect(tagged()).toEqual([]);
});

test('the id stays the same for a cluster, so that an update is never taken for a replacement', async () => {
  const { ports } = world();
  for (const kind of ['Create', 'Update', 'Delete'] as const)
    expect(await handleDiscoveryTags(event(kind), ports)).toEqual({ physicalResourceId: 'discovery-tags-demo' });
});

test('the log says what was changed', async () => {
  const { lines, ports } = world();
  await handleDiscoveryTags(event('Create'), ports);
  expect(lines).toEqual([
    {
      message: 'discovery tags changed',
      request: 'Create',
      cluster: 'demo',
      added: ['sg-cluster', 'subnet-1'],
      removed: [],
    },
  ]);
});

test('a subnet of another cluster fails the request', async () => {
  const { aws, ports } = world();
  aws.tags.set('subnet-1', { [DISCOVERY_TAG]: 'other' });
  await expect(handleDiscoveryTags(event('Create'), ports)).rejects.toThrow('already names another cluster');
});
