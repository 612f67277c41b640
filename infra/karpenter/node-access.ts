import { CfnOutput, RemovalPolicy } from 'aws-cdk-lib';
import { CfnAccessEntry } from 'aws-cdk-lib/aws-eks';
import { Construct } from 'constructs';
import { awsAuthCommand } from '../../shared/core/karpenter/aws-auth';
import type { KarpenterPlan } from '../../shared/core/karpenter/karpenter-plan';

/** Properties of `NodeAccess`. */
export interface NodeAccessProps {
  /** How nodes are let in. */
  readonly plan: KarpenterPlan;
  /** The role of the nodes. */
  readonly roleArn: string;
}

/**
 * Lets Karpenter's nodes join the cluster.
 *
 * For `aws-auth` it only prints the command. A function of ours could edit that
 * ConfigMap only in a cluster that has let it in by an access entry, and there an
 * access entry serves the nodes too; and a broken aws-auth locks everybody out.
 */
export class NodeAccess extends Construct {
  constructor(scope: Construct, id: string, { plan, roleArn }: NodeAccessProps) {
    super(scope, id);
    if (plan.nodeAccess === 'entry') {
      const entry = new CfnAccessEntry(this, 'Entry', {
        clusterName: plan.clusterName,
        principalArn: roleArn,
        type: 'EC2_LINUX',
      });
      // Nodes that run keep their place in the cluster, as they keep their role.
      entry.applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE);
    }
    if (plan.nodeAccess === 'aws-auth')
      new CfnOutput(this, 'AwsAuth', {
        description: "Run this once, to let Karpenter's nodes into the cluster",
        value: awsAuthCommand(plan, roleArn),
      });
  }
}
