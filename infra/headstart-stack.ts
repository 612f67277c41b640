import { Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { Config } from '../shared/core/config/config';
import { Headstart, type HeadstartProps } from './headstart';
import { nameOutputs, stackName } from './stack-names';

export interface HeadstartStackProps
  extends Omit<HeadstartProps, 'config'>,
    Omit<StackProps, 'env' | 'stackName' | 'description'> {
  /** The config of one cluster, as `loadConfig` or `defineConfig` returns it. */
  readonly config: Config;
}

/** One cluster's headroom, in that cluster's region and account. It can be destroyed at any time. */
export class HeadstartStack extends Stack {
  readonly headstart: Headstart;

  constructor(scope: Construct, id: string, props: HeadstartStackProps) {
    const { name, region, account } = props.config.cluster;
    super(scope, id, {
      terminationProtection: props.config.stack?.terminationProtection ?? false,
      ...props,
      stackName: stackName(props.config.cluster),
      description: `Headstart: nodes of ${name} ready ahead of the peak`,
      env: { region, ...(account !== undefined && { account }) },
    });
    this.headstart = new Headstart(this, 'Headstart', props);
    nameOutputs(this.headstart);
  }
}
