import { Annotations, CfnOutput, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { CfnServiceLinkedRole } from 'aws-cdk-lib/aws-iam';
import { type ILayerVersion, LayerVersion } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { roleArnOf, roleNameOf } from '../../shared/core/basics/iam-role';
import type { Config } from '../../shared/core/config/config';
import { KARPENTER_VERSION } from '../../shared/core/config/schema/karpenter-schema';
import { amiParameters } from '../../shared/core/karpenter/install/ami-parameter-policy';
import { type HelmFacts, helmCommands } from '../../shared/core/karpenter/install/helm-release';
import { type KarpenterSettings, karpenterSettings } from '../../shared/core/karpenter/install/karpenter-settings';
import { ownNodeRoles } from '../../shared/core/karpenter/node-class';
import { ControllerRole } from './controller-role';
import { DiscoveryTags } from './discovery-tags-resource';
import { HelmReleases } from './helm-releases';
import { InterruptionQueue } from './interruption-queue';
import { NodeAccess } from './node-access';
import { NodeRole } from './node-role';

export interface KarpenterPrerequisitesProps {
  /** The whole config; its `karpenter` block defines what is created and what exists. */
  readonly config: Config;

  /**
   * A Lambda layer with kubectl and helm; with it Karpenter is installed even without `karpenter.helm.install`.
   *
   * @default - the layer of `karpenter.helm.kubectlLayerArn`, if `karpenter.helm.install` is set
   */
  readonly kubectlLayer?: ILayerVersion;
}

export class KarpenterPrerequisites extends Construct {
  constructor(scope: Construct, id: string, { config, kubectlLayer }: KarpenterPrerequisitesProps) {
    super(scope, id);
    const settings = karpenterSettings(config);
    this.warnAboutVersion(settings);
    const { roleArn } = new NodeRole(this, 'Nodes', settings);
    const queueArn = this.queueArn(settings);
    const controllerRoleArn = this.controllerRoleArn(config, settings, roleArn, queueArn);
    const { subnets, securityGroups } = settings.discovery;
    const tags = subnets.length + securityGroups.length > 0 ? [new DiscoveryTags(this, 'Discovery', settings)] : [];
    // Late, since EKS refuses a role that IAM has just made.
    if (roleArn !== undefined) new NodeAccess(this, 'NodeAccess', settings, roleArn).node.addDependency(...tags);
    if (settings.spotServiceLinkedRole)
      // One for the whole account, so others may depend on it.
      new CfnServiceLinkedRole(this, 'SpotServiceLinkedRole', {
        awsServiceName: 'spot.amazonaws.com',
      }).applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE);

    const queueName = settings.queue.name;
    const facts: HelmFacts = {
      ...(queueName !== undefined && { queueName }),
      ...(settings.identity.kind === 'irsa' && controllerRoleArn !== undefined && { controllerRoleArn }),
    };
    const layer = kubectlLayer ?? this.layer(settings);
    if (layer) this.install(config, settings, facts, layer);
    else if (settings.controllerRole.kind !== 'none') this.printCommands(settings, facts);
  }

  private queueArn({ queue, region }: KarpenterSettings): string | undefined {
    if (queue.kind === 'create') return new InterruptionQueue(this, 'Interruptions', queue.name).queueArn;
    const { partition, account } = Stack.of(this);
    return queue.kind === 'existing' ? `arn:${partition}:sqs:${region}:${account}:${queue.name}` : undefined;
  }

  private controllerRoleArn(
    config: Config,
    settings: KarpenterSettings,
    nodeRoleArn: string | undefined,
    queueArn: string | undefined,
  ): string | undefined {
    const { controllerRole } = settings;
    if (controllerRole.kind === 'none') return undefined;
    if (controllerRole.kind === 'existing') return roleArnOf(controllerRole.written, Stack.of(this));
    const own = ownNodeRoles(config).filter((role) => roleNameOf(role) !== settings.nodeRole.name);
    const nodeRoleArns = [
      ...(nodeRoleArn === undefined ? [] : [nodeRoleArn]),
      ...own.map((role) => roleArnOf(role, Stack.of(this))),
    ];
    return new ControllerRole(this, 'Controller', {
      settings,
      roleName: controllerRole.name,
      nodeRoleArns,
      amiParameters: amiParameters(config),
      queueArn,
    }).roleArn;
  }

  private layer({ helm: { install, kubectlLayerArn } }: KarpenterSettings): ILayerVersion | undefined {
    return !install || kubectlLayerArn === undefined
      ? undefined
      : LayerVersion.fromLayerVersionArn(this, 'KubectlLayer', kubectlLayerArn);
  }

  /** The controller starts last, after its role, its queue and the tags. */
  private install(
    { cluster }: Config,
    settings: KarpenterSettings,
    facts: HelmFacts,
    kubectlLayer: ILayerVersion,
  ): void {
    const needed = ['Controller', 'Interruptions', 'Discovery', 'NodeAccess'];
    const { controller } = new HelmReleases(this, 'Helm', { settings, cluster, facts, kubectlLayer });
    controller.node.addDependency(...needed.flatMap((id) => this.node.tryFindChild(id) ?? []));
  }

  private printCommands(settings: KarpenterSettings, facts: HelmFacts): void {
    const [crds, controller] = helmCommands(settings, facts);
    new CfnOutput(this, 'InstallFirst', { description: "Karpenter's CRDs", value: crds ?? '' });
    new CfnOutput(this, 'InstallThen', { description: "Karpenter's controller", value: controller ?? '' });
  }

  private warnAboutVersion({ version }: KarpenterSettings): void {
    if (version === KARPENTER_VERSION) return;
    Annotations.of(this).addWarningV2(
      'headstart:karpenterVersion',
      `karpenter.version is ${version}, but roles, queue and rules follow ${KARPENTER_VERSION}; read its upgrade guide for what differs`,
    );
  }
}
