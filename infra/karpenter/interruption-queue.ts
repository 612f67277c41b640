import { type CfnResource, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { CfnRule } from 'aws-cdk-lib/aws-events';
import { CfnQueue, CfnQueuePolicy } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { capacityReservation } from '../../shared/core/events/capacity-reservation';
import type { EventSource } from '../../shared/core/events/event-source';
import { healthScheduledChange } from '../../shared/core/events/health-scheduled-change';
import { instanceStateChange } from '../../shared/core/events/instance-state-change';
import { rebalanceRecommendation } from '../../shared/core/events/rebalance-recommendation';
import { spotInterruption } from '../../shared/core/events/spot-interruption';
import { acknowledge } from '../constructs/acknowledge';

/** Karpenter handles more kinds than Headstart and filters itself, so the patterns have no detail. */
const RULES: Readonly<Record<string, EventSource>> = {
  ScheduledChangeRule: healthScheduledChange,
  SpotInterruptionRule: spotInterruption,
  RebalanceRule: rebalanceRecommendation,
  InstanceStateChangeRule: instanceStateChange,
  CapacityReservationInterruptionRule: capacityReservation,
};

/**
 * The queue that Karpenter consumes, and its rules. Headstart's own queue is separate.
 *
 * All of it outlives the stack: without its queue the controller logs an error every few
 * seconds and gets no interruption notices.
 */
export class InterruptionQueue extends Construct {
  readonly queueArn: string;

  /** The name is the controller's `settings.interruptionQueue`. */
  constructor(scope: Construct, id: string, queueName: string) {
    super(scope, id);
    const queue = new CfnQueue(this, 'Queue', {
      queueName,
      messageRetentionPeriod: Duration.minutes(5).toSeconds(),
      sqsManagedSseEnabled: true,
    });
    acknowledge(
      queue,
      ['AwsSolutions-SQS3'],
      'Karpenter deletes what it cannot read, and a warning that is five minutes old is of no use to anybody',
    );
    this.queueArn = queue.attrArn;
    const policy = this.allowRules(queue);
    const rules = Object.entries(RULES).map(([id, { source, detailType }]) => {
      const rule = new CfnRule(this, id, {
        description: `${detailType} to Karpenter's queue ${queueName}`,
        eventPattern: { source: [source], 'detail-type': [detailType] },
        targets: [{ id: 'KarpenterInterruptionQueueTarget', arn: queue.attrArn }],
      });
      rule.node.addDependency(policy);
      return rule;
    });
    const kept: readonly CfnResource[] = [queue, policy, ...rules];
    for (const resource of kept) resource.applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE);
  }

  /** Karpenter's own statements, restricted to rules of this account: a message here drains a node. */
  private allowRules(queue: CfnQueue): CfnQueuePolicy {
    const { partition, region, account } = Stack.of(this);
    return new CfnQueuePolicy(this, 'Policy', {
      queues: [queue.ref],
      policyDocument: {
        Version: '2012-10-17',
        Id: 'EC2InterruptionPolicy',
        Statement: [
          {
            Effect: 'Allow',
            Principal: { Service: ['events.amazonaws.com', 'sqs.amazonaws.com'] },
            Action: 'sqs:SendMessage',
            Resource: queue.attrArn,
            Condition: { ArnLike: { 'aws:SourceArn': `arn:${partition}:events:${region}:${account}:rule/*` } },
          },
          {
            Sid: 'DenyHTTP',
            Effect: 'Deny',
            Principal: '*',
            Action: 'sqs:*',
            Resource: queue.attrArn,
            Condition: { Bool: { 'aws:SecureTransport': 'false' } },
          },
        ],
      },
    });
  }
}
