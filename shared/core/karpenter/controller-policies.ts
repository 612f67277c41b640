/** One statement of an IAM policy. */
export interface Statement {
  readonly Sid: string;
  readonly Effect: 'Allow';
  readonly Action: string | readonly string[];
  readonly Resource: string | readonly string[];
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
}

/** One of the managed policies of the Karpenter controller. */
export interface ControllerPolicy {
  /** As in Karpenter's own template, without its `KarpenterController` prefix. */
  readonly name: string;
  readonly statements: readonly Statement[];
}

/** What the policies are scoped to. */
export interface PolicyScope {
  readonly partition: string;
  readonly region: string;
  readonly account: string;
  /** A literal: it becomes part of condition keys, where CloudFormation resolves no references. */
  readonly clusterName: string;
  readonly nodeRoleArns: readonly string[];
  /** Absent if Karpenter handles no interruptions. */
  readonly queueArn?: string;
}

/**
 * The controller policies of Karpenter 1.13 to 1.14, statement by statement.
 * @see https://karpenter.sh/docs/reference/cloudformation/
 */
export function controllerPolicies(scope: PolicyScope): readonly ControllerPolicy[] {
  const { queueArn } = scope;
  return [
    { name: 'NodeLifecyclePolicy', statements: nodeLifecycle(scope) },
    { name: 'IAMIntegrationPolicy', statements: iamIntegration(scope) },
    { name: 'EKSIntegrationPolicy', statements: eksIntegration(scope) },
    ...(queueArn === undefined ? [] : [{ name: 'InterruptionPolicy', statements: interruption(queueArn) }]),
    { name: 'ZonalShiftPolicy', statements: zonalShift(scope) },
    { name: 'ResourceDiscoveryPolicy', statements: resourceDiscovery(scope) },
  ];
}

const NODEPOOL_TAG = 'karpenter.sh/nodepool';
const NODECLASS_TAG = 'karpenter.k8s.aws/ec2nodeclass';
const REGION_TAG = 'topology.kubernetes.io/region';
const CLUSTER_TAG = 'eks:eks-cluster-name';

/** A tag that a resource has (`ResourceTag`) or that a request brings (`RequestTag`). */
const onResource = (tag: string) => `aws:ResourceTag/${tag}`;
const onRequest = (tag: string) => `aws:RequestTag/${tag}`;
const ownedBy = (clusterName: string) => `kubernetes.io/cluster/${clusterName}`;
const clusterArn = ({ partition, region, account, clusterName }: PolicyScope) =>
  `arn:${partition}:eks:${region}:${account}:cluster/${clusterName}`;
const instanceProfiles = ({ partition, account }: PolicyScope) => `arn:${partition}:iam::${account}:instance-profile/*`;

function nodeLifecycle({ partition, region, clusterName }: PolicyScope): readonly Statement[] {
  const ec2 = (kind: string) => `arn:${partition}:ec2:${region}:*:${kind}/*`;
  const public_ = (kind: string) => `arn:${partition}:ec2:${region}::${kind}/*`;
  const created = ['fleet', 'instance', 'volume', 'network-interface', 'launch-template', 'spot-instances-request'];
  const ours = {
    StringEquals: { [onResource(ownedBy(clusterName))]: 'owned' },
    StringLike: { [onResource(NODEPOOL_TAG)]: '*' },
  };
  const tagged = { [onRequest(ownedBy(clusterName))]: 'owned', [onRequest(CLUSTER_TAG)]: clusterName };
  const ofAnyPool = { [onRequest(NODEPOOL_TAG)]: '*' };
  const actions = ['ec2:RunInstances', 'ec2:CreateFleet'];
  return [
    {
      Sid: 'AllowScopedEC2InstanceAccessActions',
      Effect: 'Allow',
      Resource: [
        public_('image'),
        public_('snapshot'),
        ...['security-group', 'subnet', 'capacity-reservation', 'placement-group'].map(ec2),
      ],
      Action: actions,
    },
    {
      Sid: 'AllowScopedEC2LaunchTemplateAccessActions',
      Effect: 'Allow',
      Resource: ec2('launch-template'),
      Action: actions,
      Condition: ours,
    },
    {
      Sid: 'AllowScopedEC2InstanceActionsWithTags',
      Effect: 'Allow',
      Resource: created.map(ec2),
      Action: [...actions, 'ec2:CreateLaunchTemplate'],
      Condition: { StringEquals: tagged, StringLike: ofAnyPool },
    },
    {
      Sid: 'AllowScopedResourceCreationTagging',
      Effect: 'Allow',
      Resource: created.map(ec2),
      Action: 'ec2:CreateTags',
      Condition: {
        StringEquals: { ...tagged, 'ec2:CreateAction': ['RunInstances', 'CreateFleet', 'CreateLaunchTemplate'] },
        StringLike: ofAnyPool,
      },
    },
    {
      Sid: 'AllowScopedResourceTagging',
      Effect: 'Allow',
      Resource: ec2('instance'),
      Action: 'ec2:CreateTags',
      Condition: {
        ...ours,
        StringEqualsIfExists: { [onRequest(CLUSTER_TAG)]: clusterName },
        'ForAllValues:StringEquals': { 'aws:TagKeys': [CLUSTER_TAG, 'karpenter.sh/nodeclaim', 'Name'] },
      },
    },
    {
      Sid: 'AllowScopedDeletion',
      Effect: 'Allow',
      Resource: [ec2('instance'), ec2('launch-template')],
      Action: ['ec2:TerminateInstances', 'ec2:DeleteLaunchTemplate'],
      Condition: ours,
    },
  ];
}

