import { Duration } from 'aws-cdk-lib';
import { type EventPattern, Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { IQueue, Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct, type IDependable } from 'constructs';
import type { InterruptionSource } from '../../shared/core/events/event-source';
import { addEventQueue } from './event-queue';

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
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, { sources, handler, failures, after }: InterruptionTriggersProps) {
    super(scope, id);
    const { queue, deadLetters } = addEventQueue(this, handler, Duration.hours(1));
    this.deadLetters = deadLetters;
    for (const source of sources) {
      const target = new SqsQueue(queue, {
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
  }
}

function patternOf({ source, detailType, filter }: InterruptionSource): EventPattern {
  return { source: [source], detailType: [detailType], ...(filter && { detail: filter }) };
}
