import { Duration, Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { type IQueue, Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct, type IDependable } from 'constructs';
import type { Config } from '../../shared/core/config/config';
import { EVENT_QUEUE } from '../../shared/core/events/delivery-limits';
import { acknowledge } from './acknowledge';
import { encryptionKeyOf, queueEncryption } from './stack-settings';

export interface TriggerProps {
  readonly config: Config;
  readonly handler: IFunction;
  /** The queue for events that could not be delivered. */
  readonly failures: IQueue;
  /** What must exist before the first one is sent, such as access to the cluster. */
  readonly after: readonly IDependable[];
}

/**
 * How long EventBridge tries to deliver an event to a rule's target, and where it leaves those that it gives up. CDK's own
 * option for it adds a statement to the queue's policy for each rule.
 */
export function undelivered({ queueArn }: IQueue) {
  return {
    deadLetterConfig: { arn: queueArn },
    retryPolicy: { maximumEventAgeInSeconds: 600, maximumRetryAttempts: 10 },
  };
}

/** All rules of this account and region: SQS allows 20 statements in a policy, Lambda 20 KB, and there may be hundreds of rules. */
export function anyRule(scope: Construct) {
  const { partition, region, account } = Stack.of(scope);
  return `arn:${partition}:events:${region}:${account}:rule/*`;
}

/** Lets every rule send to the queue, in one statement. */
export function admitRules(queue: Queue): void {
  queue.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal('events.amazonaws.com')],
      actions: ['sqs:SendMessage'],
      resources: [queue.queueArn],
      conditions: { ArnLike: { 'aws:SourceArn': anyRule(queue) } },
    }),
  );
}

/** Keeps events that could not be handled for two weeks, for a person to inspect. */
export function addFailureQueue(scope: Construct, id: string): Queue {
  const parent = new Construct(scope, id);
  const queue = new Queue(parent, 'Queue', {
    ...queueEncryption(encryptionKeyOf(parent)),
    enforceSSL: true,
    retentionPeriod: Duration.days(14),
  });
  acknowledge(
    queue,
    ['AwsSolutions-SQS3'],
    'this is the dead-letter queue itself; an alarm watches that it stays empty',
  );
  return queue;
}

/**
 * Adds a queue from which the function takes events in batches, and its dead-letter queue. The retention is longer than all
 * tries take, so that a message that keeps failing ends in the dead-letter queue.
 */
export function addEventQueue(scope: Construct, handler: IFunction, retentionPeriod: Duration) {
  const deadLetters = addFailureQueue(scope, 'DeadLetters');
  const queue = new Queue(scope, 'Queue', {
    ...queueEncryption(encryptionKeyOf(scope)),
    enforceSSL: true,
    visibilityTimeout: Duration.seconds(EVENT_QUEUE.visibilitySeconds),
    retentionPeriod,
    deadLetterQueue: { queue: deadLetters, maxReceiveCount: EVENT_QUEUE.maxReceives },
  });
  handler.addEventSource(
    new SqsEventSource(queue, {
      batchSize: EVENT_QUEUE.batchSize,
      maxBatchingWindow: Duration.seconds(EVENT_QUEUE.batchingSeconds),
      maxConcurrency: 2,
      reportBatchItemFailures: true,
    }),
  );
  return { queue, deadLetters };
}
