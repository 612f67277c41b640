import { Aws, CfnOutput, CustomResource, Duration, Names, Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { Statement } from '../../shared/core/karpenter/controller-policies';
import { ADDED_BY_TAG, DISCOVERY_TAG, type DiscoveryRequest } from '../../shared/core/karpenter/discovery-tags';
import type { KarpenterSettings } from '../../shared/core/karpenter/karpenter-settings';
import { againProperty } from '../constructs/deploy-function';
import { HeadstartFunction } from '../constructs/headstart-function';
import { acknowledgeWildcards, resourcesOf } from './acknowledge';

/** Properties of `DiscoveryTags`. */
export interface DiscoveryTagsProps {
  /** Which subnets and security groups are tagged. */
  readonly settings: KarpenterSettings;
}

/** Tags the cluster's subnets and security groups so that Karpenter finds them; takes away only what it added, and nothing that nodes live on. */
export class DiscoveryTags extends Construct {
  constructor(scope: Construct, id: string, { settings }: DiscoveryTagsProps) {
    super(scope, id);
    // Another place in the app is another owner: CloudFormation would create that one
    // first and then delete this one, which must not take the tags along.
    const owner = `${Aws.STACK_NAME}/${Names.uniqueResourceName(this, { maxLength: 100 })}`;
    const statements = this.statements(settings, owner);
    const tagger = new HeadstartFunction(this, 'Function', {
      entry: 'deploy/discovery-tags',
      description: `Sets ${DISCOVERY_TAG} for Karpenter on ${settings.clusterName}`,
      timeout: Duration.minutes(2),
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
      serviceTimeout: Duration.minutes(5),
      properties: { ...request, ...againProperty(this) },
    });
    // The function must still be allowed to remove the tags when all of this is deleted.
    tags.node.addDependency(tagger);
    new CfnOutput(this, 'Outcome', {
      description: 'What the deploy did to the discovery tags',
      value: tags.getAttString('Outcome'),
    });
  }

  private statements({ clusterName, region }: KarpenterSettings, owner: string): readonly Statement[] {
    const { partition, account } = Stack.of(this);
    const cluster = `arn:${partition}:eks:${region}:${account}:cluster/${clusterName}`;
    const taggable = ['subnet', 'security-group'].map((kind) => `arn:${partition}:ec2:${region}:*:${kind}/*`);
    const onlyOurKeys = { 'ForAllValues:StringEquals': { 'aws:TagKeys': [DISCOVERY_TAG, ADDED_BY_TAG] } };
    return [
      {
        // A failure while an update is rolled back would leave the stack stuck, so the function asks whether it is.
        Sid: 'ReadStack',
        Effect: 'Allow',
        Action: 'cloudformation:DescribeStacks',
        Resource: Aws.STACK_ID,
      },
      {
        Sid: 'ReadCluster',
        Effect: 'Allow',
        Action: ['eks:DescribeCluster', 'eks:ListNodegroups'],
        Resource: cluster,
      },
      {
        Sid: 'ReadNodeGroups',
        Effect: 'Allow',
        Action: 'eks:DescribeNodegroup',
        Resource: `arn:${partition}:eks:${region}:${account}:nodegroup/${clusterName}/*`,
      },
      {
        Sid: 'ReadTagsNodesAndLaunchTemplates',
        Effect: 'Allow',
        Action: ['ec2:DescribeTags', 'ec2:DescribeInstances', 'ec2:DescribeLaunchTemplateVersions'],
        Resource: '*',
      },
      {
        Sid: 'AddTags',
        Effect: 'Allow',
        Action: 'ec2:CreateTags',
        Resource: taggable,
        Condition: { ...onlyOurKeys, StringEquals: { [`aws:RequestTag/${DISCOVERY_TAG}`]: clusterName } },
      },
      {
        Sid: 'RemoveOwnTags',
        Effect: 'Allow',
        Action: 'ec2:DeleteTags',
        Resource: taggable,
        Condition: { ...onlyOurKeys, StringEquals: { [`aws:ResourceTag/${ADDED_BY_TAG}`]: owner } },
      },
    ];
  }
}
