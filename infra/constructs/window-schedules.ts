import { Annotations, Stack } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnSchedule, CfnScheduleGroup, ContextAttribute } from 'aws-cdk-lib/aws-scheduler';
import { Construct, type IDependable } from 'constructs';
import type { Config } from '../../shared/core/config/config';
import { TICK_RETRIES } from '../../shared/core/events/delivery-limits';
import type { EventSource } from '../../shared/core/events/event-source';
import { heartbeat, tickEvent, windowEdge } from '../../shared/core/events/ticks';
import { countResources, MAX_RESOURCES } from '../../shared/core/schedules/count-resources';
import { compileSchedules, heartbeatExpression } from '../../shared/core/schedules/schedules';

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
export class WindowSchedules extends Construct {
  private readonly group: CfnScheduleGroup;
  private readonly role: Role;

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
    this.group = new CfnScheduleGroup(this, 'Group');
    this.role = this.invokingRole();
    for (const { name, ...schedule } of schedules) this.add(name, { ...schedule, type: windowEdge });
    this.add('heartbeat', {
      expression: heartbeatExpression(config),
      timezone: 'UTC',
      description: 'heartbeat: reconciles every NodePool',
      type: heartbeat,
    });
    for (const sentence of leftToHeartbeat) Annotations.of(this).addInfo(sentence);
  }

  private invokingRole(): Role {
    const { handler } = this.props;
    const { account } = Stack.of(this);
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
        conditions: { StringEquals: { 'aws:SourceAccount': account, 'aws:SourceArn': this.group.attrArn } },
      }),
      description: 'Lets the schedules of one group invoke the reconcile function',
    });
    role.addToPrincipalPolicy(
      new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [handler.functionArn] }),
    );
    return role;
  }

  private add(name: string, timing: Timing): void {
    const { type, expression, timezone, description } = timing;
    const schedule = new CfnSchedule(this, name, {
      name,
      groupName: this.group.ref,
      description,
      scheduleExpression: expression,
      scheduleExpressionTimezone: timezone,
      flexibleTimeWindow: { mode: 'OFF' },
      state: 'ENABLED',
      target: {
        arn: this.props.handler.functionArn,
        roleArn: this.role.roleArn,
        input: JSON.stringify(tickEvent(type, ContextAttribute.scheduledTime, { schedule: name })),
        // No dead-letter queue either: the next heartbeat is the retry.
        retryPolicy: { maximumEventAgeInSeconds: MIN_EVENT_AGE, maximumRetryAttempts: TICK_RETRIES },
      },
    });
    // Scheduler checks the role when a schedule is created; the role has no dependencies, so IAM knows it by then.
    schedule.node.addDependency(this.role, ...this.props.after);
  }
}
