import { Annotations } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { ContextAttribute } from 'aws-cdk-lib/aws-scheduler';
import type { Construct, IDependable } from 'constructs';
import type { Config } from '../../shared/core/config/config';
import { TICK_RETRIES } from '../../shared/core/events/delivery-limits';
import type { EventSource } from '../../shared/core/events/event-source';
import { heartbeat, tickEvent, windowEdge } from '../../shared/core/events/heartbeat-and-edges';
import { countResources, MAX_RESOURCES } from '../../shared/core/schedules/count-resources';
import { compileSchedules, heartbeatExpression } from '../../shared/core/schedules/schedules';
import { ScheduleGroup } from './schedule-group';

export interface WindowSchedulesProps {
  readonly config: Config;
  /** The reconcile function. */
  readonly handler: IFunction;
  /** One-offs that are over by this time get no schedule. */
  readonly now: Date;
  /** What must exist before the first one fires, such as access to the cluster. */
  readonly after: readonly IDependable[];
}

/** The shortest that Scheduler accepts, in seconds. */
const MIN_EVENT_AGE = 60;

interface Timing {
  readonly expression: string;
  readonly timezone: string;
  readonly description: string;
  readonly type: EventSource;
}

/** A schedule for each window edge, in the window's own time zone, and the heartbeat; in a group of their own. */
export class WindowSchedules extends ScheduleGroup {
  constructor(
    scope: Construct,
    id: string,
    private readonly props: WindowSchedulesProps,
  ) {
    super(scope, id);
    const { config, now } = props;
    // The heartbeat covers the edges that the stack has no room for.
    const max = MAX_RESOURCES - countResources(config);
    const { schedules, leftToHeartbeat } = compileSchedules(config, { now: now.getTime(), max });
    for (const { name, ...schedule } of schedules) this.tick(name, { ...schedule, type: windowEdge });
    this.tick('heartbeat', {
      expression: heartbeatExpression(config),
      timezone: 'UTC',
      description: 'heartbeat: reconciles every NodePool',
      type: heartbeat,
    });
    for (const sentence of leftToHeartbeat) Annotations.of(this).addInfo(sentence);
  }

  private tick(name: string, { type, ...timing }: Timing): void {
    const { handler, after } = this.props;
    const input = JSON.stringify(tickEvent(type, ContextAttribute.scheduledTime, { schedule: name }));
    // No dead-letter queue either: the next heartbeat is the retry.
    const retryPolicy = { maximumEventAgeInSeconds: MIN_EVENT_AGE, maximumRetryAttempts: TICK_RETRIES };
    this.add(name, { ...timing, handler, input, retryPolicy, after });
  }
}
