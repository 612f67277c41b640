import { CfnOutput, RemovalPolicy } from 'aws-cdk-lib';
import { CfnAccessEntry } from 'aws-cdk-lib/aws-eks';
import { Construct } from 'constructs';
import { awsAuthCommand } from '../../shared/core/karpenter/install/aws-auth';
import type { KarpenterSettings } from '../../shared/core/karpenter/install/karpenter-settings';

/**
 * Lets Karpenter's nodes join the cluster.
 *
 * For `aws-auth` it only prints the command. A function could edit that ConfigMap only in a cluster with access
 * entries, where an access entry serves the nodes too; and a broken aws-auth locks everybody out.
 */
export class NodeAccess extends Construct {
  constructor(scope: Construct, id: string, settings: KarpenterSettings, roleArn: string) {
    super(scope, id);
    if (settings.nodeAccess === 'entry') {
      const entry = new CfnAccessEntry(this, 'Entry', {
        clusterName: settings.clusterName,
        principalArn: roleArn,
        type: 'EC2_LINUX',
      });
      // Running nodes keep their access, as they keep their role.
      entry.applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE);
    }
    if (settings.nodeAccess === 'aws-auth')
      new CfnOutput(this, 'AwsAuth', {
        description: "Run this once, to let Karpenter's nodes into the cluster",
        value: awsAuthCommand(settings, roleArn),
      });
  }
}
