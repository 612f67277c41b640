import { stringify } from 'yaml';
import { parseDuration } from '../../../../shared/core/basics/duration';
import { deleteCommands } from '../../../../shared/core/karpenter/delete-commands';
import { ownNodeRoles } from '../../../../shared/core/karpenter/node-class';
import { nodePoolManifests } from '../../../../shared/core/karpenter/node-pools';
import { golden } from '../../../golden/golden';
import { configOf, poolConfig } from './config-of';
import { nodePool, requirement, specOf } from './made-of';

const said = golden(`${__dirname}/node-pools.txt`);

// The manifests are in node-pools.txt.
test.each([
  { name: 'of a block in which nobody wrote anything, so that an apply leaves the rest to Karpenter', pool: {} },
  {
    name: 'of a block with every field',
    pool: {
      ...{ family: ['t3', 't3a'], size: ['medium', 'large'], zones: ['a', 'c'], expireAfter: '604800s', weight: 10 },
      ...{ labels: { team: 'team1' }, annotations: { 'example.com/owner': 'team1' }, terminationGracePeriod: '1h' },
      requirements: [{ key: 'capacity-spread', operator: 'In', values: ['on-demand-1', 'on-demand-2'] }],
      taints: [{ key: 'dedicated', value: 'ci', effect: 'NoSchedule' }],
      startupTaints: [{ key: 'cold', effect: 'NoExecute' }],
      limits: { cpu: 1000, memory: '4000Gi' },
      disruption: {
        ...{ consolidationPolicy: 'WhenEmpty', consolidateAfter: '30s' },
        budgets: [
          { nodes: '10%' },
          { nodes: '0', schedule: '25 2 * * mon-fri', duration: '2h10m', reasons: ['Underutilized'] },
        ],
      },
      ...{ amiFamily: 'AL2023', amiSelector: [{ name: 'my-*', owner: 'self' }], userData: 'echo', tags: { a: 'b' } },
      ...{ subnets: [{ id: 'subnet-1' }], securityGroups: [{ name: 'nodes' }] },
      metadataOptions: { httpPutResponseHopLimit: 2 },
      blockDeviceMappings: [{ deviceName: '/dev/xvda', ebs: { volumeSize: '50Gi' } }],
      kubelet: { maxPods: 58, kubeReserved: { cpu: 1 }, systemReserved: { memory: 2 } },
      nodeClass: { instanceStorePolicy: 'RAID0' },
    },
  },
])('the manifests $name', ({ name, pool }) => {
  said(
    name,
    nodePoolManifests(poolConfig(pool))
      .map((one) => stringify(one, { aliasDuplicateObjects: false }))
      .join('---\n'),
  );
});

test('consolidation waits at least five quiet minutes unless a person says otherwise', () => {
  const { consolidationPolicy, consolidateAfter } = nodePool({}).disruption;
  expect(consolidationPolicy).toBe('WhenEmptyOrUnderutilized');
  expect(parseDuration(consolidateAfter)).toBeGreaterThanOrEqual(300);
  expect(nodePool({ disruption: { consolidateAfter: 'Never' } }).disruption.consolidateAfter).toBe('Never');
});

describe('the EC2NodeClass', () => {
  test.each([
    {
      name: 'its own role first',
      pool: { role: 'own' },
      karpenter: { instanceProfile: true },
      expected: { role: 'own' },
    },
    {
      name: 'its own profile',
      pool: { instanceProfile: 'own' },
      karpenter: { controllerRole: 'mine' },
      expected: { instanceProfile: 'own' },
    },
    {
      name: 'its own profile, not the role that is said to be in it',
      pool: { instanceProfile: 'own', role: 'inside' },
      karpenter: { instanceProfile: true },
      expected: { instanceProfile: 'own' },
    },
    {
      name: 'the profile of the karpenter block before its role',
      pool: {},
      karpenter: { instanceProfile: true },
      expected: { instanceProfile: 'KarpenterNodes-demo-ap-northeast-2' },
    },
    { name: 'a role that exists', pool: {}, karpenter: { nodeRole: 'mine' }, expected: { role: 'mine' } },
    {
      name: 'a role that exists, also while karpenter is not managed',
      pool: {},
      karpenter: { manage: false, nodeRole: 'mine' },
      expected: { role: 'mine' },
    },
  ])('nodes run under $name', ({ pool, karpenter, expected }) => {
    const config = configOf({ nodePools: { default: { max: 1, pool } }, karpenter: { manage: true, ...karpenter } });
    const { role, instanceProfile } = specOf(config, 'EC2NodeClass');
    expect({ role, instanceProfile }).toEqual({ role: undefined, instanceProfile: undefined, ...expected });
  });
});

