import { Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { ClusterConfig } from '../../shared/core/config/config';

/** The only EKS permission that most functions need: to read this cluster's endpoint. */
export function describeClusterStatement(scope: Construct, { name, region }: ClusterConfig): PolicyStatement {
  const { partition, account } = Stack.of(scope);
  return new PolicyStatement({
    actions: ['eks:DescribeCluster'],
    resources: [`arn:${partition}:eks:${region}:${account}:cluster/${name}`],
  });
}
