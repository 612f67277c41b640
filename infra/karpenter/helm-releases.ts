import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { CfnAccessEntry } from 'aws-cdk-lib/aws-eks';
import { Cluster, HelmChart, type ICluster, KubectlProvider } from 'aws-cdk-lib/aws-eks-v2';
import { type CfnRole, ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { CfnFunction, ILayerVersion, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct, type IConstruct } from 'constructs';
import type { ClusterConfig } from '../../shared/core/config/config';
import { type HelmFacts, type HelmRelease, helmReleases } from '../../shared/core/karpenter/helm-release';
import type { KarpenterSettings } from '../../shared/core/karpenter/karpenter-settings';
import { acknowledge, acknowledgeManagedPolicies, acknowledgeWildcards } from './acknowledge';

/** Properties of `HelmReleases`. */
export interface HelmReleasesProps {
  /** Charts, version, namespace and values. */
  readonly settings: KarpenterSettings;
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

  constructor(scope: Construct, id: string, { settings, cluster, facts, kubectlLayer }: HelmReleasesProps) {
    super(scope, id);
    const target = this.cluster(settings, cluster, kubectlLayer);
    const [crds, controller] = helmReleases(settings, facts);
    // Kept even when the first deploy is rolled back: Helm adopts a release that is older than this stack.
    const created = this.install(target, settings, crds, RemovalPolicy.RETAIN);
    this.controller = this.install(target, settings, controller, RemovalPolicy.DESTROY);
    this.controller.node.addDependency(created);
  }

  private install(
    cluster: ICluster,
    settings: KarpenterSettings,
    helmRelease: HelmRelease,
    removalPolicy: RemovalPolicy,
  ) {
    const { release, chart, values, skipCrds } = helmRelease;
    return new HelmChart(this, release, {
      cluster,
      release,
      chart: release,
      repository: chart,
      version: settings.version,
      namespace: settings.namespace,
      values,
      skipCrds,
      createNamespace: true,
      wait: true,
      timeout: Duration.minutes(10),
      removalPolicy,
    });
  }

  private cluster({ clusterName }: KarpenterSettings, { vpc }: ClusterConfig, kubectlLayer: ILayerVersion): ICluster {
    const role = this.role(vpc !== undefined);
    // Granted before the function exists: an access entry takes some seconds to reach the cluster.
    const access = this.grantAdmin(clusterName, role.roleArn);
    const cluster = Cluster.fromClusterAttributes(this, 'Target', { clusterName });
    const kubectlProvider = new KubectlProvider(this, 'Kubectl', { cluster, kubectlLayer, role });
    kubectlProvider.node.addDependency(access);
    const handler = kubectlProvider.node.findChild('Handler') as LambdaFunction;
    // By ids alone: an imported VPC would have to be looked up, which needs credentials at synth.
    if (vpc)
      (handler.node.defaultChild as CfnFunction).vpcConfig = {
        subnetIds: [...vpc.subnetIds],
        securityGroupIds: [...vpc.securityGroupIds],
      };
    this.acknowledgeProvider(kubectlProvider, handler, role);
    return Cluster.fromClusterAttributes(this, 'Cluster', { clusterName, kubectlProvider });
  }

  private role(inVpc: boolean): Role {
    const policies = ['AWSLambdaBasicExecutionRole', ...(inVpc ? ['AWSLambdaVPCAccessExecutionRole'] : [])];
    return new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      managedPolicies: policies.map((name) => ManagedPolicy.fromAwsManagedPolicyName(`service-role/${name}`)),
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
  private acknowledgeProvider(provider: KubectlProvider, handler: LambdaFunction, role: Role): void {
    const reason = "the CDK's own kubectl provider, which runs only while Karpenter is installed or upgraded";
    const { managedPolicyArns = [] } = role.node.defaultChild as CfnRole;
    acknowledgeManagedPolicies(this, Stack.of(this).resolve(managedPolicyArns), reason);
    acknowledgeWildcards(provider, [`${handler.functionArn}:*`], reason);
    acknowledge(provider, ['AwsSolutions-L1'], reason);
  }
}
