import { Duration } from 'aws-cdk-lib';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { EVENT_QUEUE } from '../../shared/core/events/delivery-limits';
import { FailureQueue } from './failure-queue';
import { encryptionKeyOf, queueEncryption } from './switches';

/** What `addEventQueue` adds. */
export interface EventQueue {
  readonly queue: Queue;
  readonly deadLetters: Queue;
}

/**
 * Adds a queue from which the function takes events in batches, and its dead-letter queue. The retention is longer than all
 * tries take, so that a message that keeps failing ends in the dead-letter queue.
 */
export function addEventQueue(scope: Construct, handler: LambdaFunction, retentionPeriod: Duration): EventQueue {
  const deadLetters = new FailureQueue(scope, 'DeadLetters').queue;
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
