import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { hashText } from '../shared/core/basics/names';
import type { ClusterConfig } from '../shared/core/config/config';
import { Headstart, type HeadstartProps } from './headstart';

const MAX_NAME = 128;

/** Properties of `HeadstartStack`. */
export interface HeadstartStackProps extends HeadstartProps, Omit<StackProps, 'env' | 'stackName' | 'description'> {}

/** One cluster's Headstart, in that cluster's region and account. */
export class HeadstartStack extends Stack {
  readonly headstart: Headstart;

  constructor(scope: Construct, id: string, props: HeadstartStackProps) {
    const { name, region, account } = props.config.cluster;
    super(scope, id, {
      ...props,
      stackName: stackName(props.config.cluster),
      description: `Headstart: nodes of ${name} ready ahead of the peak`,
      env: { region, ...(account !== undefined && { account }) },
    });
    this.headstart = new Headstart(this, 'Headstart', props);
    for (const output of this.headstart.node.findAll()) if (output instanceof CfnOutput) this.nameForPeople(output);
  }

  /** People type the names of outputs: `EmergencyInflate` and no hash behind it. */
  private nameForPeople(output: CfnOutput): void {
    const path = output.node.path.slice(this.headstart.node.path.length);
    output.overrideLogicalId(path.replace(/[^A-Za-z0-9]/g, ''));
  }
}

/** A name of its own for each cluster of each region, in the letters that CloudFormation takes. */
export function stackName({ name, region }: ClusterConfig): string {
  const whole = `Headstart-${name}-${region}`;
  const clean = whole.replace(/[^A-Za-z0-9-]/g, '-');
  if (clean === whole && whole.length <= MAX_NAME) return whole;
  const hash = hashText(whole);
  return `${clean.slice(0, MAX_NAME - hash.length - 1)}-${hash}`;
}
