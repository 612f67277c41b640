import type { KarpenterSettings } from './karpenter-settings';

/** The command that maps the node role in aws-auth, for clusters without access entries. */
export function awsAuthCommand({ clusterName, region }: KarpenterSettings, roleArn: string): string {
  return [
    `eksctl create iamidentitymapping --cluster ${clusterName} --region ${region} --arn ${roleArn}`,
    "--username 'system:node:{{EC2PrivateDNSName}}' --group system:bootstrappers --group system:nodes",
  ].join(' ');
}
