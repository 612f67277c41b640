import { Duration, Validations } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { ILayerVersion } from 'aws-cdk-lib/aws-lambda';
import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { physicalName } from '../shared/core/basics/names';
import type { Config } from '../shared/core/config/config';
import { ASYNC_RETRIES, INTERRUPTION_QUEUE, TICK_RETRIES } from '../shared/core/events/delivery-limits';
import { AlarmTriggers } from './constructs/alarm-triggers';
import { ClusterAccess } from './constructs/cluster-access';
import { ClusterEndpoint } from './constructs/cluster-endpoint';
import { DeployReconcile } from './constructs/deploy-reconcile';
import { describeClusterStatement } from './constructs/describe-cluster-statement';
import { Emergency } from './constructs/emergency';
import { FailureQueue } from './constructs/failure-queue';
import { HeadstartFunction, type HeadstartFunctionProps, type Placement } from './constructs/headstart-function';
import { InterruptionTriggers, wantedSources } from './constructs/interruption-triggers';
import { Network } from './constructs/network';
import { OwnAlarms } from './constructs/own-alarms';
import { scheduleBudget } from './constructs/schedule-budget';
import { WindowSchedules } from './constructs/window-schedules';
import { KarpenterPrerequisites } from './karpenter/karpenter-prerequisites';

/** Properties of `Headstart`. */
export interface HeadstartProps {
  /** The checked config of one cluster, as `loadConfigFiles` reads it. */
  readonly config: Config;

  /**
   * The topic that Headstart's own alarms notify.
   *
   * @default a topic of its own, without subscribers
   */
  readonly alarmTopic?: ITopic;

  /**
   * How long the functions' logs are kept.
   *
   * @default RetentionDays.ONE_MONTH
   */
  readonly logRetention?: RetentionDays;

  /**
   * Whether AWS X-Ray follows the functions.
   *
   * @default false
   */
  readonly tracing?: boolean;

  /**
   * A Lambda layer with kubectl and helm, for `karpenter.helm.install`.
   *
   * @default the layer that `karpenter.helm.kubectlLayerArn` names
   */
  readonly kubectlLayer?: ILayerVersion;

  /**
   * One-off windows that are over by this time get no schedules.
   *
   * @default the time of the synth
   */
  readonly now?: Date;
}

/** The functions that work on the cluster while Headstart runs. */
export interface RuntimeFunctions {
  readonly reconcile: HeadstartFunction;
  readonly inflate: HeadstartFunction;
  /** Only where a NodePool has alarms. */
  readonly alarm?: HeadstartFunction;
  /** Only where a NodePool has interruptions. */
  readonly interruption?: HeadstartFunction;
}

/** Headstart on one existing cluster: functions, triggers, access, and what Karpenter needs where asked. */
export class Headstart extends Construct {
  readonly functions: RuntimeFunctions;
  readonly alarmTopic: ITopic;
  private readonly endpoint: ClusterEndpoint;
  private readonly failures: Queue;
  private readonly placement: Placement | undefined;

  constructor(
    scope: Construct,
    id: string,
    private readonly props: HeadstartProps,
  ) {
    super(scope, id);
    const { config, kubectlLayer } = props;
    this.failures = new FailureQueue(this, 'Failures').queue;
    this.endpoint = new ClusterEndpoint(this, 'ClusterEndpoint', { cluster: config.cluster });
    const network = this.network();
    this.placement = network?.placement;
    const inflateName = physicalName(['headstart', config.cluster.name, 'inflate']);
    this.functions = this.runtimeFunctions(inflateName);

    const karpenter = config.karpenter?.manage
      ? new KarpenterPrerequisites(this, 'Karpenter', { config, ...(kubectlLayer && { kubectlLayer }) })
      : undefined;
    // Helm needs the way to a private endpoint, too.
    if (karpenter && network) karpenter.node.addDependency(network);
    const access = new ClusterAccess(this, 'Access', {
      config,
      endpoint: this.endpoint,
      functions: { ...this.functions },
      ...(this.placement && { placement: this.placement }),
      after: [network, karpenter].filter((needed) => needed !== undefined),
    });

    const deadLetters = this.triggers(access);
    new Emergency(this, 'Emergency', {
      config,
      handler: this.functions.inflate.function,
      functionName: inflateName,
    });
    this.alarmTopic = this.ownAlarms(deadLetters).topic;
    new DeployReconcile(this, 'DeployReconcile', {
      config,
      reconcile: this.functions.reconcile,
      after: network ? [access, network] : [access],
    });
  }

