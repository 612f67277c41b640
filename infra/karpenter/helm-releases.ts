import { Aws, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { SecurityGroup, Subnet, Vpc } from 'aws-cdk-lib/aws-ec2';
import { CfnAccessEntry } from 'aws-cdk-lib/aws-eks';
import { Cluster, HelmChart, type ICluster, KubectlProvider } from 'aws-cdk-lib/aws-eks-v2';
import { type CfnRole, ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { ILayerVersion, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct, type IConstruct } from 'constructs';
import type { ClusterConfig } from '../../shared/core/config/config';
import { type HelmFacts, type HelmRelease, helmReleases } from '../../shared/core/karpenter/helm-release';
import type { KarpenterPlan } from '../../shared/core/karpenter/karpenter-plan';
import { acknowledge, acknowledgeManagedPolicies, acknowledgeWildcards } from './acknowledge';

/** Properties of `HelmReleases`. */
export interface HelmReleasesProps {
  /** Charts, version, namespace and values. */
  readonly plan: KarpenterPlan;
  /** Where the function that runs Helm must be placed. */
  readonly cluster: ClusterConfig;
  /** The role and the queue of the controller. */
  readonly facts: HelmFacts;
  /** A layer with kubectl and helm. */
  readonly kubectlLayer: ILayerVersion;
}

/**
 * Installs Karpenter: the CRDs first, then the controller.
 *
 * The CRDs outlive the stack, because deleting them deletes every NodePool and
 * so drains every node. The controller is uninstalled with the stack; its nodes
 * stay as they are.
 */
export class HelmReleases extends Construct {
  /** The release of the controller; whatever it needs when it starts goes before it. */
  readonly controller: HelmChart;

  constructor(scope: Construct, id: string, { plan, cluster, facts, kubectlLayer }: HelmReleasesProps) {
    super(scope, id);
    const target = this.cluster(plan, cluster, kubectlLayer);
    const [crds, controller] = helmReleases(plan, facts);
    const created = this.install(target, plan, crds, RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE);
    this.controller = this.install(target, plan, controller, RemovalPolicy.DESTROY);
    this.controller.node.addDependency(created);
  }

  private install(cluster: ICluster, plan: KarpenterPlan, helmRelease: HelmRelease, removalPolicy: RemovalPolicy) {
    const { release, chart, values, skipCrds } = helmRelease;
    return new HelmChart(this, release, {
      cluster,
      release,
      chart: release,
      repository: chart,
      version: plan.version,
      namespace: plan.namespace,
      values,
      skipCrds,
      createNamespace: true,
      wait: true,
      timeout: Duration.minutes(10),
      removalPolicy,
    });
  }

  private cluster({ clusterName }: KarpenterPlan, { vpc }: ClusterConfig, kubectlLayer: ILayerVersion): ICluster {
    const role = this.role();
    // Granted before the function exists: an access entry takes some seconds to reach the cluster.
    const access = this.grantAdmin(clusterName, role.roleArn);
    // Only the ids of subnets and security groups reach the template, so nobody need know the VPC.
    const known = vpc && Vpc.fromVpcAttributes(this, 'Vpc', { vpcId: Aws.NO_VALUE, availabilityZones: [] });
    const imported = { clusterName, ...(known && { vpc: known }) };
    const provider = new KubectlProvider(this, 'Kubectl', {
      cluster: Cluster.fromClusterAttributes(this, 'Target', imported),
      kubectlLayer,
      role,
      ...(vpc && {
        privateSubnets: vpc.subnetIds.map((id) => Subnet.fromSubnetId(this, id, id)),
        securityGroups: vpc.securityGroupIds.map((id) => SecurityGroup.fromSecurityGroupId(this, id, id)),
      }),
    });
    provider.node.addDependency(access);
    this.acknowledgeProvider(provider, role);
    return Cluster.fromClusterAttributes(this, 'Cluster', { ...imported, kubectlProvider: provider });
  }

  private role(): Role {
    const basic = ManagedPolicy.fromAwsManagedPolicyName('service-role/AWSLambdaBasicExecutionRole');
    return new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      managedPolicies: [basic],
    });
  }

  private grantAdmin(clusterName: string, principalArn: string): IConstruct {
    const { partition } = Stack.of(this);
    return new CfnAccessEntry(this, 'Access', {
      clusterName,
      principalArn,
      accessPolicies: [
        {
          policyArn: `arn:${partition}:eks::aws:cluster-access-policy/AmazonEKSClusterAdminPolicy`,
          accessScope: { type: 'cluster' },
        },
      ],
    });
  }

  /** The provider is the CDK's own; what it is made of cannot be chosen. */
  private acknowledgeProvider(provider: KubectlProvider, role: Role): void {
    const reason = "the CDK's own kubectl provider, which runs only while Karpenter is installed or upgraded";
    const { managedPolicyArns = [] } = role.node.defaultChild as CfnRole;
    const { functionArn } = provider.node.findChild('Handler') as LambdaFunction;
    acknowledgeManagedPolicies(this, Stack.of(this).resolve(managedPolicyArns), reason);
    acknowledgeWildcards(provider, [`${functionArn}:*`], reason);
    acknowledge(provider, ['AwsSolutions-L1'], reason);
  }
}
