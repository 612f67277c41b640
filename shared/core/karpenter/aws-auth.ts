import type { KarpenterPlan } from './karpenter-plan';

/** The command that maps the node role in aws-auth, for clusters without access entries. */
export function awsAuthCommand({ clusterName, region }: KarpenterPlan, roleArn: string): string {
  return [
    `eksctl create iamidentitymapping --cluster ${clusterName} --region ${region} --arn ${roleArn}`,
    "--username 'system:node:{{EC2PrivateDNSName}}' --group system:bootstrappers --group system:nodes",
  ].join(' ');
}
