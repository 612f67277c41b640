import { Aws, type CfnCustomResource, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { CfnAccessEntry } from 'aws-cdk-lib/aws-eks';
import { Cluster, HelmChart, type ICluster, KubectlProvider } from 'aws-cdk-lib/aws-eks-v2';
import { type CfnRole, ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { CfnFunction, ILayerVersion, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnLogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct, type IConstruct, type IDependable } from 'constructs';
import { hashText } from '../../shared/core/basics/names';
import type { ClusterConfig } from '../../shared/core/config/config';
import { type HelmFacts, type HelmRelease, helmReleases } from '../../shared/core/karpenter/install/helm-release';
import type { KarpenterSettings } from '../../shared/core/karpenter/install/karpenter-settings';
import { acknowledge } from '../constructs/acknowledge';
import { accessPolicyArn, allowDropping, dailyDrop } from '../constructs/cluster-objects-resource';
import { ClusterReach } from '../constructs/cluster-reach';
import { againProperty, DeployFunction } from '../constructs/deploy-function';
import { describeClusterStatement, HeadstartFunction } from '../constructs/headstart-function';
import { ScheduleGroup } from '../constructs/schedule-group';
import { encryptionKeyOf, switchesOf } from '../constructs/stack-settings';
import { acknowledgeManagedPolicies, acknowledgeWildcards } from './acknowledge-policies';

export interface HelmReleasesProps {
  readonly settings: KarpenterSettings;
  readonly cluster: ClusterConfig;
  readonly facts: HelmFacts;
  /** A layer with kubectl and helm. */
  readonly kubectlLayer: ILayerVersion;
}

interface CheckProps extends Pick<HelmReleasesProps, 'settings' | 'cluster'> {
  readonly reach: ClusterReach;
  readonly run: string;
  readonly installedBy: string;
  readonly after: readonly IDependable[];
}

const ADMIN = 'AmazonEKSClusterAdminPolicy';

/**
 * Everything that defines a run of Helm. A failed run of the controller is rolled back, within the
 * 15 minutes that the function has for both; one of the CRDs never is, since that may delete them.
 */
function chartOf({ version, namespace }: KarpenterSettings, { release, chart, values, skipCrds }: HelmRelease) {
  const isController = skipCrds;
  return {
    release,
    chart: release,
    repository: chart,
    version,
    namespace,
    values,
    skipCrds,
    createNamespace: true,
    wait: true,
    atomic: isController,
    timeoutMinutes: isController ? 6 : 10,
  };
}

/**
 * Installs Karpenter: the CRDs first, then the controller. The role that runs Helm is cluster
 * admin until then, and is replaced for each run.
 *
 * Both outlive the stack: deleting the CRDs deletes every NodePool and so drains
 * every node, and without the controller no node is launched or terminated.
 */
export class HelmReleases extends Construct {
  /** The release of the controller; add dependencies on what it needs at start. */
  readonly controller: HelmChart;

  constructor(scope: Construct, id: string, { settings, cluster, facts, kubectlLayer }: HelmReleasesProps) {
    super(scope, id);
    const reach = ClusterReach.of(this, cluster);
    const installedBy = `${Aws.ACCOUNT_ID}/${Aws.REGION}/${Aws.STACK_NAME}`;
    const releases = helmReleases(settings, { ...facts, installedBy });
    const run = this.runOf(settings, releases);
    const { role, access, kubectlProvider } = this.runner(settings, reach, kubectlLayer, run);
    const check = this.check({ settings, cluster, reach, run, installedBy, after: [role, access] });
    // EKS refuses a role that IAM has just made; making this function takes longer than IAM does.
    access.node.addDependency(this.node.findChild('Check'));
    const [crds, controller] = releases;
    const { clusterName } = settings;
    const target = Cluster.fromClusterAttributes(this, 'Cluster', { clusterName, kubectlProvider });
    const created = this.install(target, settings, crds, run);
    this.controller = this.install(target, settings, controller, run);
    for (const chart of [created, this.controller]) this.identify(chart, reach);
    // Helm's function must have the new role by then.
    created.node.addDependency(check, kubectlProvider, ...reach.needed);
    this.controller.node.addDependency(created);
    this.narrow(cluster, role, access);
  }

  /**
   * Identifies one run of Helm by its charts and values. A new run gets a new role, which is admin, and new logical
   * ids. To CloudFormation it is a creation, so a rollback has nothing to restore with a role that is no longer admin.
   */
  private runOf(settings: KarpenterSettings, releases: readonly HelmRelease[]): string {
    const charts = releases.map((release) => chartOf(settings, release));
    return hashText(JSON.stringify(Stack.of(this).resolve([settings.clusterName, charts, againProperty(this)])));
  }

  private install(cluster: ICluster, settings: KarpenterSettings, release: HelmRelease, run: string): HelmChart {
    const { timeoutMinutes, ...chart } = chartOf(settings, release);
    return new HelmChart(this, `${release.release}-${run}`, {
      ...chart,
      cluster,
      timeout: Duration.minutes(timeoutMinutes),
      // Never uninstalled: not with the stack, not when the next run replaces it, and not by a rollback.
      removalPolicy: RemovalPolicy.RETAIN,
    });
  }

  /** A recreated cluster has no release; its new id makes CloudFormation run Helm again. Helm's function ignores it. */
  private identify(chart: HelmChart, { endpoint }: ClusterReach): void {
    const resource = chart.node.findChild('Resource').node.defaultChild as CfnCustomResource;
    resource.addPropertyOverride('HeadstartClusterId', endpoint.clusterId);
  }

  /** Removes the admin rights of the role that ran Helm. In EKS it may only list and remove the policies of that one entry. */
  private narrow(cluster: ClusterConfig, role: Role, access: CfnAccessEntry): void {
    const narrower = new DeployFunction(this, 'Narrow', {
      entry: 'deploy/drop-admin',
      description: `Takes cluster admin of ${cluster.name} off the role that ran Helm, at deploys only`,
      cluster,
      timeout: Duration.minutes(4),
    });
    const adminPolicy = accessPolicyArn(this, ADMIN);
    allowDropping(narrower, access, adminPolicy);
    const resource = narrower.resource('DropAdmin', { deployer: role.roleArn, adminPolicy });
    resource.node.addDependency(this.controller);
    const daily = dailyDrop(narrower, cluster, role.roleArn, adminPolicy);
    ScheduleGroup.of(this).addDaily('daily-drop-admin-helm', daily);
  }

  /** Looks for an existing controller, with read-only access. */
  private check({ settings, cluster, reach, run, installedBy, after }: CheckProps): IConstruct {
    const { endpoint, placement, needed } = reach;
    const { namespace, helm } = settings;
    const checker = new HeadstartFunction(this, 'Check', {
      entry: 'deploy/karpenter-check',
      description: `Looks for a Karpenter controller on ${cluster.name} before Helm installs one, at deploys only`,
      environment: endpoint.environment,
      timeout: Duration.minutes(4),
      rolePath: endpoint.rolePath(run),
      ...(placement && { placement }),
    });
    checker.role.addToPolicy(describeClusterStatement(this, cluster));
    const entry = this.grant('CheckAccess', cluster.name, checker.role.roleArn, 'AmazonEKSViewPolicy');
    // Helm's function does not retry. This one does until it is admitted, and by then earlier grants are usually in effect too.
    entry.node.addDependency(endpoint, checker, ...after);
    // In a VPC there may be no route to S3, where CloudFormation expects the response.
    const front = new DeployFunction(this, 'CheckFront', {
      entry: 'deploy/relay',
      description: `Answers CloudFormation for the look for a Karpenter controller on ${cluster.name}`,
      cluster,
      timeout: Duration.minutes(6),
    });
    const { functionArn } = checker.function;
    front.allow('lambda:InvokeFunction', functionArn);
    const resource = front.resource('KarpenterCheck', {
      functionName: functionArn,
      release: 'karpenter',
      namespace,
      adopt: `${helm.adopt}`,
      installedBy,
      run,
      clusterId: endpoint.clusterId,
    });
    resource.node.addDependency(checker, entry, ...needed);
    return resource;
  }

  private runner(
    { clusterName }: KarpenterSettings,
    { placement: vpc, endpoint }: ClusterReach,
    kubectlLayer: ILayerVersion,
    run: string,
  ): { readonly role: Role; readonly access: CfnAccessEntry; readonly kubectlProvider: KubectlProvider } {
    const role = this.role(vpc !== undefined, endpoint.rolePath(run));
    // Granted before the function has the role: an access entry takes seconds to reach the cluster.
    const access = this.grant('Access', clusterName, role.roleArn, ADMIN);
    const cluster = Cluster.fromClusterAttributes(this, 'Target', { clusterName });
    const kubectlProvider = new KubectlProvider(this, 'Kubectl', { cluster, kubectlLayer, role });
    kubectlProvider.node.addDependency(access);
    const handler = kubectlProvider.node.findChild('Handler') as LambdaFunction;
    // By ids only: looking up a VPC needs credentials at synth.
    if (vpc)
      (handler.node.defaultChild as CfnFunction).vpcConfig = {
        subnetIds: [...vpc.subnetIds],
        securityGroupIds: [...vpc.securityGroupIds],
      };
    this.switchLogs(kubectlProvider);
    this.acknowledgeProvider(kubectlProvider, handler, role);
    return { role, access, kubectlProvider };
  }

  private role(inVpc: boolean, path: string): Role {
    const policies = ['AWSLambdaBasicExecutionRole', ...(inVpc ? ['AWSLambdaVPCAccessExecutionRole'] : [])];
    return new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      path,
      managedPolicies: policies.map((name) => ManagedPolicy.fromAwsManagedPolicyName(`service-role/${name}`)),
    });
  }

  private grant(id: string, clusterName: string, principalArn: string, policy: string): CfnAccessEntry {
    return new CfnAccessEntry(this, id, {
      clusterName,
      principalArn,
      accessPolicies: [{ policyArn: accessPolicyArn(this, policy), accessScope: { type: 'cluster' } }],
    });
  }

  /** The CDK would keep its functions' logs for two years; they get the same retention and key as all others. */
  private switchLogs(provider: KubectlProvider): void {
    const key = encryptionKeyOf(this);
    for (const log of provider.node.findAll().filter((one) => one instanceof CfnLogGroup)) {
      log.retentionInDays = switchesOf(this).logRetentionDays ?? RetentionDays.ONE_MONTH;
      if (key) log.kmsKeyId = key.keyArn;
    }
  }

  /** The provider is the CDK's own and cannot be changed. */
  private acknowledgeProvider(provider: KubectlProvider, handler: LambdaFunction, role: Role): void {
    const reason = "the CDK's own kubectl provider, which runs only while Karpenter is installed or upgraded";
    const { managedPolicyArns = [] } = role.node.defaultChild as CfnRole;
    acknowledgeManagedPolicies(this, Stack.of(this).resolve(managedPolicyArns), reason);
    acknowledgeWildcards(provider, [`${handler.functionArn}:*`], reason);
    acknowledge(provider, ['AwsSolutions-L1'], reason);
  }
}
