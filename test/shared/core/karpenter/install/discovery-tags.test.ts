import fc from 'fast-check';
import {
  ADDED_BY_TAG,
  DISCOVERY_TAG,
  type DiscoveryRequest,
  removeDiscoveryTags,
  setDiscoveryTags,
} from '../../../../../shared/core/karpenter/install/discovery-tags';
import { FakeNetwork } from '../../../../fakes/fake-network';

const REQUEST: DiscoveryRequest = {
  clusterName: 'demo',
  owner: 'stack/tags',
  subnets: 'node-groups',
  securityGroups: 'cluster',
};
const OURS = { [DISCOVERY_TAG]: 'demo', [ADDED_BY_TAG]: REQUEST.owner };
const NODE_GROUPS = [
  { name: 'a', subnetIds: ['subnet-1', 'subnet-2'] },
  { name: 'b', subnetIds: ['subnet-2', 'subnet-3'], launchTemplate: { id: 'lt-1', version: '3' } },
];

const network = (tags: Record<string, Record<string, string>> = {}) =>
  new FakeNetwork(new Map(Object.entries(tags)), NODE_GROUPS, { 'lt-1': ['sg-nodes'] });

test("the node groups' subnets and the cluster's security group are tagged, each once", async () => {
  const aws = network();
  const { added, removed } = await setDiscoveryTags(REQUEST, aws);
  expect(added).toEqual(['sg-cluster', 'subnet-1', 'subnet-2', 'subnet-3']);
  expect(removed).toEqual([]);
  expect(aws.state).toEqual({ 'sg-cluster': OURS, 'subnet-1': OURS, 'subnet-2': OURS, 'subnet-3': OURS });
});

test("a launch template's security groups, and the cluster's for a node group without its own", async () => {
  const { added } = await setDiscoveryTags({ ...REQUEST, subnets: [], securityGroups: 'launch-template' }, network());
  expect(added).toEqual(['sg-cluster', 'sg-nodes']);
});

test('listed ids are tagged without asking for node groups', async () => {
  const aws = new FakeNetwork(new Map());
  const request = { ...REQUEST, subnets: ['subnet-9'], securityGroups: ['sg-9'] };
  expect((await setDiscoveryTags(request, aws)).added).toEqual(['sg-9', 'subnet-9']);
});

test('a second run writes nothing', async () => {
  const aws = network();
  await setDiscoveryTags(REQUEST, aws);
  const { writes } = aws;
  expect(await setDiscoveryTags(REQUEST, aws)).toEqual({ added: [], removed: [], stale: [] });
  expect(aws.writes).toBe(writes);
});

test('a tag that was there stays without our mark, also when all of ours go', async () => {
  const theirs = { [DISCOVERY_TAG]: 'demo', Name: 'private-a' };
  const aws = network({ 'subnet-1': theirs });
  await setDiscoveryTags(REQUEST, aws);
  expect(aws.state['subnet-1']).toEqual(theirs);
  await removeDiscoveryTags(REQUEST, aws);
  expect(aws.state).toEqual({ 'subnet-1': theirs });
});

test('a node group that is gone costs no subnet its tag, since Karpenter would replace the nodes in it; it is named', async () => {
  const aws = network();
  await setDiscoveryTags(REQUEST, aws);
  aws.tags.set('subnet-0', { ...OURS });
  aws.groups = [{ name: 'b', subnetIds: ['subnet-3'] }];
  const { writes } = aws;
  expect(await setDiscoveryTags(REQUEST, aws, REQUEST)).toEqual({
    added: [],
    removed: [],
    stale: ['subnet-0', 'subnet-1', 'subnet-2'],
  });
  expect(aws.writes).toBe(writes);
});

test('ids that a person takes out of the config lose our tags and keep their own', async () => {
  const aws = network({ 'subnet-1': { Name: 'private-a' } });
  const listed = { ...REQUEST, subnets: ['subnet-1', 'subnet-2', 'subnet-3'] };
  await setDiscoveryTags(listed, aws);
  const { removed, stale } = await setDiscoveryTags({ ...REQUEST, subnets: ['subnet-3'] }, aws, listed);
  expect([...removed].sort()).toEqual(['subnet-1', 'subnet-2']);
  expect(stale).toEqual([]);
  expect(aws.state).toEqual({ 'subnet-1': { Name: 'private-a' }, 'subnet-3': OURS, 'sg-cluster': OURS });
});

