import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import { CfnAddon, CfnPodIdentityAssociation } from 'aws-cdk-lib/aws-eks';
import { CfnManagedPolicy, CfnRole } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { amiParameterPolicy } from '../../shared/core/karpenter/install/ami-parameter-policy';
import { controllerPolicies } from '../../shared/core/karpenter/install/controller-policies';
import type { KarpenterSettings } from '../../shared/core/karpenter/install/karpenter-settings';
import { acknowledgeWildcards, resourcesOf } from './acknowledge-policies';

export interface ControllerRoleProps {
  readonly settings: KarpenterSettings;
  readonly roleName: string;
  /** The roles that the controller may give to nodes. */
  readonly nodeRoleArns: readonly string[];
  /** Your own SSM parameters with AMI ids, by name or ARN. */
  readonly amiParameters: readonly string[];
  /** The interruption queue. @default - the controller reads no queue */
  readonly queueArn?: string | undefined;
}

/**
 * The role of the Karpenter controller, with Karpenter's own scoped policies, and one more if pools need it.
 *
 * All of it outlives the stack: without its role the controller could neither launch nor terminate nodes.
 */
export class ControllerRole extends Construct {
  readonly roleArn: string;

  constructor(scope: Construct, id: string, props: ControllerRoleProps) {
    super(scope, id);
    const role = new CfnRole(this, 'Role', {
      roleName: props.roleName,
      description: `The Karpenter controller of ${props.settings.clusterName}`,
      assumeRolePolicyDocument: { Version: '2012-10-17', Statement: [this.trust(props.settings)] },
      managedPolicyArns: this.createPolicies(props),
    });
    role.applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE);
    this.roleArn = role.attrArn;
    if (props.settings.identity.kind === 'pod-identity')
      this.associate(props.settings, props.settings.identity.installAgent);
  }

  private createPolicies({ settings, nodeRoleArns, amiParameters, queueArn }: ControllerRoleProps): string[] {
    const { partition, account } = Stack.of(this);
    const scope = {
      partition,
      account,
      region: settings.region,
      clusterName: settings.clusterName,
      nodeRoleArns,
      ...(queueArn !== undefined && { queueArn }),
    };
    const policies = [
      ...controllerPolicies(scope),
      ...(amiParameters.length > 0 ? [amiParameterPolicy(scope, amiParameters)] : []),
    ];
    return policies.map(({ name, statements }) => {
      const policy = new CfnManagedPolicy(this, name, {
        description: `KarpenterController${name} of ${settings.clusterName}`,
        policyDocument: { Version: '2012-10-17', Statement: statements },
      });
      policy.applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE);
      acknowledgeWildcards(
        policy,
        resourcesOf(statements),
        "Karpenter's own policy: what it may touch is narrowed by tags",
      );
      return policy.ref;
    });
  }

  private trust({ identity, namespace, serviceAccount }: KarpenterSettings) {
    if (identity.kind === 'pod-identity')
      return {
        Effect: 'Allow',
        Principal: { Service: 'pods.eks.amazonaws.com' },
        Action: ['sts:AssumeRole', 'sts:TagSession'],
      };
    const { partition, account } = Stack.of(this);
    return {
      Effect: 'Allow',
      Principal: { Federated: `arn:${partition}:iam::${account}:oidc-provider/${identity.issuer}` },
      Action: 'sts:AssumeRoleWithWebIdentity',
      Condition: {
        StringEquals: {
          [`${identity.issuer}:aud`]: 'sts.amazonaws.com',
          [`${identity.issuer}:sub`]: `system:serviceaccount:${namespace}:${serviceAccount}`,
        },
      },
    };
  }

  private associate({ clusterName, namespace, serviceAccount }: KarpenterSettings, installAgent: boolean): void {
    new CfnPodIdentityAssociation(this, 'Association', {
      clusterName,
      namespace,
      serviceAccount,
      roleArn: this.roleArn,
    }).applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE);
    if (!installAgent) return;
    const agent = new CfnAddon(this, 'PodIdentityAgent', { clusterName, addonName: 'eks-pod-identity-agent' });
    // Other pods may have come to depend on it.
    agent.applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE);
  }
}
