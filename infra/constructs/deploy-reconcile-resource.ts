import { CfnOutput, Duration } from 'aws-cdk-lib';
import { Construct, type IDependable } from 'constructs';
import { hashText } from '../../shared/core/basics/names';
import type { Config } from '../../shared/core/config/config';
import { configText } from '../bundling/bundling';
import { DeployFunction } from './deploy-function';
import type { HeadstartFunction } from './headstart-function';

export interface DeployReconcileProps {
  /** A change of its runtime part runs the reconcile function again. */
  readonly config: Config;
  readonly reconcile: HeadstartFunction;
  /** What must exist before, such as access to the cluster. */
  readonly after: readonly IDependable[];
}

/**
 * Runs the reconcile function once at the end of a deploy: the headroom is up to date at once, and a cluster that
 * cannot be reached or refuses us fails the deploy with the cause and the fix. It may only invoke that one function.
 * With manual access there is nothing to run yet: a person grants the functions access after the deploy.
 */
export class DeployReconcile extends Construct {
  constructor(scope: Construct, id: string, { config, reconcile, after }: DeployReconcileProps) {
    super(scope, id);
    if (config.cluster.access === 'manual') return;
    const { cluster, karpenter } = config;
    const runner = new DeployFunction(this, 'Function', {
      entry: 'deploy/deploy-reconcile',
      description: `Runs the reconcile function of ${cluster.name} once at the end of a deploy`,
      cluster,
      timeout: Duration.minutes(6),
    });
    const { functionArn } = reconcile.function;
    runner.allow('lambda:InvokeFunction', functionArn);
    const resource = runner.resource('DeployReconcile', {
      functionName: functionArn,
      configHash: hashText(configText(config)),
      karpenterLater: `${karpenter?.manage === true && karpenter.helm?.install !== true}`,
    });
    resource.node.addDependency(reconcile, ...after);
    new CfnOutput(this, 'Outcome', {
      description: 'Headroom of each NodePool after the deploy',
      value: resource.getAttString('Outcome'),
    });
  }
}
