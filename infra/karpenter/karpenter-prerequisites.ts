import { Annotations, CfnOutput, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { CfnServiceLinkedRole } from 'aws-cdk-lib/aws-iam';
import { type ILayerVersion, LayerVersion } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { Config } from '../../shared/core/config/config';
import { KARPENTER_VERSION } from '../../shared/core/config/karpenter-schema';
import { amiParameters } from '../../shared/core/karpenter/ami-parameter-policy';
import { type HelmFacts, helmCommands } from '../../shared/core/karpenter/helm-release';
import { type KarpenterPlan, karpenterPlan, nameOf } from '../../shared/core/karpenter/karpenter-plan';
import { nodeRoleNames } from '../../shared/core/karpenter/node-class';
import { ControllerRole } from './controller-role';
import { DiscoveryTags } from './discovery-tags';
import { HelmReleases } from './helm-releases';
import { InterruptionQueue } from './interruption-queue';
import { NodeAccess } from './node-access';
import { NodeRole } from './node-role';

/** Properties of `KarpenterPrerequisites`. */
export interface KarpenterPrerequisitesProps {
  /** The whole config; its `karpenter` block says what is created and what exists. */
  readonly config: Config;

  /**
   * A Lambda layer with kubectl and helm; Karpenter is installed with it, also without `karpenter.helm.install`.
   *
   * @default - the layer that `karpenter.helm.kubectlLayerArn` names, when the config asks to install
   */
  readonly kubectlLayer?: ILayerVersion;
}

/** Everything that Karpenter needs on an existing cluster, part by part. */
export class KarpenterPrerequisites extends Construct {
  constructor(scope: Construct, id: string, { config, kubectlLayer }: KarpenterPrerequisitesProps) {
    super(scope, id);
    const plan = karpenterPlan(config);
    this.warnAboutVersion(plan);
    const { roleArn } = new NodeRole(this, 'Nodes', { plan });
    if (roleArn !== undefined) new NodeAccess(this, 'NodeAccess', { plan, roleArn });
    const queueArn = this.queueArn(plan);
    const controllerRoleArn = this.controllerRoleArn(config, plan, roleArn, queueArn);
    const { subnets, securityGroups } = plan.discovery;
    if (subnets.length + securityGroups.length > 0) new DiscoveryTags(this, 'Discovery', { plan });
    if (plan.spotServiceLinkedRole)
      // One for the whole account: others may have come to need it.
      new CfnServiceLinkedRole(this, 'SpotServiceLinkedRole', {
        awsServiceName: 'spot.amazonaws.com',
      }).applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE);

    const queueName = nameOf(plan.queue);
    const facts: HelmFacts = {
      ...(queueName !== undefined && { queueName }),
      ...(plan.identity.kind === 'irsa' && controllerRoleArn !== undefined && { controllerRoleArn }),
    };
    const layer = kubectlLayer ?? this.layer(plan);
    if (layer) this.install(config, plan, facts, layer);
    else if (plan.controllerRole.kind !== 'none') this.printCommands(plan, facts);
  }

  private queueArn({ queue, region }: KarpenterPlan): string | undefined {
    if (queue.kind === 'create')
      return new InterruptionQueue(this, 'Interruptions', { queueName: queue.name }).queueArn;
    const { partition, account } = Stack.of(this);
    return queue.kind === 'existing' ? `arn:${partition}:sqs:${region}:${account}:${queue.name}` : undefined;
  }

  private controllerRoleArn(
    config: Config,
    plan: KarpenterPlan,
    nodeRoleArn: string | undefined,
    queueArn: string | undefined,
  ): string | undefined {
    const { controllerRole, nodeRole } = plan;
    if (controllerRole.kind === 'none') return undefined;
    if (controllerRole.kind === 'existing') return this.roleArn(controllerRole.name);
    const own = nodeRoleNames(config).filter((name) => name !== nameOf(nodeRole));
    const nodeRoleArns = [
      ...(nodeRoleArn === undefined ? [] : [nodeRoleArn]),
      ...own.map((name) => this.roleArn(name)),
    ];
    return new ControllerRole(this, 'Controller', {
      plan,
      roleName: controllerRole.name,
      nodeRoleArns,
      amiParameters: amiParameters(config),
      queueArn,
    }).roleArn;
  }

  private roleArn(name: string): string {
    const { partition, account } = Stack.of(this);
    return `arn:${partition}:iam::${account}:role/${name}`;
  }

  private layer({ helm: { install, kubectlLayerArn } }: KarpenterPlan): ILayerVersion | undefined {
    return !install || kubectlLayerArn === undefined
      ? undefined
      : LayerVersion.fromLayerVersionArn(this, 'KubectlLayer', kubectlLayerArn);
  }

  /** The controller starts last, when its role, its queue and the tags are there. */
  private install({ cluster }: Config, plan: KarpenterPlan, facts: HelmFacts, kubectlLayer: ILayerVersion): void {
    const needed = ['Controller', 'Interruptions', 'Discovery', 'NodeAccess'];
    const { controller } = new HelmReleases(this, 'Helm', { plan, cluster, facts, kubectlLayer });
    controller.node.addDependency(...needed.flatMap((id) => this.node.tryFindChild(id) ?? []));
  }

  private printCommands(plan: KarpenterPlan, facts: HelmFacts): void {
    const [crds, controller] = helmCommands(plan, facts);
    new CfnOutput(this, 'InstallFirst', { description: "Karpenter's CRDs", value: crds ?? '' });
    new CfnOutput(this, 'InstallThen', { description: "Karpenter's controller", value: controller ?? '' });
  }

  private warnAboutVersion({ version }: KarpenterPlan): void {
    if (version === KARPENTER_VERSION) return;
    Annotations.of(this).addWarningV2(
      'headstart:karpenterVersion',
      `karpenter.version is ${version}, but roles, queue and rules follow ${KARPENTER_VERSION}; read its upgrade guide for what differs`,
    );
  }
}