describe('the spot twin', () => {
  const pool = { spotTwin: true, weight: 10, labels: { team: 'team1' }, limits: { cpu: 10 } };

  test('is the same pool on spot nodes, tried first, with the same EC2NodeClass', () => {
    const [onDemand, twin] = [nodePool(pool), nodePool(pool, 'default-spot')];
    expect(requirement(pool, 'karpenter.sh/capacity-type')[0]?.values).toEqual(['on-demand']);
    expect(requirement(pool, 'karpenter.sh/capacity-type', 'default-spot')[0]?.values).toEqual(['spot']);
    expect(twin.weight).toBeGreaterThan(onDemand.weight ?? 0);
    const nodeClassRef = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' };
    expect([onDemand, twin].map((one) => one.template.spec.nodeClassRef)).toEqual([nodeClassRef, nodeClassRef]);
    expect([twin.limits, twin.template.metadata]).toEqual([onDemand.limits, onDemand.template.metadata]);
  });

  test('is tried first also when the pool has no weight', () => {
    expect(nodePool({ spotTwin: true }, 'default-spot').weight).toBe(1);
    expect(nodePool({ spotTwin: true }).weight).toBeUndefined();
  });

  test('differs in what the spot block says, key by key', () => {
    const spread = (values: string[]) => ({ key: 'capacity-spread', operator: 'In', values });
    const spot = {
      weight: 30,
      requirements: [spread(['spot-1', 'spot-2'])],
      labels: { lifecycle: 'spot' },
      limits: { cpu: 50 },
      taints: [{ key: 'spot', effect: 'PreferNoSchedule' }],
    };
    const whole = { ...pool, family: ['t3'], requirements: [spread(['on-demand-1'])], spot };
    expect(nodePool(whole, 'default-spot')).toMatchObject({
      weight: 30,
      limits: { cpu: '50' },
      template: { metadata: { labels: spot.labels }, spec: { taints: spot.taints } },
    });
    expect(requirement(whole, 'capacity-spread', 'default-spot')).toEqual(spot.requirements);
    expect(requirement(whole, 'karpenter.k8s.aws/instance-family', 'default-spot')[0]?.values).toEqual(['t3']);
    expect(requirement(whole, 'capacity-spread')).toEqual(whole.requirements);
  });

  test('shares one EC2NodeClass', () => {
    expect(nodePoolManifests(poolConfig(pool)).map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
      'EC2NodeClass default',
      'NodePool default',
      'NodePool default-spot',
    ]);
  });
});

test('every manifest carries our label and the v1 API', () => {
  for (const { apiVersion, metadata } of nodePoolManifests(poolConfig({ spotTwin: true }))) {
    expect(apiVersion).toMatch(/^karpenter\.(sh|k8s\.aws)\/v1$/);
    expect(metadata.labels).toEqual({ 'app.kubernetes.io/managed-by': 'headstart' });
  }
});

test('roles of pool blocks are known once, and a block without any is never deployed', () => {
  const pools = { a: { max: 1, pool: { role: 'x' } }, b: { max: 1, pool: { role: 'x' } }, c: { max: 1 } };
  expect(ownNodeRoles(configOf({ nodePools: { ...pools, d: { max: 1, pool: { role: 'y' } } } }))).toEqual(['x', 'y']);
  const unchecked = { ...configOf({ nodePools: pools }), ...{ headrooms: poolConfig({}).headrooms } };
  expect(() => nodePoolManifests(unchecked)).toThrow(
    'a pool block has neither role nor instanceProfile: the config is not checked',
  );
});

test('a NodePool without a pool block is left alone', () => {
  expect(nodePoolManifests(configOf({ karpenter: { manage: true } }))).toEqual([]);
});

describe('commands for what the config no longer names', () => {
  const named = (kind: string, ...names: string[]) => names.map((name) => ({ kind, name }));

  test('NodePools before their EC2NodeClasses, nothing for those that stay', () => {
    const present = [...named('EC2NodeClass', 'old', 'default'), ...named('NodePool', 'old-spot', 'old', 'default')];
    expect(deleteCommands(present, nodePoolManifests(poolConfig({})))).toEqual([
      'kubectl delete nodepool old old-spot',
      'kubectl delete ec2nodeclass old',
    ]);
  });

  test('a spot twin that is switched off', () => {
    const present = named('NodePool', 'default', 'default-spot');
    expect(deleteCommands(present, nodePoolManifests(poolConfig({ spotTwin: false })))).toEqual([
      'kubectl delete nodepool default-spot',
    ]);
  });

  test('none when nothing is left over', () => {
    expect(deleteCommands(named('NodePool', 'default'), nodePoolManifests(poolConfig({})))).toEqual([]);
  });
});
