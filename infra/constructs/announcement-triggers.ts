import { Duration, Stack } from 'aws-cdk-lib';
import { CfnRule } from 'aws-cdk-lib/aws-events';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { AnnouncedEvent } from '../../shared/core/config/config';
import { addEventQueue, admitRules, type TriggerProps, undelivered } from './event-delivery';

/** Announced peaks: a rule for each pattern, a queue of their own, and the function, in batches. */
export class AnnouncementTriggers extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;

  constructor(
    scope: Construct,
    id: string,
    private readonly props: TriggerProps,
  ) {
    super(scope, id);
    const { config, handler } = props;
    // A day: an older announcement is refused.
    const { queue, deadLetters } = addEventQueue(this, handler, Duration.days(1));
    [this.queue, this.deadLetters] = [queue, deadLetters];
    admitRules(queue);
    for (const { name: headroom, events = [] } of config.headrooms)
      for (const event of events) {
        this.addRule(headroom, event, false, event.pattern);
        if (event.cancel) this.addRule(headroom, event, true, event.cancel);
      }
  }

  /** With the pattern as it was written: the higher construct knows only some of EventBridge's keys. */
  private addRule(headroom: string, { name: event, bus }: AnnouncedEvent, cancel: boolean, pattern: object): void {
    const { failures, after } = this.props;
    const what = cancel ? 'cancelled' : 'announced';
    const rule = new CfnRule(this, `${what}:${headroom}:${event}`, {
      description: `Peaks of headroom ${headroom} that are ${what} to Headstart: ${event}`,
      eventBusName: bus,
      eventPattern: { account: [Stack.of(this).account], ...pattern },
      targets: [
        {
          id: 'Queue',
          arn: this.queue.queueArn,
          inputTransformer: { inputTemplate: messageTemplate({ headroom, event, cancel }) },
          ...undelivered(failures),
        },
      ],
    });
    rule.node.addDependency(...after);
  }
}

/** EventBridge puts the time into quotes by itself; a `<` in a name would begin a variable. */
function messageTemplate(announced: object): string {
  const named = JSON.stringify(announced).replaceAll('<', '\\u003c');
  return `{"announced":${named},"ingestedAt":<aws.events.event.ingestion-time>,"event":<aws.events.event.json>}`;
}
