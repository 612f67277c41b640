import { Aws, Duration } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { type EventPattern, Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct, type IDependable } from 'constructs';
import type { AlarmConfig, Config, MetricAlarm } from '../../shared/core/config/config';
import type { Comparison } from '../../shared/core/config/schema/alarm-schema';
import { alarmStateChange } from '../../shared/core/events/alarm-state-change';

/** The maximum length of an EventBridge pattern. */
const MAX_PATTERN = 2_048;

/** Properties of `AlarmTriggers`. */
export interface AlarmTriggersProps {
  /** The config whose alarms are watched, and created if they have a metric. */
  readonly config: Config;

  /** The function that receives their state changes. */
  readonly handler: IFunction;

  /** The queue for state changes that could not be delivered. */
  readonly failures: IQueue;

  /** What must exist before the first one is sent, such as access to the cluster. */
  readonly after: readonly IDependable[];
}

const OPERATORS: Readonly<Record<Comparison, ComparisonOperator>> = {
  '>': ComparisonOperator.GREATER_THAN_THRESHOLD,
  '>=': ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
  '<': ComparisonOperator.LESS_THAN_THRESHOLD,
  '<=': ComparisonOperator.LESS_THAN_OR_EQUAL_TO_THRESHOLD,
};

/** Sends the state changes of the configured alarms to the function, and creates those that have a metric. */
export class AlarmTriggers extends Construct {
  constructor(scope: Construct, id: string, { config, handler, failures, after }: AlarmTriggersProps) {
    super(scope, id);
    for (const { name: nodePool, alarms } of config.nodePools)
      for (const alarm of alarms) if (alarm.create) this.createAlarm(nodePool, alarm, alarm.create);

    for (const [index, names] of alarmNameGroups(config).entries()) {
      const target = new LambdaFunction(handler, {
        deadLetterQueue: failures,
        maxEventAge: Duration.minutes(10),
        retryAttempts: 10,
      });
      const rule = new Rule(this, index === 0 ? 'Rule' : `Rule${index + 1}`, {
        description: 'State changes of the alarms that Headstart adds headroom for',
        eventPattern: alarmPattern(names, Aws.ACCOUNT_ID),
        targets: [target],
      });
      rule.node.addDependency(...after);
    }
  }

  private createAlarm(nodePool: string, { name, alarmName, add }: AlarmConfig, create: MetricAlarm): void {
    const { namespace, metric, dimensions, statistic, periodSeconds, evaluationPeriods, comparison, threshold } =
      create;
    new Alarm(this, `${nodePool}-${name}`, {
      alarmName,
      alarmDescription: `${nodePool}: ${name} adds ${add} replicas of headroom`,
      metric: new Metric({
        namespace,
        metricName: metric,
        dimensionsMap: { ...dimensions },
        statistic,
        period: Duration.seconds(periodSeconds),
      }),
      comparisonOperator: OPERATORS[comparison],
      threshold,
      evaluationPeriods,
    });
  }
}

/** The alarm names, in as few groups as fit into patterns. */
export function alarmNameGroups({ nodePools }: Config): string[][] {
  const names = new Set(nodePools.flatMap(({ alarms }) => alarms.map(({ alarmName }) => alarmName)));
  const groups: string[][] = [];
  for (const name of names) {
    const group = groups.at(-1);
    if (group && patternLength([...group, name]) <= MAX_PATTERN) group.push(name);
    else groups.push([name]);
  }
  return groups;
}

/** Only our account's alarms: the bus may also receive events of other accounts. */
function alarmPattern(alarmName: readonly string[], account: string): EventPattern {
  const { source, detailType } = alarmStateChange;
  return { source: [source], detailType: [detailType], account: [account], detail: { alarmName } };
}

function patternLength(names: readonly string[]): number {
  const { detailType, ...pattern } = alarmPattern(names, '123456789012');
  return Buffer.byteLength(JSON.stringify({ ...pattern, 'detail-type': detailType }));
}
