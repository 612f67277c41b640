import { Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { Config } from '../shared/core/config/config';
import { setSwitches } from './constructs/stack-settings';
import { KarpenterPrerequisites, type KarpenterPrerequisitesProps } from './karpenter/karpenter-prerequisites';
import { ManagedNodePools } from './karpenter/managed-node-pools';
import { karpenterStackName, nameOutputs } from './stack-names';

export interface KarpenterStackProps
  extends KarpenterPrerequisitesProps,
    Omit<StackProps, 'env' | 'stackName' | 'description'> {}

export function needsKarpenterStack({ karpenter, headrooms }: Config): boolean {
  return karpenter?.manage === true || headrooms.some(({ pool }) => pool !== undefined);
}

/**
 * What Karpenter and its nodes depend on: roles, queue, tags, Helm release and NodePools.
 *
 * It shares nothing with the headroom stack, which can be destroyed at any time. This one is protected against
 * deletion, and what nodes need to launch and to terminate stays even if the stack is deleted.
 */
export class KarpenterStack extends Stack {
  constructor(scope: Construct, id: string, props: KarpenterStackProps) {
    const { config, kubectlLayer, ...rest } = props;
    const { name, region, account } = config.cluster;
    super(scope, id, {
      terminationProtection: config.karpenter?.terminationProtection ?? true,
      ...rest,
      stackName: karpenterStackName(config.cluster),
      description: `Headstart: Karpenter's prerequisites and NodePools on ${name}`,
      env: { region, ...(account !== undefined && { account }) },
    });
    setSwitches(this, config.stack);
    const karpenter = config.karpenter?.manage
      ? new KarpenterPrerequisites(this, 'Karpenter', { config, ...(kubectlLayer && { kubectlLayer }) })
      : undefined;
    if (config.headrooms.some(({ pool }) => pool !== undefined))
      new ManagedNodePools(this, 'NodePools', config, karpenter ? [karpenter] : []);
    nameOutputs(this);
  }
}
