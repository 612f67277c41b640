import { CfnOutput } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import { hashText } from '../shared/core/basics/names';
import type { ClusterConfig } from '../shared/core/config/config';

const MAX_NAME = 128;

/** A unique name for each cluster of each region, in characters that CloudFormation accepts. */
export function stackName(cluster: ClusterConfig): string {
  return nameOf(cluster, '');
}

export function karpenterStackName(cluster: ClusterConfig): string {
  return nameOf(cluster, '-karpenter');
}

function nameOf({ name, region }: ClusterConfig, end: string): string {
  const whole = `Headstart-${name}-${region}`;
  const clean = whole.replace(/[^A-Za-z0-9-]/g, '-');
  if (clean === whole && whole.length + end.length <= MAX_NAME) return `${whole}${end}`;
  const tail = `-${hashText(whole)}${end}`;
  return `${clean.slice(0, MAX_NAME - tail.length)}${tail}`;
}

/** People type the names of outputs, so they have no hash: `EmergencyInflate`. */
export function nameOutputs(root: IConstruct): void {
  for (const output of root.node.findAll())
    if (output instanceof CfnOutput) {
      const path = output.node.path.slice(root.node.path.length);
      output.overrideLogicalId(path.replace(/[^A-Za-z0-9]/g, ''));
    }
}
