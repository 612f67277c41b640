import { Aws, Duration } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { Rule } from 'aws-cdk-lib/aws-events';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { alarmNameGroups, alarmPattern } from '../../shared/core/config/alarm-patterns';
import type { AlarmConfig, MetricAlarm } from '../../shared/core/config/config';
import type { Comparison } from '../../shared/core/config/schema/alarm-schema';
import { anyRule, type TriggerProps, undelivered } from './event-delivery';

const OPERATORS: Readonly<Record<Comparison, ComparisonOperator>> = {
  '>': ComparisonOperator.GREATER_THAN_THRESHOLD,
  '>=': ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
  '<': ComparisonOperator.LESS_THAN_THRESHOLD,
  '<=': ComparisonOperator.LESS_THAN_OR_EQUAL_TO_THRESHOLD,
};

/** Sends the state changes of the configured alarms to the function, and creates those that have a metric. */
export class AlarmTriggers extends Construct {
  constructor(scope: Construct, id: string, { config, handler, failures, after }: TriggerProps) {
    super(scope, id);
    for (const { name: headroom, alarms } of config.headrooms)
      for (const alarm of alarms) if (alarm.create) this.createAlarm(headroom, alarm, alarm.create);

    const invoked = { principal: new ServicePrincipal('events.amazonaws.com'), sourceArn: anyRule(this) };
    handler.addPermission('Rules', invoked);
    for (const [index, names] of alarmNameGroups(config).entries()) {
      const { 'detail-type': detailType, ...pattern } = alarmPattern(names, Aws.ACCOUNT_ID);
      const rule = new Rule(this, index === 0 ? 'Rule' : `Rule${index + 1}`, {
        description: 'State changes of the alarms that Headstart adds headroom for',
        eventPattern: { ...pattern, detailType },
        targets: [{ bind: () => ({ arn: handler.functionArn, ...undelivered(failures) }) }],
      });
      rule.node.addDependency(...after);
    }
  }

  private createAlarm(headroom: string, { name, alarmName, add }: AlarmConfig, create: MetricAlarm): void {
    const { namespace, metric, dimensions, statistic, periodSeconds, evaluationPeriods, comparison, threshold } =
      create;
    new Alarm(this, `${headroom}-${name}`, {
      alarmName,
      alarmDescription: `${headroom}: ${name} adds ${add} replicas of headroom`,
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
