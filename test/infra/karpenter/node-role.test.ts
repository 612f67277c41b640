import { nodePoolManifests } from '../../../shared/core/karpenter/node-pools';
import { configOf } from '../../shared/core/karpenter/config-of';
import { passableRoles, plain, roleNamed, synthKarpenter, trustOf } from './synth-karpenter';

jest.setTimeout(120_000);

const NODE_POLICIES = [
  'AmazonEKS_CNI_Policy',
  'AmazonEKSWorkerNodePolicy',
  'AmazonEC2ContainerRegistryPullOnly',
  'AmazonSSMManagedInstanceCore',
];

describe('the node role', () => {
  const made = synthKarpenter();
  const role = roleNamed(made, 'KarpenterNodeRole');

  test('holds the four managed policies and is for EC2 of the partition', () => {
    expect(plain(role?.Properties.ManagedPolicyArns)).toEqual(
      NODE_POLICIES.map((name) => `arn:<AWS::Partition>:iam::aws:policy/${name}`),
    );
    expect(trustOf(role)).toEqual([
      { Effect: 'Allow', Principal: { Service: 'ec2.<AWS::URLSuffix>' }, Action: 'sts:AssumeRole' },
    ]);
  });

  test('has the name that the EC2NodeClasses ask for', () => {
    const config = configOf({ nodePools: { default: { max: 1, pool: {} } }, karpenter: { manage: true } });
    const [nodeClass] = nodePoolManifests(config);
    expect(nodeClass).toMatchObject({ kind: 'EC2NodeClass', spec: { role: role?.Properties.RoleName } });
  });

  test('outlives the stack with its access entry, because nodes run under it', () => {
    expect(role?.DeletionPolicy).toBe('RetainExceptOnCreate');
    expect(made.only('AWS::EKS::AccessEntry').DeletionPolicy).toBe('RetainExceptOnCreate');
  });

  test('is let in as EC2_LINUX', () => {
    expect(plain(made.only('AWS::EKS::AccessEntry').Properties)).toEqual({
      ClusterName: 'demo',
      PrincipalArn: expect.stringMatching(/^<KarpenterNodesRole\w+\.Arn>$/),
      Type: 'EC2_LINUX',
    });
  });

  test('comes with an instance profile on request', () => {
    made.template.resourceCountIs('AWS::IAM::InstanceProfile', 0);
    const profile = synthKarpenter({ instanceProfile: true }).only('AWS::IAM::InstanceProfile');
    expect(profile.Properties).toEqual({
      InstanceProfileName: 'KarpenterNodes-demo-ap-northeast-2',
      Roles: ['KarpenterNodeRole-demo-ap-northeast-2'],
    });
    expect(profile.DependsOn).toEqual([expect.stringMatching(/^KarpenterNodesRole/)]);
  });

  test('can be one that exists: then only the controller hears of it', () => {
    const existing = synthKarpenter({ nodeRole: 'mine' });
    expect(roleNamed(existing, 'KarpenterNodeRole')).toBeUndefined();
    existing.template.resourceCountIs('AWS::EKS::AccessEntry', 0);
    expect(passableRoles(existing)).toBe('arn:<AWS::Partition>:iam::<AWS::AccountId>:role/mine');
  });

  test('aws-auth is printed, not edited', () => {
    const printed = synthKarpenter({}, { cluster: { access: 'manual' } });
    printed.template.resourceCountIs('AWS::EKS::AccessEntry', 0);
    expect(printed.outputs).toContainEqual(
      expect.stringMatching(
        /^eksctl create iamidentitymapping --cluster demo --region ap-northeast-2 --arn <Karpenter\w+\.Arn> --username 'system:node:\{\{EC2PrivateDNSName\}\}' --group system:bootstrappers --group system:nodes$/,
      ),
    );
  });
});

describe('roles that exist, by ARN', () => {
  const arn = (name: string) => `arn:aws:iam::123456789012:role/eks/prod/${name}`;
  const nodePools = { a: { max: 1, pool: {} }, b: { max: 1, pool: { role: arn('own') } } };
  const made = synthKarpenter(
    { nodeRole: arn('nodes'), nodeAccess: 'entry', controllerRole: true, instanceProfile: true },
    { nodePools },
  );

  test('the controller may pass them under their paths, and the access entry names the path too', () => {
    expect(passableRoles(made)).toEqual([arn('nodes'), arn('own')]);
    expect(made.only('AWS::EKS::AccessEntry').Properties.PrincipalArn).toBe(arn('nodes'));
  });

  test('EC2NodeClasses and instance profiles name them without', () => {
    const config = configOf({ nodePools, karpenter: { manage: true, nodeRole: arn('nodes') } });
    const roles = nodePoolManifests(config).flatMap(({ kind, spec }) =>
      kind === 'EC2NodeClass' ? [(spec as { role: string }).role] : [],
    );
    expect(roles).toEqual(['nodes', 'own']);
    expect(made.only('AWS::IAM::InstanceProfile').Properties.Roles).toEqual(['nodes']);
  });

  test('a controller role is handed to the release as it is written', () => {
    const { outputs } = synthKarpenter({ controllerRole: arn('karpenter'), identity: 'irsa' });
    expect(outputs.join()).toContain(`"eks.amazonaws.com/role-arn":"${arn('karpenter')}"`);
  });

  test('aws-auth matches without the path', () => {
    const { outputs } = synthKarpenter(
      { nodeRole: arn('nodes'), nodeAccess: 'aws-auth' },
      { cluster: { access: 'manual' } },
    );
    expect(outputs.join()).toContain('--arn arn:aws:iam::123456789012:role/nodes --username');
  });
});

test('the nodes are let in late: EKS refuses a role that IAM has just made', () => {
  const before = synthKarpenter().only('AWS::EKS::AccessEntry').DependsOn?.join(' ');
  expect(before).toContain('KarpenterDiscoveryFunction');
});

test('nodes in an instance profile that exists can join: the role in it is let in and passed', () => {
  const made = synthKarpenter({ instanceProfile: 'mine', nodeRole: 'nodes', nodeAccess: 'entry' });
  expect(passableRoles(made)).toBe('arn:<AWS::Partition>:iam::<AWS::AccountId>:role/nodes');
  expect(plain(made.only('AWS::EKS::AccessEntry').Properties.PrincipalArn)).toBe(passableRoles(made));
});
