import { Duration } from 'aws-cdk-lib';
import { type Alarm, type Metric, type MetricOptions, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { type Grant, type IGrantable, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import type { IQueue, Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct, type IDependable } from 'constructs';
import { METRICS } from '../shared/adapters/process/emf-metrics';
import { functionName } from '../shared/core/basics/names';
import { type Config, noHeadroomText } from '../shared/core/config/config';
import { wantedSources } from '../shared/core/config/wanted-sources';
import { ASYNC_RETRIES, EVENT_QUEUE, TICK_RETRIES } from '../shared/core/events/delivery-limits';
import { checkPlace } from './check-place';
import { acknowledge } from './constructs/acknowledge';
import { AlarmTriggers } from './constructs/alarm-triggers';
import { AnnouncementTriggers } from './constructs/announcement-triggers';
import { ClusterAccess } from './constructs/cluster-access-grants';
import { ClusterEndpoint } from './constructs/cluster-endpoint-resource';
import { Dashboard } from './constructs/dashboard';
import { DeployReconcile } from './constructs/deploy-reconcile-resource';
import { Emergency } from './constructs/emergency';
import { addFailureQueue, admitRules } from './constructs/event-delivery';
import {
  describeClusterStatement,
  HeadstartFunction,
  type HeadstartFunctionProps,
  type Placement,
} from './constructs/headstart-function';
import { InterruptionTriggers } from './constructs/interruption-triggers';
import { Network } from './constructs/network';
import { OwnAlarms, type OwnAlarmsProps, ownMetric } from './constructs/own-alarms';
import { setSwitches } from './constructs/stack-settings';
import { WindowSchedules } from './constructs/window-schedules';
import { type ClusterlessConfigProps, configOf, type GivenCluster, type GivenVpc } from './define-config';
import { UnusableConfigError } from './load-app-config';

export interface HeadstartProps {
  /**
   * The config of one cluster: as `loadConfig` reads it from a file, or as code. `karpenter` and `pool` are for a `KarpenterStack`.
   * As code, `cluster.region` and `cluster.account` are those of the stack unless they are written.
   */
  readonly config: Config | ClusterlessConfigProps;

  /**
   * The cluster, which must exist before Headstart. Its name must be known at synth, here or as `cluster.name` in the config.
   *
   * @default named in the config
   */
  readonly cluster?: GivenCluster;

  /** The functions run in the private subnets of this VPC, to reach a private endpoint. @default `cluster.vpc` of the config */
  readonly vpc?: GivenVpc;

  /**
   * The topic that Headstart's own alarms notify.
   *
   * @default the topic of `stack.alarmTopicArn`, else a new one, without subscribers
   */
  readonly alarmTopic?: ITopic;

  /** How long the functions' logs are kept. @default `stack.logRetentionDays`, else RetentionDays.ONE_MONTH */
  readonly logRetention?: RetentionDays;

  /** Whether AWS X-Ray traces the runtime functions. @default false */
  readonly tracing?: boolean;

  /** One-off windows that are over by this time get no schedules. @default the time of the synth */
  readonly now?: Date;
}

/** The functions that run outside deploys; the optional ones exist if a NodePool has alarms, interruptions or events. */
export type RuntimeFunctions = Readonly<
  Record<'reconcile' | 'inflate', HeadstartFunction> &
    Partial<Record<'alarm' | 'interruption' | 'announce', HeadstartFunction>>
>;

/** Headstart on one existing cluster: functions, triggers and access. Karpenter's prerequisites are in a `KarpenterStack`. */
export class Headstart extends Construct {
  readonly functions: RuntimeFunctions;
  readonly alarmTopic: ITopic;
  /** Headstart's own alarms, by id: `Errors`, `Silent`, `Late-web`. */
  readonly alarms: ReadonlyMap<string, Alarm>;
  /** What could not be handled: `Events`, and `Interruptions` and `Announcements` where there are some. */
  readonly deadLetterQueues: Readonly<Record<string, IQueue>>;
  private readonly config: Config;
  private readonly endpoint: ClusterEndpoint;
  private readonly failures: Queue;
  private readonly placement: Placement | undefined;

  constructor(
    scope: Construct,
    id: string,
    private readonly props: HeadstartProps,
  ) {
    super(scope, id);
    const { logRetention, cluster } = props;
    const config = configOf(this, props);
    this.config = config;
    checkPlace(this, config.cluster);
    if (cluster) this.node.addDependency(cluster);
    setSwitches(this, { ...config.stack, ...(logRetention !== undefined && { logRetentionDays: logRetention }) });
    this.failures = addFailureQueue(this, 'Failures');
    this.endpoint = new ClusterEndpoint(this, 'ClusterEndpoint', config.cluster);
    const { vpc, name } = config.cluster;
    const network = vpc && new Network(this, 'Network', vpc, name, this.endpoint);
    this.placement = network?.placement;
    this.functions = this.runtimeFunctions();

    const access = new ClusterAccess(this, 'Access', {
      config,
      endpoint: this.endpoint,
      functions: { ...this.functions },
      ...(this.placement && { placement: this.placement }),
      after: network ? [network] : [],
    });

    // Otherwise a deploy that adds live schedules or a workload has heartbeats that may not read them yet.
    if ((config.cluster.liveSchedules || hasLike(config)) && access.objects)
      this.functions.reconcile.function.node.addDependency(access.objects);
    const { queues, schedules } = this.triggers(access);
    new Emergency(this, 'Emergency', config, this.functions.inflate.function);
    const deployed = new DeployReconcile(this, 'DeployReconcile', {
      config,
      reconcile: this.functions.reconcile,
      after: network ? [access, network] : [access],
    });
    const { topic, alarms } = this.ownAlarms(queues, access, [schedules, deployed]);
    this.alarmTopic = topic;
    this.alarms = alarms;
    this.deadLetterQueues = queues.deadLetters;
    if (config.stack?.dashboard) new Dashboard(this, 'Dashboard', config);
  }

  /** Allows overrides and status of this cluster, and nothing else. */
  grantInflate(grantee: IGrantable): Grant {
    return this.functions.inflate.function.grantInvoke(grantee);
  }

  /** How many replicas of a headroom are ready. @default the maximum of a minute */
  metricReady(headroom: string, options?: MetricOptions): Metric {
    return this.headroomMetric(METRICS.ready, headroom, options);
  }

  /** How many replicas of a headroom are wanted. @default the maximum of a minute */
  metricDesired(headroom: string, options?: MetricOptions): Metric {
    return this.headroomMetric(METRICS.desired, headroom, options);
  }

  /** How many units of a headroom work took. @default the sum of a minute */
  metricTaken(headroom: string, options?: MetricOptions): Metric {
    return this.headroomMetric(METRICS.taken, headroom, { statistic: Stats.SUM, ...options });
  }

  private headroomMetric(name: string, headroom: string, options: MetricOptions = {}): Metric {
    const { cluster, headrooms } = this.config;
    if (!headrooms.some((one) => one.name === headroom))
      throw new UnusableConfigError(`headroom ${JSON.stringify(headroom)} ${noHeadroomText(headroom, this.config)}`);
    const usual = { statistic: Stats.MAXIMUM, period: Duration.minutes(1) };
    return ownMetric(cluster, name, { Headroom: headroom }, { ...usual, ...options });
  }

  private runtimeFunctions(): RuntimeFunctions {
    const { config } = this;
    const named = (short: Parameters<typeof functionName>[1]) => ({
      functionName: functionName(config.cluster.name, short),
    });
    const batches = { timeout: Duration.seconds(EVENT_QUEUE.functionTimeoutSeconds) };
    return {
      reconcile: this.runtimeFunction('Reconcile', 'window edges, the heartbeat and deploys', {
        // The next heartbeat is the retry; an outage must not turn every heartbeat into a dead letter.
        asyncPolicy: { maxEventAge: Duration.minutes(1), retryAttempts: TICK_RETRIES },
      }),
      inflate: this.runtimeFunction('Inflate', 'overrides and status', {
        ...named('inflate'),
        ...(config.stack?.inflateConcurrency !== undefined && { reservedConcurrency: config.stack.inflateConcurrency }),
        // Within the minute that the AWS CLI waits for a response.
        timeout: Duration.seconds(45),
      }),
      ...(hasAlarms(config) && {
        alarm: this.runtimeFunction('Alarm', 'CloudWatch alarms that add headroom', named('alarm')),
      }),
      ...(wantedSources(config).length > 0 && {
        interruption: this.runtimeFunction('Interruption', 'interruption notices', {
          ...named('interruption'),
          ...batches,
        }),
      }),
      ...(config.headrooms.some(({ events }) => events) && {
        announce: this.runtimeFunction('Announce', 'announced peaks', { ...named('announce'), ...batches }),
      }),
    };
  }

  /** The function in the file of that name. */
  private runtimeFunction(id: string, what: string, props: Partial<HeadstartFunctionProps>): HeadstartFunction {
    const { config } = this;
    const { tracing } = this.props;
    const { name, access, liveSchedules } = config.cluster;
    const made = new HeadstartFunction(this, id, {
      entry: `runtime/${id.toLowerCase()}${liveSchedules ? '-live' : ''}${hasLike(config) ? '-like' : ''}`,
      description: `Headstart on ${name}: ${what}`,
      config,
      environment: this.endpoint.environment,
      ...(access === 'entry' && { rolePath: this.endpoint.rolePath() }),
      asyncPolicy: { maxEventAge: Duration.minutes(10), retryAttempts: ASYNC_RETRIES, failures: this.failures },
      ...(this.placement && { placement: this.placement }),
      ...(tracing !== undefined && { tracing }),
      ...props,
    });
    made.role.addToPrincipalPolicy(describeClusterStatement(this, config.cluster));
    if (hasAlarms(config)) this.allowReadingAlarms(made);
    return made;
  }

  /** Every reconcile reads the alarms' states, so that a lost event does not matter. */
  private allowReadingAlarms({ role }: HeadstartFunction): void {
    role.addToPrincipalPolicy(new PolicyStatement({ actions: ['cloudwatch:DescribeAlarms'], resources: ['*'] }));
    acknowledge(
      role,
      ['AwsSolutions-IAM5[Resource::*]'],
      'CloudWatch describes composite alarms only to those who may describe all',
    );
  }

  private triggers(access: ClusterAccess) {
    const { config } = this;
    const { now = new Date() } = this.props;
    const { reconcile, alarm, interruption, announce } = this.functions;
    // A trigger that fires before the functions have access would only fill the dead-letter queue. Only the entries, which
    // wait for all the rest: with hundreds of schedules, every name counts against the template's size of 1 MB.
    const after = access.entries;
    const schedules = new WindowSchedules(this, 'Schedules', { config, handler: reconcile.function, now, after });
    this.callDaily(schedules, access);
    const shared = { config, failures: this.failures, after };
    if (alarm || interruption || announce) admitRules(this.failures);
    if (alarm) new AlarmTriggers(this, 'Alarms', { ...shared, handler: alarm.function });
    const notices =
      interruption && new InterruptionTriggers(this, 'Interruptions', { ...shared, handler: interruption.function });
    const peaks =
      announce && new AnnouncementTriggers(this, 'Announcements', { ...shared, handler: announce.function });
    const queues = {
      deadLetters: {
        Events: this.failures,
        ...(notices && { Interruptions: notices.deadLetters }),
        ...(peaks && { Announcements: peaks.deadLetters }),
      },
      waiting: peaks ? { Announcements: peaks.queue } : {},
    };
    return { schedules, queues };
  }

  /** What nobody calls for weeks is proven daily; a failure ends in the queue that an alarm watches. */
  private callDaily(schedules: WindowSchedules, { entries, dailyDrop }: ClusterAccess): void {
    const shared = { deadLetters: this.failures, after: entries };
    schedules.addDaily('daily-status', {
      ...shared,
      handler: this.functions.inflate.function,
      description: 'proves daily that inflate can be invoked and reaches the cluster',
      input: JSON.stringify({ status: true }),
    });
    if (dailyDrop) schedules.addDaily('daily-drop-admin', { ...shared, ...dailyDrop });
  }

  private ownAlarms(
    queues: Pick<OwnAlarmsProps, 'deadLetters' | 'waiting'>,
    { entries: access }: ClusterAccess,
    heartbeats: readonly IDependable[],
  ) {
    const { config } = this;
    const { alarmTopicArn } = config.stack ?? {};
    const alarmTopic =
      this.props.alarmTopic ??
      (alarmTopicArn === undefined ? undefined : Topic.fromTopicArn(this, 'AlarmTopic', alarmTopicArn));
    return new OwnAlarms(this, 'OwnAlarms', {
      config,
      reconcile: this.functions.reconcile.function,
      functions: { ...this.functions },
      ...queues,
      access,
      heartbeats,
      ...(alarmTopic && { topic: alarmTopic }),
    });
  }
}

function hasAlarms({ headrooms }: Config): boolean {
  return headrooms.some(({ alarms }) => alarms.length > 0);
}

function hasLike({ headrooms }: Config): boolean {
  return headrooms.some(({ like }) => like);
}
