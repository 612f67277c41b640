import type { KarpenterSettings } from './karpenter-settings';

/** The command that maps the node role in aws-auth, for clusters without access entries. aws-auth matches ARNs without a path. */
export function awsAuthCommand({ clusterName, region }: KarpenterSettings, roleArn: string): string {
  const withoutPath = roleArn.replace(/:role\/.*\//, ':role/');
  return [
    `eksctl create iamidentitymapping --cluster ${clusterName} --region ${region} --arn ${withoutPath}`,
    "--username 'system:node:{{EC2PrivateDNSName}}' --group system:bootstrappers --group system:nodes",
  ].join(' ');
}
