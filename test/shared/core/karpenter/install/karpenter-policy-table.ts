/**
 * The controller policies as Karpenter 1.14.1 publishes them, copied out by hand and kept
 * apart from the code that generates ours. `P` partition, `R` region, `A` account, `C` cluster,
 * `NODE_ROLE` and `QUEUE` the ARNs.
 * @see https://karpenter.sh/docs/reference/cloudformation/
 */
export const KARPENTER_POLICIES: Readonly<Record<string, readonly unknown[]>> = {
  NodeLifecyclePolicy: [
    {
      Sid: 'AllowScopedEC2InstanceAccessActions',
      Effect: 'Allow',
      Resource: [
        'arn:P:ec2:R::image/*',
        'arn:P:ec2:R::snapshot/*',
        'arn:P:ec2:R:*:security-group/*',
        'arn:P:ec2:R:*:subnet/*',
        'arn:P:ec2:R:*:capacity-reservation/*',
        'arn:P:ec2:R:*:placement-group/*',
      ],
      Action: ['ec2:RunInstances', 'ec2:CreateFleet'],
    },
    {
      Sid: 'AllowScopedEC2LaunchTemplateAccessActions',
      Effect: 'Allow',
      Resource: 'arn:P:ec2:R:*:launch-template/*',
      Action: ['ec2:RunInstances', 'ec2:CreateFleet'],
      Condition: {
        StringEquals: { 'aws:ResourceTag/kubernetes.io/cluster/C': 'owned' },
        StringLike: { 'aws:ResourceTag/karpenter.sh/nodepool': '*' },
      },
    },
    {
      Sid: 'AllowScopedEC2InstanceActionsWithTags',
      Effect: 'Allow',
      Resource: [
        'arn:P:ec2:R:*:fleet/*',
        'arn:P:ec2:R:*:instance/*',
        'arn:P:ec2:R:*:volume/*',
        'arn:P:ec2:R:*:network-interface/*',
        'arn:P:ec2:R:*:launch-template/*',
        'arn:P:ec2:R:*:spot-instances-request/*',
      ],
      Action: ['ec2:RunInstances', 'ec2:CreateFleet', 'ec2:CreateLaunchTemplate'],
      Condition: {
        StringEquals: {
          'aws:RequestTag/kubernetes.io/cluster/C': 'owned',
          'aws:RequestTag/eks:eks-cluster-name': 'C',
        },
        StringLike: { 'aws:RequestTag/karpenter.sh/nodepool': '*' },
      },
    },
    {
      Sid: 'AllowScopedResourceCreationTagging',
      Effect: 'Allow',
      Resource: [
        'arn:P:ec2:R:*:fleet/*',
        'arn:P:ec2:R:*:instance/*',
        'arn:P:ec2:R:*:volume/*',
        'arn:P:ec2:R:*:network-interface/*',
        'arn:P:ec2:R:*:launch-template/*',
        'arn:P:ec2:R:*:spot-instances-request/*',
      ],
      Action: 'ec2:CreateTags',
      Condition: {
        StringEquals: {
          'aws:RequestTag/kubernetes.io/cluster/C': 'owned',
          'aws:RequestTag/eks:eks-cluster-name': 'C',
          'ec2:CreateAction': ['RunInstances', 'CreateFleet', 'CreateLaunchTemplate'],
        },
        StringLike: { 'aws:RequestTag/karpenter.sh/nodepool': '*' },
      },
    },
    {
      Sid: 'AllowScopedResourceTagging',
      Effect: 'Allow',
      Resource: 'arn:P:ec2:R:*:instance/*',
      Action: 'ec2:CreateTags',
      Condition: {
        StringEquals: { 'aws:ResourceTag/kubernetes.io/cluster/C': 'owned' },
        StringLike: { 'aws:ResourceTag/karpenter.sh/nodepool': '*' },
        StringEqualsIfExists: { 'aws:RequestTag/eks:eks-cluster-name': 'C' },
        'ForAllValues:StringEquals': { 'aws:TagKeys': ['eks:eks-cluster-name', 'karpenter.sh/nodeclaim', 'Name'] },
      },
    },
    {
      Sid: 'AllowScopedDeletion',
      Effect: 'Allow',
      Resource: ['arn:P:ec2:R:*:instance/*', 'arn:P:ec2:R:*:launch-template/*'],
      Action: ['ec2:TerminateInstances', 'ec2:DeleteLaunchTemplate'],
      Condition: {
        StringEquals: { 'aws:ResourceTag/kubernetes.io/cluster/C': 'owned' },
        StringLike: { 'aws:ResourceTag/karpenter.sh/nodepool': '*' },
      },
    },
  ],
  IAMIntegrationPolicy: [
    {
      Sid: 'AllowPassingInstanceRole',
      Effect: 'Allow',
      Resource: 'NODE_ROLE',
      Action: 'iam:PassRole',
      Condition: { StringEquals: { 'iam:PassedToService': ['ec2.amazonaws.com', 'ec2.amazonaws.com.cn'] } },
    },
    {
      Sid: 'AllowScopedInstanceProfileCreationActions',
      Effect: 'Allow',
      Resource: 'arn:P:iam::A:instance-profile/*',
      Action: ['iam:CreateInstanceProfile'],
      Condition: {
        StringEquals: {
          'aws:RequestTag/kubernetes.io/cluster/C': 'owned',
          'aws:RequestTag/eks:eks-cluster-name': 'C',
          'aws:RequestTag/topology.kubernetes.io/region': 'R',
        },
        StringLike: { 'aws:RequestTag/karpenter.k8s.aws/ec2nodeclass': '*' },
      },
    },
    {
      Sid: 'AllowScopedInstanceProfileTagActions',
      Effect: 'Allow',
      Resource: 'arn:P:iam::A:instance-profile/*',
      Action: ['iam:TagInstanceProfile'],
      Condition: {
        StringEquals: {
          'aws:ResourceTag/kubernetes.io/cluster/C': 'owned',
          'aws:ResourceTag/topology.kubernetes.io/region': 'R',
          'aws:RequestTag/kubernetes.io/cluster/C': 'owned',
          'aws:RequestTag/eks:eks-cluster-name': 'C',
          'aws:RequestTag/topology.kubernetes.io/region': 'R',
        },
        StringLike: {
          'aws:ResourceTag/karpenter.k8s.aws/ec2nodeclass': '*',
          'aws:RequestTag/karpenter.k8s.aws/ec2nodeclass': '*',
        },
      },
    },
    {
      Sid: 'AllowScopedInstanceProfileActions',
      Effect: 'Allow',
      Resource: 'arn:P:iam::A:instance-profile/*',
      Action: ['iam:AddRoleToInstanceProfile', 'iam:RemoveRoleFromInstanceProfile', 'iam:DeleteInstanceProfile'],
      Condition: {
        StringEquals: {
          'aws:ResourceTag/kubernetes.io/cluster/C': 'owned',
          'aws:ResourceTag/topology.kubernetes.io/region': 'R',
        },
        StringLike: { 'aws:ResourceTag/karpenter.k8s.aws/ec2nodeclass': '*' },
      },
    },
  ],
  EKSIntegrationPolicy: [
    {
      Sid: 'AllowAPIServerEndpointDiscovery',
      Effect: 'Allow',
      Resource: 'arn:P:eks:R:A:cluster/C',
      Action: 'eks:DescribeCluster',
    },
  ],
  InterruptionPolicy: [
    {
      Sid: 'AllowInterruptionQueueActions',
      Effect: 'Allow',
      Resource: 'QUEUE',
      Action: ['sqs:DeleteMessage', 'sqs:GetQueueUrl', 'sqs:ReceiveMessage'],
    },
  ],
  ZonalShiftPolicy: [
    {
      Sid: 'AllowZonalShiftStatusReadOnly',
      Effect: 'Allow',
      Resource: '*',
      Action: ['arc-zonal-shift:GetManagedResource'],
      Condition: { StringEquals: { 'arc-zonal-shift:ResourceIdentifier': 'arn:P:eks:R:A:cluster/C' } },
    },
  ],
  ResourceDiscoveryPolicy: [
    {
      Sid: 'AllowRegionalReadActions',
      Effect: 'Allow',
      Resource: '*',
      Action: [
        'ec2:DescribeCapacityReservations',
        'ec2:DescribeImages',
        'ec2:DescribeInstances',
        'ec2:DescribeInstanceStatus',
        'ec2:DescribeInstanceTypeOfferings',
        'ec2:DescribeInstanceTypes',
        'ec2:DescribeLaunchTemplates',
        'ec2:DescribePlacementGroups',
        'ec2:DescribeSecurityGroups',
        'ec2:DescribeSpotPriceHistory',
        'ec2:DescribeSubnets',
      ],
      Condition: { StringEquals: { 'aws:RequestedRegion': 'R' } },
    },
    {
      Sid: 'AllowSSMReadActions',
      Effect: 'Allow',
      Resource: 'arn:P:ssm:R::parameter/aws/service/*',
      Action: 'ssm:GetParameter',
    },
    { Sid: 'AllowPricingReadActions', Effect: 'Allow', Resource: '*', Action: 'pricing:GetProducts' },
    {
      Sid: 'AllowUnscopedInstanceProfileListAction',
      Effect: 'Allow',
      Resource: '*',
      Action: 'iam:ListInstanceProfiles',
    },
    {
      Sid: 'AllowInstanceProfileReadActions',
      Effect: 'Allow',
      Resource: 'arn:P:iam::A:instance-profile/*',
      Action: 'iam:GetInstanceProfile',
    },
  ],
};