function iamIntegration(scope: PolicyScope): readonly Statement[] {
  const { clusterName, region, nodeRoleArns } = scope;
  const Resource = instanceProfiles(scope);
  const ours = { [onResource(ownedBy(clusterName))]: 'owned', [onResource(REGION_TAG)]: region };
  const tagged = {
    [onRequest(ownedBy(clusterName))]: 'owned',
    [onRequest(CLUSTER_TAG)]: clusterName,
    [onRequest(REGION_TAG)]: region,
  };
  return [
    {
      Sid: 'AllowPassingInstanceRole',
      Effect: 'Allow',
      Resource: single(nodeRoleArns),
      Action: 'iam:PassRole',
      Condition: { StringEquals: { 'iam:PassedToService': ['ec2.amazonaws.com', 'ec2.amazonaws.com.cn'] } },
    },
    {
      Sid: 'AllowScopedInstanceProfileCreationActions',
      Effect: 'Allow',
      Resource,
      Action: ['iam:CreateInstanceProfile'],
      Condition: { StringEquals: tagged, StringLike: { [onRequest(NODECLASS_TAG)]: '*' } },
    },
    {
      Sid: 'AllowScopedInstanceProfileTagActions',
      Effect: 'Allow',
      Resource,
      Action: ['iam:TagInstanceProfile'],
      Condition: {
        StringEquals: { ...ours, ...tagged },
        StringLike: { [onResource(NODECLASS_TAG)]: '*', [onRequest(NODECLASS_TAG)]: '*' },
      },
    },
    {
      Sid: 'AllowScopedInstanceProfileActions',
      Effect: 'Allow',
      Resource,
      Action: ['iam:AddRoleToInstanceProfile', 'iam:RemoveRoleFromInstanceProfile', 'iam:DeleteInstanceProfile'],
      Condition: { StringEquals: ours, StringLike: { [onResource(NODECLASS_TAG)]: '*' } },
    },
  ];
}

function eksIntegration(scope: PolicyScope): readonly Statement[] {
  return [
    {
      Sid: 'AllowAPIServerEndpointDiscovery',
      Effect: 'Allow',
      Resource: clusterArn(scope),
      Action: 'eks:DescribeCluster',
    },
  ];
}

function interruption(queueArn: string): readonly Statement[] {
  return [
    {
      Sid: 'AllowInterruptionQueueActions',
      Effect: 'Allow',
      Resource: queueArn,
      Action: ['sqs:DeleteMessage', 'sqs:GetQueueUrl', 'sqs:ReceiveMessage'],
    },
  ];
}

function zonalShift(scope: PolicyScope): readonly Statement[] {
  return [
    {
      Sid: 'AllowZonalShiftStatusReadOnly',
      Effect: 'Allow',
      Resource: '*',
      Action: ['arc-zonal-shift:GetManagedResource'],
      Condition: { StringEquals: { 'arc-zonal-shift:ResourceIdentifier': clusterArn(scope) } },
    },
  ];
}

const DESCRIBED = [
  'CapacityReservations',
  'Images',
  'Instances',
  'InstanceStatus',
  'InstanceTypeOfferings',
  'InstanceTypes',
  'LaunchTemplates',
  'PlacementGroups',
  'SecurityGroups',
  'SpotPriceHistory',
  'Subnets',
];

function resourceDiscovery(scope: PolicyScope): readonly Statement[] {
  const { partition, region } = scope;
  const read = (Sid: string, Action: string, Resource: string): Statement => ({
    Sid,
    Effect: 'Allow',
    Resource,
    Action,
  });
  return [
    {
      Sid: 'AllowRegionalReadActions',
      Effect: 'Allow',
      Resource: '*',
      Action: DESCRIBED.map((things) => `ec2:Describe${things}`),
      Condition: { StringEquals: { 'aws:RequestedRegion': region } },
    },
    read('AllowSSMReadActions', 'ssm:GetParameter', `arn:${partition}:ssm:${region}::parameter/aws/service/*`),
    read('AllowPricingReadActions', 'pricing:GetProducts', '*'),
    read('AllowUnscopedInstanceProfileListAction', 'iam:ListInstanceProfiles', '*'),
    read('AllowInstanceProfileReadActions', 'iam:GetInstanceProfile', instanceProfiles(scope)),
  ];
}

function single(values: readonly string[]): string | readonly string[] {
  const [first, ...more] = values;
  return first !== undefined && more.length === 0 ? first : values;
}
