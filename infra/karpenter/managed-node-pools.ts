import { CfnOutput, CfnWaitConditionHandle } from 'aws-cdk-lib';
import { Construct, type IDependable } from 'constructs';
import type { Config } from '../../shared/core/config/config';
import { nodePoolManifests } from '../../shared/core/karpenter/node-pools';
import { ClusterObjects } from '../constructs/cluster-objects-resource';
import { ClusterReach } from '../constructs/cluster-reach';
import { printManifests } from '../constructs/print-manifests';
import { ScheduleGroup } from '../constructs/schedule-group';

/** The NodePools and EC2NodeClasses of the `pool` blocks; deleting one drains nodes, so none is ever deleted. */
export class ManagedNodePools extends Construct {
  constructor(scope: Construct, id: string, config: Config, after: readonly IDependable[]) {
    super(scope, id);
    const objects = nodePoolManifests(config);
    if (config.cluster.access === 'manual') {
      printManifests(this, config.cluster, 'nodepools', objects);
      // CloudFormation does not deploy a stack without resources, and only a deployed one prints outputs.
      new CfnWaitConditionHandle(this, 'Nothing');
      return;
    }
    const { endpoint, placement, needed } = ClusterReach.of(this, config.cluster);
    const { resource, dailyDrop } = new ClusterObjects(this, 'Objects', {
      cluster: config.cluster,
      endpoint,
      objects,
      what: 'the NodePools and EC2NodeClasses of the config',
      part: 'node-pools',
      placement,
      after: [...after, ...needed],
    });
    ScheduleGroup.of(this).addDaily('daily-drop-admin-node-pools', dailyDrop);
    new CfnOutput(this, 'LeftToDelete', {
      description:
        'NodePools that the config no longer contains. Deleting one drains its nodes, so the command is yours to run',
      value: resource.getAttString('LeftToDelete'),
    });
  }
}