test('what was found and never listed stays when the config begins to list', async () => {
  const aws = network();
  await setDiscoveryTags(REQUEST, aws);
  const { removed, stale } = await setDiscoveryTags({ ...REQUEST, subnets: ['subnet-3'] }, aws, REQUEST);
  expect({ removed, stale }).toEqual({ removed: [], stale: ['subnet-1', 'subnet-2'] });
});

test('a resource of another cluster is refused before anything is written', async () => {
  const aws = network({ 'subnet-2': { [DISCOVERY_TAG]: 'other' }, 'subnet-3': { [DISCOVERY_TAG]: 'third' } });
  await expect(setDiscoveryTags(REQUEST, aws)).rejects.toThrow(
    'karpenter.sh/discovery already names another cluster on subnet-2 (other), subnet-3 (third); write discovery: {subnets: none, securityGroups: none} under karpenter and choose what demo uses by id in the subnets and securityGroups of its pool blocks',
  );
  expect(aws.writes).toBe(0);
});

test('a value that somebody has changed since is not removed', async () => {
  const aws = network();
  await setDiscoveryTags(REQUEST, aws);
  aws.tags.set('subnet-1', { ...OURS, [DISCOVERY_TAG]: 'other' });
  await removeDiscoveryTags(REQUEST, aws);
  expect(aws.state).toEqual({ 'subnet-1': { [DISCOVERY_TAG]: 'other' } });
});

test('when the resource moves in the app the new one takes over and the old one removes nothing', async () => {
  const aws = network();
  await setDiscoveryTags(REQUEST, aws);
  const moved = { ...REQUEST, owner: 'stack/moved' };
  await setDiscoveryTags(moved, aws);
  await removeDiscoveryTags(REQUEST, aws);
  expect(aws.state['subnet-1']).toEqual({ [DISCOVERY_TAG]: 'demo', [ADDED_BY_TAG]: 'stack/moved' });
});

test('a cluster without managed node groups is told what to write', async () => {
  await expect(setDiscoveryTags(REQUEST, new FakeNetwork(new Map()))).rejects.toThrow(
    'cluster demo has no managed node group to learn subnets and security groups from; write their ids in karpenter.discovery: {subnets: [...], securityGroups: [...]}, or write discovery: {subnets: none, securityGroups: none} and choose them by id in the subnets and securityGroups of each pool block',
  );
});

test('removal needs no cluster', async () => {
  const aws = new FakeNetwork(new Map([['subnet-2', 'subnet-1'].map((id) => [id, { ...OURS }] as const)].flat()));
  expect(await removeDiscoveryTags(REQUEST, aws)).toEqual({ added: [], removed: ['subnet-1', 'subnet-2'], stale: [] });
  expect(aws.state).toEqual({});
});

describe('whatever is tagged before and whatever is asked for in turn', () => {
  const ids = ['subnet-1', 'subnet-2', 'subnet-3', 'sg-1'];
  const someIds = fc.subarray(ids);
  const before = fc.dictionary(
    fc.constantFrom(...ids),
    fc.constantFrom({}, { Name: 'x' }, { [DISCOVERY_TAG]: 'demo' }, { [DISCOVERY_TAG]: 'demo', Name: 'x' }),
  );
  const asked = (subnets: readonly string[]) => ({ ...REQUEST, subnets, securityGroups: [] });

  test('everything wanted is found, and removal brings back what was', async () => {
    await fc.assert(
      fc.asyncProperty(before, fc.array(someIds, { minLength: 1, maxLength: 4 }), async (tags, requests) => {
        const aws = new FakeNetwork(new Map(Object.entries(tags)));
        const initial = aws.state;
        for (const [index, wanted] of requests.entries()) {
          await setDiscoveryTags(asked(wanted), aws, asked(requests[index - 1] ?? []));
          for (const id of wanted) expect(aws.state[id]?.[DISCOVERY_TAG]).toBe('demo');
        }
        await removeDiscoveryTags(REQUEST, aws);
        expect(aws.state).toEqual(initial);
      }),
    );
  });
});
