import { type CfnCustomResource, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { CfnAccessEntry } from 'aws-cdk-lib/aws-eks';
import { Cluster, HelmChart, type ICluster, KubectlProvider } from 'aws-cdk-lib/aws-eks-v2';
import { type CfnRole, ManagedPolicy, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { CfnFunction, ILayerVersion, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnLogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct, type IConstruct } from 'constructs';
import type { ClusterConfig } from '../../shared/core/config/config';
import { type HelmFacts, type HelmRelease, helmReleases } from '../../shared/core/karpenter/helm-release';
import type { KarpenterSettings } from '../../shared/core/karpenter/karpenter-settings';
import { ClusterReach } from '../constructs/cluster-reach';
import { DeployFunction } from '../constructs/deploy-function';
import { describeClusterStatement } from '../constructs/describe-cluster-statement';
import { HeadstartFunction } from '../constructs/headstart-function';
import { encryptionKeyOf, switchesOf } from '../constructs/switches';
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
 * Both outlive the stack: deleting the CRDs deletes every NodePool and so drains
 * every node, and without the controller no node is launched or terminated.
 */
export class HelmReleases extends Construct {
  /** The release of the controller; whatever it needs when it starts goes before it. */
  readonly controller: HelmChart;

  constructor(scope: Construct, id: string, { settings, cluster, facts, kubectlLayer }: HelmReleasesProps) {
    super(scope, id);
    const reach = ClusterReach.of(this, cluster);
    const target = this.cluster(settings, reach, kubectlLayer);
    const check = this.check(settings, cluster, reach);
    const [crds, controller] = helmReleases(settings, facts);
    // Kept even when the first deploy is rolled back: Helm adopts a release that is older than this stack.
    const created = this.install(target, settings, crds, RemovalPolicy.RETAIN);
    const { RETAIN, RETAIN_ON_UPDATE_OR_DELETE } = RemovalPolicy;
    // What was there before the stack is not taken away by a rollback either.
    const kept = settings.helm.adopt ? RETAIN : RETAIN_ON_UPDATE_OR_DELETE;
    this.controller = this.install(target, settings, controller, kept);
    for (const chart of [created, this.controller]) this.identify(chart, reach);
    created.node.addDependency(check, ...reach.needed);
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

  /** A release goes with its cluster; the other identity makes CloudFormation run Helm again. Helm's function does not read it. */
  private identify(chart: HelmChart, { endpoint }: ClusterReach): void {
    const resource = chart.node.findChild('Resource').node.defaultChild as CfnCustomResource;
    resource.addPropertyOverride('HeadstartClusterId', endpoint.clusterId);
  }

  /** Looks for a controller that is there already, with the right to look and none to change. */
  private check({ namespace, helm }: KarpenterSettings, cluster: ClusterConfig, reach: ClusterReach): IConstruct {
    const { endpoint, placement, needed } = reach;
    const checker = new HeadstartFunction(this, 'Check', {
      entry: 'deploy/karpenter-check',
      description: `Looks for a Karpenter controller on ${cluster.name} before Helm installs one, at deploys only`,
      environment: endpoint.environment,
      timeout: Duration.minutes(4),
      rolePath: endpoint.rolePath(),
      ...(placement && { placement }),
    });
    checker.role.addToPolicy(describeClusterStatement(this, cluster));
    const entry = this.grant('CheckAccess', cluster.name, checker.role.roleArn, 'AmazonEKSViewPolicy');
    entry.node.addDependency(endpoint);
    // In a VPC there may be no way to S3, where CloudFormation waits for the answer.
    const front = new DeployFunction(this, 'CheckFront', {
      entry: 'deploy/relay',
      description: `Answers CloudFormation for the look for a Karpenter controller on ${cluster.name}`,
      cluster,
      timeout: Duration.minutes(6),
    });
    const { functionArn } = checker.function;
    front.function.role.addToPolicy(
      new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [functionArn] }),
    );
    const found = { release: 'karpenter', namespace, adopt: `${helm.adopt}`, clusterId: endpoint.clusterId };
    const resource = front.resource('KarpenterCheck', { functionName: functionArn, ...found });
    resource.node.addDependency(checker, entry, ...needed);
    return resource;
  }

  private cluster(
    { clusterName }: KarpenterSettings,
    { placement: vpc, endpoint }: ClusterReach,
    kubectlLayer: ILayerVersion,
  ): ICluster {
    const role = this.role(vpc !== undefined, endpoint.rolePath());
    // Granted before the function exists: an access entry takes some seconds to reach the cluster.
    const access = this.grant('Access', clusterName, role.roleArn, 'AmazonEKSClusterAdminPolicy');
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
    this.switchLogs(kubectlProvider);
    this.acknowledgeProvider(kubectlProvider, handler, role);
    return Cluster.fromClusterAttributes(this, 'Cluster', { clusterName, kubectlProvider });
  }

  private role(inVpc: boolean, path: string): Role {
    const policies = ['AWSLambdaBasicExecutionRole', ...(inVpc ? ['AWSLambdaVPCAccessExecutionRole'] : [])];
    return new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      path,
      managedPolicies: policies.map((name) => ManagedPolicy.fromAwsManagedPolicyName(`service-role/${name}`)),
    });
  }

  private grant(id: string, clusterName: string, principalArn: string, policy: string): IConstruct {
    const { partition } = Stack.of(this);
    return new CfnAccessEntry(this, id, {
      clusterName,
      principalArn,
      accessPolicies: [
        {
          policyArn: `arn:${partition}:eks::aws:cluster-access-policy/${policy}`,
          accessScope: { type: 'cluster' },
        },
      ],
    });
  }

  /** The logs of the CDK's functions, which it would keep for two years, are kept and encrypted as all others. */
  private switchLogs(provider: KubectlProvider): void {
    const key = encryptionKeyOf(this);
    for (const log of provider.node.findAll().filter((one) => one instanceof CfnLogGroup)) {
      log.retentionInDays = switchesOf(this).logRetentionDays ?? RetentionDays.ONE_MONTH;
      if (key) log.kmsKeyId = key.keyArn;
    }
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
