import type { ClusterNetwork } from '../../../../shared/core/karpenter/install/discovery-tags';
import { fakeSdk } from '../../../fakes/fake-sdk';

type Filters = readonly { readonly Name: string; readonly Values: readonly string[] }[];
const [DISCOVERY, ADDED_BY] = ['karpenter.sh/discovery', 'headstart.dev/added-discovery'];

let cluster: unknown;
let templates: unknown;
const eks = fakeSdk('EKSClient', {
  DescribeCluster: () => ({ cluster }),
  ListNodegroups: () => [{ nodegroups: ['a', 'b'] }, {}, { nodegroups: ['c', 'd'] }],
  DescribeNodegroup: ({ nodegroupName }: { readonly nodegroupName: string }) => ({ nodegroup: GROUPS[nodegroupName] }),
});
const ec2 = fakeSdk('EC2Client', {
  DescribeLaunchTemplateVersions: () => templates,
  DescribeInstances: () => [
    {},
    { Reservations: [{ Instances: [{}, {}] }, {}] },
    { Reservations: [{ Instances: [{}] }] },
  ],
  DescribeTags: ({ Filters }: { readonly Filters: Filters }) => {
    const [{ Name, Values } = { Name: '', Values: [] }] = Filters;
    return Name === 'resource-id'
      ? [{}, { Tags: TAGS.filter(({ ResourceId }) => !ResourceId || Values.includes(ResourceId)) }]
      : [];
  },
  CreateTags: () => ({}),
  DeleteTags: () => ({}),
});
const GROUPS: Readonly<Record<string, unknown>> = {
  a: { subnets: ['subnet-1', 'subnet-2'], launchTemplate: { id: 'lt-1', version: '7' } },
  b: { subnets: ['subnet-3'], launchTemplate: { id: 'lt-2' } },
  c: { launchTemplate: { version: '3' } },
};
const tag = (ResourceId: string, Key: string, Value: string) => ({ ResourceId, Key, Value });
const TAGS: readonly Partial<ReturnType<typeof tag>>[] = [
  tag('subnet-1', DISCOVERY, 'demo'),
  tag('subnet-1', 'Name', 'private'),
  tag('subnet-2', ADDED_BY, 'stack'),
  tag('subnet-1', ADDED_BY, ''),
  tag('subnet-250', DISCOVERY, 'other'),
  { Key: DISCOVERY, Value: 'of nothing' },
];
jest.doMock('@aws-sdk/client-eks', () => eks.module);
jest.doMock('@aws-sdk/client-ec2', () => ec2.module);

async function newNetwork(more: { readonly endpoint?: string } = {}): Promise<ClusterNetwork> {
  const { awsClusterNetwork } = await import('../../../../shared/adapters/aws/cluster-network');
  return awsClusterNetwork({ clusterName: 'demo', region: 'eu-west-1', ...more });
}

beforeEach(() => {
  for (const list of [eks.asked, ec2.asked, eks.clients, ec2.clients]) list.length = 0;
});

test('asks EKS and EC2 of the region, or of an emulator, with patience', async () => {
  await newNetwork();
  await newNetwork({ endpoint: 'http://127.0.0.1:1' });
  const settings = { region: 'eu-west-1', maxAttempts: 5 };
  for (const { clients } of [eks, ec2])
    expect(clients).toEqual([settings, { ...settings, endpoint: 'http://127.0.0.1:1' }]);
});

test("the cluster's own security group", async () => {
  cluster = { resourcesVpcConfig: { clusterSecurityGroupId: 'sg-1' } };
  expect(await (await newNetwork()).clusterSecurityGroup()).toBe('sg-1');
  expect(eks.asked).toEqual([{ call: 'DescribeCluster', input: { name: 'demo' } }]);
});

test.each([undefined, {}, { resourcesVpcConfig: {} }])(
  'a cluster without one (%j) says what to write',
  async (found) => {
    cluster = found;
    await expect((await newNetwork()).clusterSecurityGroup()).rejects.toThrow(
      'cluster demo has no security group of its own; write ids in discovery.securityGroups',
    );
  },
);

