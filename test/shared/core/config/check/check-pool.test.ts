import { problemsIn } from '../../karpenter/config-of';

const pool = (block: object, nodePool: object = {}) =>
  problemsIn({ nodePools: { default: { max: 5, ...nodePool, pool: block } }, karpenter: { manage: true } });
const at = (problems: readonly string[]) => problems.map((text) => text.replace(/^nodePools\.default\.(pool\.)?/, ''));
const spread = (more: object) => ({ requirements: [{ key: 'capacity-spread', ...more }] });

test.each([
  {
    name: 'instanceProfile without the role in it',
    block: { instanceProfile: 'b' },
    problem:
      'role is missing, and the controller role must name the role that it passes to nodes; write the role in the instance profile "b"',
  },
  {
    name: 'ami and amiSelector',
    block: { ami: 'al2023@latest', amiSelector: [{ id: 'ami-1' }], amiFamily: 'AL2023' },
    problem: 'amiSelector does not go with ami; write an alias in ami, or amiSelector and amiFamily',
  },
  {
    name: 'amiSelector without its family',
    block: { amiSelector: [{ id: 'ami-1' }] },
    problem: 'amiFamily is missing; amiSelector needs it: write the family of those images, such as AL2023',
  },
  {
    name: 'a family that is not of the alias',
    block: { ami: 'bottlerocket@latest', amiFamily: 'AL2023' },
    problem: 'amiFamily is "AL2023", which is not the family of bottlerocket; leave it out',
  },
  {
    name: 'an alias of no known family',
    block: { ami: 'ubuntu@latest' },
    problem:
      'ami is "ubuntu@latest"; write an AMI alias, such as al2023@latest, al2023@v20260801 or bottlerocket@v1.40.0',
  },
  {
    name: 'a zone of another region',
    block: { zones: ['a', 'us-east-1a'] },
    problem: 'zones[1] is "us-east-1a", not a zone of ap-northeast-2; write a or ap-northeast-2a',
  },
  {
    name: 'a budget with a schedule and no duration',
    block: { disruption: { budgets: [{ nodes: '0', schedule: '0 2 * * *' }] } },
    problem: 'disruption.budgets[0].duration is missing; schedule and duration go together: write both or none',
  },
  {
    name: 'a budget whose schedule is not Unix cron',
    block: { disruption: { budgets: [{ nodes: '0', schedule: 'H 2 * * *', duration: '1h' }] } },
    problem:
      'disruption.budgets[0].schedule has "H" in the minute; write minutes 0-59, or *, in lists, ranges and steps such as 1,3 or 1-5 or */2',
  },
  {
    name: 'a budget with a number instead of text',
    block: { disruption: { budgets: [{ nodes: 1 }] } },
    problem: 'disruption.budgets[0].nodes is 1; write a share or a number of nodes in quotes, such as "10%" or "0"',
  },
  {
    name: 'a spot twin of a spot pool',
    block: { spotTwin: true, capacityType: ['on-demand', 'spot'] },
    problem: 'capacityType has spot, and spotTwin makes a spot pool of its own; write [on-demand]',
  },
  {
    name: 'a weight that leaves no room for the twin',
    block: { spotTwin: true, weight: 100 },
    problem: 'weight is 100, so its spot twin cannot have a higher one; write at most 99',
  },
  {
    name: 'a twin that would come second',
    block: { spotTwin: true, weight: 20, spot: { weight: 20 } },
    problem: 'spot.weight is 20; the twin is tried first only above 20: write more',
  },
  {
    name: 'a spot block without a twin',
    block: { spot: { weight: 3 } },
    problem: 'spot has no twin to change; write spotTwin: true, or leave it out',
  },
  {
    name: 'a weight out of range',
    block: { weight: 0 },
    problem: 'weight is 0; write a whole number from 1 to 100; the NodePool with the highest is tried first',
  },
  {
    name: 'no limits in limits',
    block: { limits: {} },
    problem: 'limits is {}; write limits such as {cpu: 1000, memory: 1000Gi}',
  },
  {
    name: 'a duration in plain seconds',
    block: { expireAfter: 604800 },
    problem:
      'expireAfter is 604800; write a duration in hours, minutes and seconds, such as 30s, 168h or 604800s, or Never',
  },
  {
    name: 'a duration in days, which Karpenter does not know',
    block: { disruption: { consolidateAfter: '1d' } },
    problem:
      'disruption.consolidateAfter is "1d"; write a duration in hours, minutes and seconds, such as 30s, 168h or 604800s, or Never',
  },
  {
    name: 'In without values',
    block: spread({ operator: 'In' }),
    problem: 'requirements[0].values is missing; write the values that are allowed, such as [a, b]',
  },
  {
    name: 'Exists with values',
    block: spread({ operator: 'Exists', values: ['a'] }),
    problem: 'requirements[0].values does not go with Exists; leave it out',
  },
  {
    name: 'Gt with text',
    block: spread({ operator: 'Gt', values: ['many'] }),
    problem: 'requirements[0].values does not go with Gt; write one whole number, such as [4]',
  },
  {
    name: 'more minValues than values',
    block: spread({ operator: 'In', values: ['a'], minValues: 2 }),
    problem: 'requirements[0].minValues is 2, above the 1 values; write at most 1',
  },
  {
    name: 'a capacity type by requirement',
    block: { requirements: [{ key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot'] }] },
    problem: 'requirements[0].key has a field of its own; write capacityType: [on-demand]',
  },
  {
    name: "a label of Karpenter's",
    block: { labels: { 'karpenter.sh/nodepool': 'x' } },
    problem:
      'labels is {"karpenter.sh/nodepool":"x"}; write labels of your own; karpenter.sh/... and kubernetes.io/hostname are refused by Karpenter',
  },
  {
    name: 'a selector by id and tags',
    block: { subnets: [{ id: 'subnet-1', tags: { a: 'b' } }] },
    problem: 'subnets[0].id does not go with tags; write id alone',
  },
  {
    name: 'a volume without size',
    block: { blockDeviceMappings: [{ ebs: { encrypted: true } }] },
    problem: 'blockDeviceMappings[0].ebs.volumeSize is missing; write a volume size such as 100Gi',
  },
  {
    name: 'a typing mistake',
    block: { familly: ['t3'] },
    problem: 'familly is not a key that Headstart knows; did you mean family?',
  },
])('$name is one problem, with what to write', ({ block, problem }) => {
  expect(at(pool(block))).toEqual([problem]);
});

test('a tag that Karpenter keeps for itself is refused', () => {
  expect(at(pool({ tags: { 'eks:eks-cluster-name': 'x' } }))).toEqual([
    expect.stringMatching(/^tags is .*none of Karpenter's own/),
  ]);
});

test('a field that the EC2NodeClass does not have is refused with those that it has', () => {
  expect(at(pool({ nodeClass: { instanceStore: 'RAID0' } }))).toEqual([expect.stringMatching(/instanceStorePolicy/)]);
});

test('a twin whose name has a pool block of its own is refused', () => {
  const nodePools = { service: { max: 1, pool: { spotTwin: true } }, 'service-spot': { max: 1, pool: {} } };
  expect(problemsIn({ nodePools, karpenter: { manage: true } })).toEqual([
    'nodePools.service.pool.spotTwin makes a NodePool service-spot, which has a pool block of its own; write only one',
  ]);
});

test('headroom of its own may stand for the twin', () => {
  const nodePools = { service: { max: 1, pool: { spotTwin: true } }, 'service-spot': { max: 1 } };
  expect(problemsIn({ nodePools, karpenter: { manage: true } })).toEqual([]);
});

test('without a node role a pool block must name one', () => {
  const nodePools = { default: { max: 1, pool: {} } };
  const problem =
    'nodePools.default.pool.role is missing, and karpenter creates no node role; write the name of the node role, such as KarpenterNodeRole-my-cluster';
  expect(problemsIn({ nodePools })).toEqual([problem]);
  expect(problemsIn({ nodePools, karpenter: { manage: false } })).toEqual([problem]);
  expect(problemsIn({ nodePools: { default: { max: 1, pool: { role: 'mine' } } } })).toEqual([]);
});

test.each([
  { name: 'the role in it is named', block: { role: 'a' }, karpenter: { manage: true } },
  { name: 'the controller role exists', block: {}, karpenter: { manage: true, controllerRole: 'mine' } },
  { name: 'there is no controller role', block: {}, karpenter: { manage: true, controllerRole: false } },
  { name: 'karpenter is not managed', block: {}, karpenter: { manage: false } },
  { name: 'there is no karpenter block', block: {}, karpenter: undefined },
])('an instance profile is no problem where $name', ({ block, karpenter }) => {
  const nodePools = { default: { max: 1, pool: { instanceProfile: 'own', ...block } } };
  expect(problemsIn({ nodePools, ...(karpenter && { karpenter }) })).toEqual([]);
});

describe('headroom that is bound to a tainted pool', () => {
  const taints = [{ key: 'dedicated', value: 'ci', effect: 'NoSchedule' }];
  test.each([
    { name: 'by the value', tolerations: [{ key: 'dedicated', value: 'ci' }] },
    { name: 'by the key alone', tolerations: [{ key: 'dedicated', operator: 'Exists' }] },
    { name: 'by tolerating everything', tolerations: [{ operator: 'Exists' }] },
  ])('may tolerate the taint $name', ({ tolerations }) => {
    expect(pool({ taints }, { tolerations })).toEqual([]);
  });

  test.each([
    { name: 'another value', tolerations: [{ key: 'dedicated', value: 'web' }] },
    { name: 'another effect', tolerations: [{ key: 'dedicated', operator: 'Exists', effect: 'NoExecute' }] },
    { name: 'nothing', tolerations: [] },
  ])('does not get a node when it tolerates $name', ({ tolerations }) => {
    expect(at(pool({ taints }, { tolerations }))).toEqual([
      'tolerations does not tolerate the taint dedicated:NoSchedule of its own pool block; write {key: dedicated, value: ci}, or leave tolerations out',
    ]);
  });

  test('is not judged when it goes where its own labels say', () => {
    expect(pool({ taints }, { tolerations: [], nodeSelector: { team: 'team1' } })).toEqual([]);
  });

  test('need not tolerate what only makes a node less liked', () => {
    expect(pool({ taints: [{ key: 'spot', effect: 'PreferNoSchedule' }] }, { tolerations: [] })).toEqual([]);
  });
});