  private network(): Network | undefined {
    const { vpc, name } = this.props.config.cluster;
    if (!vpc) return undefined;
    const { vpcId, securityGroupId } = this.endpoint;
    return new Network(this, 'Network', { vpc, clusterName: name, vpcId, clusterSecurityGroupId: securityGroupId });
  }

  private runtimeFunctions(inflateName: string): RuntimeFunctions {
    const { config } = this.props;
    const { name } = config.cluster;
    return {
      reconcile: this.runtimeFunction('Reconcile', {
        entry: 'runtime/reconcile',
        description: `Headstart on ${name}: window edges, the heartbeat and deploys`,
        // The next heartbeat is the retry; an outage must not make a dead letter of every heartbeat.
        asyncPolicy: { maxEventAge: Duration.minutes(1), retryAttempts: TICK_RETRIES },
      }),
      inflate: this.runtimeFunction('Inflate', {
        entry: 'runtime/inflate',
        description: `Headstart on ${name}: orders by hand, such as more headroom at once`,
        functionName: inflateName,
        // Within the minute that the AWS CLI waits for a response.
        timeout: Duration.seconds(45),
      }),
      ...(hasAlarms(config) && {
        alarm: this.runtimeFunction('Alarm', {
          entry: 'runtime/alarm',
          description: `Headstart on ${name}: CloudWatch alarms that add headroom`,
        }),
      }),
      ...(wantedSources(config).length > 0 && {
        interruption: this.runtimeFunction('Interruption', {
          entry: 'runtime/interruption',
          description: `Headstart on ${name}: nodes that will be taken away`,
          timeout: Duration.seconds(INTERRUPTION_QUEUE.functionTimeoutSeconds),
        }),
      }),
    };
  }

  private runtimeFunction(id: string, props: HeadstartFunctionProps): HeadstartFunction {
    const { config, logRetention, tracing } = this.props;
    const made = new HeadstartFunction(this, id, {
      config,
      environment: this.endpoint.environment,
      asyncPolicy: { maxEventAge: Duration.minutes(10), retryAttempts: ASYNC_RETRIES, failures: this.failures },
      ...(this.placement && { placement: this.placement }),
      ...(logRetention !== undefined && { logRetention }),
      ...(tracing !== undefined && { tracing }),
      ...props,
    });
    made.role.addToPrincipalPolicy(describeClusterStatement(this, config.cluster));
    if (hasAlarms(config)) this.letAskAlarms(made);
    return made;
  }

  /** Every reconcile asks for the alarms' states, so that a lost event does not matter. */
  private letAskAlarms({ role }: HeadstartFunction): void {
    role.addToPrincipalPolicy(new PolicyStatement({ actions: ['cloudwatch:DescribeAlarms'], resources: ['*'] }));
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'CloudWatch describes composite alarms only to those who may describe all',
    });
  }

  private triggers(access: ClusterAccess): Record<string, Queue> {
    const { config, now = new Date() } = this.props;
    const { reconcile, alarm, interruption } = this.functions;
    const { failures } = this;
    // A trigger that fires before the functions are let in would only fill the dead-letter queue.
    const after = [access];
    const max = scheduleBudget(config);
    new WindowSchedules(this, 'Schedules', { config, handler: reconcile.function, now, max, after });
    if (alarm) new AlarmTriggers(this, 'Alarms', { config, handler: alarm.function, failures, after });
    if (!interruption) return { Events: failures };
    const { deadLetters } = new InterruptionTriggers(this, 'Interruptions', {
      sources: wantedSources(config),
      handler: interruption.function,
      failures,
      after,
    });
    return { Events: failures, Interruptions: deadLetters };
  }

  private ownAlarms(deadLetters: Record<string, Queue>): OwnAlarms {
    const { config, alarmTopic } = this.props;
    const functions = Object.entries(this.functions).map(([name, made]: [string, HeadstartFunction]) => [
      name,
      made.function,
    ]);
    return new OwnAlarms(this, 'OwnAlarms', {
      config,
      reconcile: this.functions.reconcile.function,
      functions: Object.fromEntries(functions),
      deadLetters,
      ...(alarmTopic && { topic: alarmTopic }),
    });
  }
}

function hasAlarms({ nodePools }: Config): boolean {
  return nodePools.some(({ alarms }) => alarms.length > 0);
}
