import { Stack } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/** The ARN of one of EKS's access policies. */
export function accessPolicyArn(scope: IConstruct, name: string): string {
  return `arn:${Stack.of(scope).partition}:eks::aws:cluster-access-policy/${name}`;
}