test('node groups of all pages, with subnets, and the launch template where it is known in full', async () => {
  expect(await (await newNetwork()).nodeGroups()).toEqual([
    { name: 'a', subnetIds: ['subnet-1', 'subnet-2'], launchTemplate: { id: 'lt-1', version: '7' } },
    { name: 'b', subnetIds: ['subnet-3'] },
    { name: 'c', subnetIds: [] },
    { name: 'd', subnetIds: [] },
  ]);
  expect(eks.asked.slice(0, 2)).toEqual([
    { call: 'ListNodegroups', input: { clusterName: 'demo' } },
    { call: 'DescribeNodegroup', input: { clusterName: 'demo', nodegroupName: 'a' } },
  ]);
});

test('security groups of a launch template, its own and those of its network interfaces', async () => {
  const network = await newNetwork();
  const read = () => network.launchTemplateSecurityGroups({ id: 'lt-1', version: '7' });
  const interfaces = [{ Groups: ['sg-2', 'sg-3'] }, {}];
  templates = {
    LaunchTemplateVersions: [
      { LaunchTemplateData: { SecurityGroupIds: ['sg-1'], NetworkInterfaces: interfaces } },
      { LaunchTemplateData: {} },
      {},
    ],
  };
  expect(await read()).toEqual(['sg-1', 'sg-2', 'sg-3']);
  templates = {};
  expect(await read()).toEqual([]);
  const input = { LaunchTemplateId: 'lt-1', Versions: ['7'] };
  expect(ec2.asked[0]).toEqual({ call: 'DescribeLaunchTemplateVersions', input });
});

test("counts the cluster's instances that Karpenter launched and that still exist", async () => {
  expect(await (await newNetwork()).karpenterNodes()).toBe(3);
  const Filters = [
    { Name: 'tag:kubernetes.io/cluster/demo', Values: ['owned'] },
    { Name: 'tag-key', Values: ['karpenter.sh/nodepool'] },
    { Name: 'instance-state-name', Values: ['pending', 'running', 'stopping', 'stopped'] },
  ];
  expect(ec2.asked).toEqual([{ call: 'DescribeInstances', input: { Filters } }]);
});

test('reads the tags of any number of resources, by resource', async () => {
  const ids = Array.from({ length: 400 }, (_, index) => `subnet-${index}`);
  expect(await (await newNetwork()).readTags(ids)).toEqual([
    { id: 'subnet-1', discovery: 'demo', addedBy: '' },
    { id: 'subnet-2', addedBy: 'stack' },
    { id: 'subnet-250', discovery: 'other' },
  ]);
  expect(ec2.asked.map(({ input }) => input)).toEqual(
    [ids.slice(0, 200), ids.slice(200)].map((Values) => ({ Filters: [{ Name: 'resource-id', Values }] })),
  );
});

test('looks for the tags that a stack added', async () => {
  expect(await (await newNetwork()).tagsAddedBy('stack')).toEqual([]);
  const Filters = [
    { Name: 'key', Values: [ADDED_BY] },
    { Name: 'value', Values: ['stack'] },
  ];
  expect(ec2.asked).toEqual([{ call: 'DescribeTags', input: { Filters } }]);
});

test('adds and removes tags, and asks nothing for no resource', async () => {
  const { addTags, removeTags } = await newNetwork();
  for (const change of [addTags, removeTags]) {
    await change([], { a: 'b' });
    await change(['subnet-1'], { a: 'b', c: 'd' });
  }
  const Tags = [
    { Key: 'a', Value: 'b' },
    { Key: 'c', Value: 'd' },
  ];
  expect(ec2.asked).toEqual(
    ['CreateTags', 'DeleteTags'].map((call) => ({ call, input: { Resources: ['subnet-1'], Tags } })),
  );
});
