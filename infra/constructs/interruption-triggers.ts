import { Duration } from 'aws-cdk-lib';
import { type EventPattern, Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { type IQueue, Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct, type IDependable } from 'constructs';
import { INTERRUPTION_QUEUE } from '../../shared/core/events/delivery-limits';
import type { InterruptionSource } from '../../shared/core/events/event-source';
import { FailureQueue } from './failure-queue';
import { encryptionKeyOf, queueEncryption } from './switches';

/** Properties of `InterruptionTriggers`. */
export interface InterruptionTriggersProps {
  /** The notices that any NodePool of the config listens to. */
  readonly sources: readonly InterruptionSource[];

  /** The function that receives them in batches. */
  readonly handler: LambdaFunction;

  /** The queue for notices that could not be delivered. */
  readonly failures: IQueue;

  /** What must exist before the first one is sent, such as access to the cluster. */
  readonly after: readonly IDependable[];
}

/** Interruption notices: rules, a queue separate from Karpenter's, and the function, in batches. */
export class InterruptionTriggers extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, { sources, handler, failures, after }: InterruptionTriggersProps) {
    super(scope, id);
    this.deadLetters = new FailureQueue(this, 'DeadLetters').queue;
    this.queue = new Queue(this, 'Queue', {
      ...queueEncryption(encryptionKeyOf(this)),
      enforceSSL: true,
      visibilityTimeout: Duration.seconds(INTERRUPTION_QUEUE.visibilitySeconds),
      // Longer than all tries take, so that a message that keeps failing ends in the dead-letter queue.
      retentionPeriod: Duration.hours(1),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: INTERRUPTION_QUEUE.maxReceives },
    });
    for (const source of sources) {
      const target = new SqsQueue(this.queue, {
        deadLetterQueue: failures,
        maxEventAge: Duration.minutes(10),
        retryAttempts: 10,
      });
      const rule = new Rule(this, source.cause, {
        description: `Interruption notices for Headstart: ${source.cause}`,
        eventPattern: patternOf(source),
        targets: [target],
      });
      rule.node.addDependency(...after);
    }
    handler.addEventSource(
      new SqsEventSource(this.queue, {
        batchSize: INTERRUPTION_QUEUE.batchSize,
        maxBatchingWindow: Duration.seconds(INTERRUPTION_QUEUE.batchingSeconds),
        maxConcurrency: 2,
        reportBatchItemFailures: true,
      }),
    );
  }
}

function patternOf({ source, detailType, filter }: InterruptionSource): EventPattern {
  return { source: [source], detailType: [detailType], ...(filter && { detail: filter }) };
}
