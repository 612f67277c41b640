import { CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import {
  Alarm,
  type AlarmProps,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  Metric,
  type MetricOptions,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct, type IDependable } from 'constructs';
import { METRIC_NAMESPACE, METRICS } from '../../shared/adapters/process/emf-metrics';
import type { ClusterConfig, Config } from '../../shared/core/config/config';
import type { HeadstartFunction } from './headstart-function';
import { encryptionKeyOf } from './stack-settings';

export interface OwnAlarmsProps {
  readonly config: Config;
  /** The reconcile function, which raises an alarm if it stops running. */
  readonly reconcile: IFunction;
  /** All functions whose errors raise an alarm, by name. */
  readonly functions: Readonly<Record<string, HeadstartFunction>>;
  /** The dead-letter queues, by what ends in them. */
  readonly deadLetters: Readonly<Record<string, IQueue>>;
  /** The queues in which nothing may wait for long, by what is in them. */
  readonly waiting: Readonly<Record<string, IQueue>>;
  /** What gives the functions access to the cluster; the alarm on live schedules is created after it. */
  readonly access: readonly IDependable[];
  /** What the heartbeats depend on; the alarm on missing heartbeats is created after it. */
  readonly heartbeats: readonly IDependable[];
  /** The topic to notify. @default a new topic, without subscribers */
  readonly topic?: ITopic;
}

type Watch = Partial<AlarmProps> & { readonly metric: IMetric };

const MAX_DISPLAY_NAME = 100;
const FIVE_MINUTES = 300;
const FIFTEEN_MINUTES = 900;
const MOST = { period: Duration.seconds(FIVE_MINUTES), statistic: Stats.MAXIMUM };
/** A single failure is repaired by the next heartbeat; this many in five minutes, or in three slow heartbeats, are not. */
const TOO_MANY_ERRORS = 3;
const A_DAY = 86_400;

/** Problems that do not fail a reconcile, but that a person must know of, by metric. */
const TROUBLE = {
  [METRICS.rejectedEvents]: 'events were rejected; the log says why (event rejected)',
  [METRICS.unreadableRecords]:
    'the record of a headroom cannot be read and its size is held; headstart status says which',
  [METRICS.contestedFields]: 'somebody else keeps changing a headroom Deployment; the log says who (field contested)',
  [METRICS.missingNodePools]: 'the config names NodePools that the cluster does not have; headstart doctor says which',
  [METRICS.adminsKept]:
    'a role that applies objects at deploys may still be cluster admin; the log of the deploy says which',
};
const LIVE_TROUBLE =
  'the live schedules or part of them do not count, and what was valid before does; headstart status says why';

/** What a person does with announcements among dead letters: EventBridge keeps them as they were sent, the queue as they arrived. */
const ANNOUNCED: Readonly<Record<string, string>> = {
  Events: '; put an announcement again instead of redriving it, because it lacks what the rule adds',
  Announcements: '; redrive them within 24 hours',
};

/** Alarms on Headstart itself, to one topic: errors, undeliverable events, missing heartbeats, late nodes. */
export class OwnAlarms extends Construct {
  readonly topic: ITopic;
  /** By id: `Errors`, `Silent`, `Late-web`. */
  readonly alarms = new Map<string, Alarm>();

  constructor(
    scope: Construct,
    id: string,
    private readonly props: OwnAlarmsProps,
  ) {
    super(scope, id);
    this.topic = props.topic ?? this.ownTopic();
    this.watchErrors();
    this.watchQueues();
    this.watchHeartbeat();
    this.watchLateness();
    this.watchTrouble();
  }

  private ownTopic(): Topic {
    const { account } = Stack.of(this);
    const masterKey = encryptionKeyOf(this);
    const topic = new Topic(this, 'Topic', {
      displayName: `Headstart ${this.props.config.cluster.name}`.slice(0, MAX_DISPLAY_NAME),
      enforceSSL: true,
      ...(masterKey && { masterKey }),
    });
    // A topic with its own policy no longer admits the account's alarms by default.
    topic.addToResourcePolicy(
      new PolicyStatement({
        sid: 'AllowAlarms',
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': account } },
      }),
    );
    new CfnOutput(this, 'TopicArn', {
      description: 'SNS topic to subscribe to for alarms on Headstart itself',
      value: topic.topicArn,
    });
    return topic;
  }

  /** By default an alarm fires at the first value of 1 or more. */
  private watch(id: string, alarmDescription: string, watch: Watch): Alarm {
    const alarm = new Alarm(this, id, {
      alarmDescription: `Headstart on ${this.props.config.cluster.name}: ${alarmDescription}`,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      threshold: 1,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
      ...watch,
    });
    alarm.addAlarmAction(new SnsAction(this.topic));
    // Incident tools close an incident only when the alarm says that it is OK.
    alarm.addOkAction(new SnsAction(this.topic));
    this.alarms.set(id, alarm);
    return alarm;
  }

  private watchErrors(): void {
    const { functions, config } = this.props;
    // Heartbeats are not retried, so a slow one needs a longer period.
    const seconds = Math.min(Math.max(FIVE_MINUTES, TOO_MANY_ERRORS * config.heartbeatSeconds), A_DAY);
    const period = Duration.seconds(seconds);
    const usingMetrics: Record<string, IMetric> = { handled: this.ownMetric(METRICS.errors, Stats.SUM, seconds) };
    for (const [name, watched] of Object.entries(functions))
      usingMetrics[name] = watched.function.metricErrors({ period });
    const byLambda = Object.keys(functions).map((name) => `FILL(${name}, 0)`);
    this.watch('Errors', 'functions keep failing; their logs say why', {
      metric: new MathExpression({
        label: 'errors',
        // Handler and Lambda count the same failure, unless only one of them saw it. Lists, because they leave out a metric
        // that was never published, such as that of a function that never ran; an operator would give nothing at all.
        expression: `MAX([FILL(handled, 0), SUM([${byLambda.join(', ')}])])`,
        usingMetrics,
        period,
      }),
      threshold: TOO_MANY_ERRORS,
    });
  }

  private watchQueues(): void {
    const { deadLetters, waiting } = this.props;
    const hints = 'Announcements' in deadLetters ? ANNOUNCED : {};
    for (const [name, queue] of Object.entries(deadLetters))
      this.watch(
        `DeadLetters-${name}`,
        `${name} could not be handled and wait in the dead-letter queue${hints[name] ?? ''}`,
        {
          metric: queue.metricApproximateNumberOfMessagesVisible(MOST),
          // SQS stops reporting an idle queue after six hours, with the message still in it.
          treatMissingData: TreatMissingData.IGNORE,
        },
      );
    // What keeps failing has become a dead letter by then, so this is a queue from which nobody takes anything.
    for (const [name, queue] of Object.entries(waiting))
      this.watch(`Waiting-${name}`, `${name} wait in their queue; look at the event source mapping of the function`, {
        metric: queue.metricApproximateAgeOfOldestMessage(MOST),
        threshold: FIFTEEN_MINUTES,
      });
  }

  private watchHeartbeat(): void {
    const { reconcile, config, heartbeats } = this.props;
    const seconds = Math.max(FIVE_MINUTES, config.heartbeatSeconds);
    // Created earlier in a first deploy, it would find no heartbeat and fire.
    this.watch('Silent', 'the heartbeat has stopped', {
      metric: reconcile.metricInvocations({ period: Duration.seconds(seconds) }),
      comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
      evaluationPeriods: 2,
      treatMissingData: TreatMissingData.BREACHING,
    }).node.addDependency(...heartbeats);
  }

  private watchLateness(): void {
    const { cluster, headrooms, heartbeatSeconds } = this.props.config;
    for (const { name, windows, events } of headrooms) {
      if (windows.length === 0 && !events && !cluster.liveSchedules) continue;
      this.watch(
        `Late-${name}`,
        `a window of ${name} has opened and its headroom has not been ready since it was requested; headstart status ${name} says why`,
        {
          metric: this.ownMetric(METRICS.late, Stats.MAXIMUM, heartbeatSeconds, { Headroom: name }),
          // A node that is ready a moment late is seen as late once.
          evaluationPeriods: heartbeatSeconds > FIVE_MINUTES ? 1 : 2,
        },
      );
    }
  }

  private watchTrouble(): void {
    const { access, config } = this.props;
    const seconds = Math.max(FIVE_MINUTES, config.heartbeatSeconds);
    for (const [metric, problem] of Object.entries(TROUBLE))
      this.watch(metric, problem, { metric: this.ownMetric(metric, Stats.SUM, seconds) });
    if (!config.cluster.liveSchedules) return;
    // People edit in a hurry: what they correct within five minutes pages nobody.
    this.watch('LiveSchedules', LIVE_TROUBLE, {
      metric: this.ownMetric(METRICS.liveProblems, Stats.SUM, seconds),
      evaluationPeriods: 3,
      datapointsToAlarm: 2,
    }).node.addDependency(...access);
  }

  private ownMetric(metricName: string, statistic: string, seconds: number, dimensions = {}): Metric {
    return ownMetric(this.props.config.cluster, metricName, dimensions, {
      statistic,
      period: Duration.seconds(seconds),
    });
  }
}

/** A metric that the functions write, of the cluster or of one headroom. */
export function ownMetric(
  { name }: Pick<ClusterConfig, 'name'>,
  metricName: string,
  dimensions: Readonly<Record<string, string>>,
  options: MetricOptions,
): Metric {
  return new Metric({
    namespace: METRIC_NAMESPACE,
    metricName,
    dimensionsMap: { Cluster: name, ...dimensions },
    ...options,
  });
}
