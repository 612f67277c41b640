import { Duration } from 'aws-cdk-lib';
import { Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { wantedSources } from '../../shared/core/config/wanted-sources';
import { addEventQueue, type TriggerProps, undelivered } from './event-delivery';

/** Interruption notices: rules, a queue separate from Karpenter's, and the function, in batches. */
export class InterruptionTriggers extends Construct {
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, { config, handler, failures, after }: TriggerProps) {
    super(scope, id);
    const { queue, deadLetters } = addEventQueue(this, handler, Duration.hours(1));
    this.deadLetters = deadLetters;
    const target = new SqsQueue(queue);
    for (const { cause, source, detailType, filter } of wantedSources(config)) {
      const rule = new Rule(this, cause, {
        description: `Interruption notices for Headstart: ${cause}`,
        eventPattern: { source: [source], detailType: [detailType], ...(filter && { detail: filter }) },
        targets: [{ bind: (one, id) => ({ ...target.bind(one, id), ...undelivered(failures) }) }],
      });
      rule.node.addDependency(...after);
    }
  }
}
