import { Duration } from 'aws-cdk-lib';
import { type EventPattern, Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { type IQueue, Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct, type IDependable } from 'constructs';
import type { Config } from '../../shared/core/config/config';
import {
  CAPACITY_RESERVATION_INTERRUPTION,
  type EventType,
  HEALTH_CATEGORY,
  HEALTH_EVENT,
  HEALTH_SERVICE,
  INSTANCE_STATE_CHANGE,
  LEAVING_STATES,
  REBALANCE_RECOMMENDATION,
  SPOT_INTERRUPTION,
} from '../../shared/core/events/aws-detail-types';
import { INTERRUPTION_CAUSES, type InterruptionCause } from '../../shared/core/events/causes';
import { FailureQueue } from './failure-queue';

/** How long one batch may take; SQS should wait six times as long before it delivers a message again. */
export const INTERRUPTION_TIMEOUT = Duration.seconds(20);

/** Properties of `InterruptionTriggers`. */
export interface InterruptionTriggersProps {
  /** Which notices any of its NodePools wants to hear of. */
  readonly causes: readonly InterruptionCause[];

  /** The function that receives them in batches. */
  readonly handler: LambdaFunction;

  /** Where a notice ends that could not be queued. */
  readonly failures: IQueue;

  /** What must be there before the first one is sent, such as the access to the cluster. */
  readonly after: readonly IDependable[];
}

const PATTERNS: Readonly<Record<InterruptionCause, EventPattern>> = {
  spot: pattern(SPOT_INTERRUPTION),
  rebalance: pattern(REBALANCE_RECOMMENDATION),
  capacityReservation: pattern(CAPACITY_RESERVATION_INTERRUPTION),
  health: pattern(HEALTH_EVENT, { service: [HEALTH_SERVICE], eventTypeCategory: [HEALTH_CATEGORY] }),
  stateChange: pattern(INSTANCE_STATE_CHANGE, { state: [...LEAVING_STATES] }),
};

/** Notices that nodes will be taken away: rules, a queue apart from Karpenter's, and the function in batches. */
export class InterruptionTriggers extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, { causes, handler, failures, after }: InterruptionTriggersProps) {
    super(scope, id);
    this.deadLetters = new FailureQueue(this, 'DeadLetters').queue;
    this.queue = new Queue(this, 'Queue', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      visibilityTimeout: Duration.seconds(INTERRUPTION_TIMEOUT.toSeconds() * 6),
      // Longer than five tries take, so that what keeps failing ends in the dead-letter queue.
      retentionPeriod: Duration.hours(1),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: 5 },
    });
    for (const cause of causes) {
      const target = new SqsQueue(this.queue, {
        deadLetterQueue: failures,
        maxEventAge: Duration.minutes(10),
        retryAttempts: 10,
      });
      const rule = new Rule(this, cause, {
        description: `Notices for Headstart that nodes will be taken away: ${cause}`,
        eventPattern: PATTERNS[cause],
        targets: [target],
      });
      rule.node.addDependency(...after);
    }
    handler.addEventSource(
      new SqsEventSource(this.queue, {
        // One look at the NodeClaims serves a whole burst.
        batchSize: 100,
        maxBatchingWindow: Duration.seconds(1),
        maxConcurrency: 2,
        reportBatchItemFailures: true,
      }),
    );
  }
}

/** The notices that any NodePool of the config wants to hear of. */
export function wantedCauses({ nodePools }: Config): readonly InterruptionCause[] {
  return INTERRUPTION_CAUSES.filter((cause) =>
    nodePools.some(({ interruptions }) => interruptions?.on.includes(cause)),
  );
}

function pattern({ source, detailType }: EventType, detail?: Record<string, unknown>): EventPattern {
  return { source: [source], detailType: [detailType], ...(detail && { detail }) };
}
