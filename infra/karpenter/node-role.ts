import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import { CfnInstanceProfile, CfnRole } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { roleArnOf } from '../../shared/core/basics/iam-role';
import type { KarpenterSettings } from '../../shared/core/karpenter/install/karpenter-settings';
import { acknowledgeManagedPolicies } from './acknowledge-policies';

const POLICIES = [
  'AmazonEKS_CNI_Policy',
  'AmazonEKSWorkerNodePolicy',
  'AmazonEC2ContainerRegistryPullOnly',
  'AmazonSSMManagedInstanceCore',
];

/**
 * The role of Karpenter's nodes and, on request, an instance profile with it.
 *
 * Both outlive the stack: running nodes use them, and without the role every node
 * that Karpenter launched would drop out of the cluster.
 */
export class NodeRole extends Construct {
  /** The ARN of the created or existing role; `undefined` if it is left out. */
  readonly roleArn: string | undefined;

  constructor(scope: Construct, id: string, { nodeRole, instanceProfile }: KarpenterSettings) {
    super(scope, id);
    if (nodeRole.kind === 'none') return;
    this.roleArn =
      nodeRole.kind === 'create' ? this.createRole(nodeRole.name) : roleArnOf(nodeRole.written, Stack.of(this));
    if (instanceProfile.kind !== 'create') return;
    const profile = new CfnInstanceProfile(this, 'InstanceProfile', {
      instanceProfileName: instanceProfile.name,
      roles: [nodeRole.name],
    });
    if (nodeRole.kind === 'create') profile.node.addDependency(this.node.findChild('Role'));
    profile.applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE);
  }

  private createRole(roleName: string): string {
    const { partition, urlSuffix } = Stack.of(this);
    const managedPolicyArns = POLICIES.map((policy) => `arn:${partition}:iam::aws:policy/${policy}`);
    const role = new CfnRole(this, 'Role', {
      roleName,
      description: "Karpenter's nodes",
      assumeRolePolicyDocument: {
        Version: '2012-10-17',
        Statement: [{ Effect: 'Allow', Principal: { Service: `ec2.${urlSuffix}` }, Action: 'sts:AssumeRole' }],
      },
      managedPolicyArns,
    });
    role.applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE);
    acknowledgeManagedPolicies(role, managedPolicyArns, 'the policies that EKS and Karpenter require of a node role');
    return role.attrArn;
  }
}
