import { Aws, CfnOutput, CustomResource, Duration, Names, Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { filledIn, type Statement } from '../../shared/core/karpenter/install/controller-policies';
import { ADDED_BY_TAG, DISCOVERY_TAG, type DiscoveryRequest } from '../../shared/core/karpenter/install/discovery-tags';
import type { KarpenterSettings } from '../../shared/core/karpenter/install/karpenter-settings';
import { againProperty } from '../constructs/deploy-function';
import { HeadstartFunction } from '../constructs/headstart-function';
import { acknowledgeWildcards, resourcesOf } from './acknowledge-policies';
import policy from './discovery-tags-policy.json';

/** Tags the cluster's subnets and security groups for Karpenter; removes only tags that it added, and none that running nodes need. */
export class DiscoveryTags extends Construct {
  constructor(scope: Construct, id: string, settings: KarpenterSettings) {
    super(scope, id);
    // Moving the construct changes the owner: CloudFormation creates the new resource first and
    // then deletes the old one, which must not remove the tags.
    const owner = `${Aws.STACK_NAME}/${Names.uniqueResourceName(this, { maxLength: 100 })}`;
    const statements = this.statements(settings, owner);
    const tagger = new HeadstartFunction(this, 'Function', {
      entry: 'deploy/set-discovery-tags',
      description: `Sets ${DISCOVERY_TAG} for Karpenter on ${settings.clusterName}`,
      timeout: Duration.minutes(4),
    });
    for (const statement of statements) tagger.role.addToPolicy(PolicyStatement.fromJson(statement));
    acknowledgeWildcards(
      tagger,
      resourcesOf(statements),
      'which subnets and security groups there are is known only when it runs',
    );
    const request: DiscoveryRequest = { clusterName: settings.clusterName, owner, ...settings.discovery };
    const tags = new CustomResource(this, 'Resource', {
      resourceType: 'Custom::HeadstartDiscoveryTags',
      serviceToken: tagger.function.functionArn,
      serviceTimeout: Duration.minutes(9),
      properties: { ...request, ...againProperty(this) },
    });
    // On deletion the function must keep its permissions until the tags are removed.
    tags.node.addDependency(tagger);
    new CfnOutput(this, 'Outcome', {
      description: 'What the deploy did to the discovery tags',
      value: tags.getAttString('Outcome'),
    });
  }

  private statements({ clusterName, region }: KarpenterSettings, owner: string): readonly Statement[] {
    const { partition, account } = Stack.of(this);
    return filledIn(policy, {
      Partition: partition,
      Region: region,
      Account: account,
      ClusterName: clusterName,
      // A failure during a rollback would leave the stack stuck, so the function reads the stack's status.
      StackId: Aws.STACK_ID,
      DiscoveryTag: DISCOVERY_TAG,
      AddedByTag: ADDED_BY_TAG,
      Owner: owner,
    }) as readonly Statement[];
  }
}
