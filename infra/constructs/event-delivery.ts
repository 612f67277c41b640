import { Duration, Validations } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { type IQueue, Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct, type IDependable } from 'constructs';
import type { Config } from '../../shared/core/config/config';
import { EVENT_QUEUE } from '../../shared/core/events/delivery-limits';
import { encryptionKeyOf, queueEncryption } from './switches';

/** What all triggers by events need. */
export interface TriggerProps {
  readonly config: Config;
  /** The function that receives the events. */
  readonly handler: IFunction;
  /** The queue for events that could not be delivered. */
  readonly failures: IQueue;
  /** What must exist before the first one is sent, such as access to the cluster. */
  readonly after: readonly IDependable[];
}

/** How long EventBridge tries to deliver an event. */
export const DELIVERY = { maxEventAge: Duration.minutes(10), retryAttempts: 10 };

/** Keeps events that could not be handled for two weeks, for a person to inspect. */
export function addFailureQueue(scope: Construct, id: string): Queue {
  const parent = new Construct(scope, id);
  const queue = new Queue(parent, 'Queue', {
    ...queueEncryption(encryptionKeyOf(parent)),
    enforceSSL: true,
    retentionPeriod: Duration.days(14),
  });
  Validations.of(queue).acknowledge({
    id: 'AwsSolutions-SQS3',
    reason: 'this is the dead-letter queue itself; an alarm watches that it stays empty',
  });
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
