import { Annotations, Stack } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnSchedule, CfnScheduleGroup, ContextAttribute } from 'aws-cdk-lib/aws-scheduler';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct, type IDependable } from 'constructs';
import type { Config } from '../../shared/core/config/config';
import type { EventSource } from '../../shared/core/events/event-source';
import { heartbeat, tickEvent, windowEdge } from '../../shared/core/events/ticks';
import { type CompiledSchedules, compileSchedules, heartbeatExpression } from '../../shared/core/schedules/schedules';

/** Properties of `WindowSchedules`. */
export interface WindowSchedulesProps {
  /** The config whose windows are scheduled. */
  readonly config: Config;

  /** The function that reconciles. */
  readonly handler: IFunction;

  /** Where an edge ends that could not be delivered. */
  readonly failures: IQueue;

  /** One-offs that are over by this time get no schedule. */
  readonly now: Date;

  /** How many window edges there is room for; the heartbeat covers the others. */
  readonly max: number;

  /** What must be there before the first one fires, such as the access to the cluster. */
  readonly after: readonly IDependable[];
}

interface Timing {
  readonly expression: string;
  readonly timezone: string;
  readonly description: string;
  readonly type: EventSource;
  readonly maximumEventAgeInSeconds: number;
  readonly maximumRetryAttempts: number;
}

/** A schedule for each window edge, in the window's own time zone, and the heartbeat; in a group of their own. */
export class WindowSchedules extends Construct {
  readonly compiled: CompiledSchedules;
  private readonly group: CfnScheduleGroup;
  private readonly role: Role;

  constructor(
    scope: Construct,
    id: string,
    private readonly props: WindowSchedulesProps,
  ) {
    super(scope, id);
    const { config, now, max } = props;
    this.compiled = compileSchedules(config, { now: now.getTime(), max });
    this.group = new CfnScheduleGroup(this, 'Group');
    this.role = this.invokingRole();
    for (const { name, ...schedule } of this.compiled.schedules)
      this.add(name, { ...schedule, type: windowEdge, maximumEventAgeInSeconds: 600, maximumRetryAttempts: 10 });
    this.add('heartbeat', {
      expression: heartbeatExpression(config),
      timezone: 'UTC',
      description: 'looks at every NodePool, expires what has ended and heals drift',
      type: heartbeat,
      // The next one is as good as a retry.
      maximumEventAgeInSeconds: 60,
      maximumRetryAttempts: 1,
    });
    for (const sentence of this.compiled.leftToHeartbeat) Annotations.of(this).addInfo(sentence);
  }

  private invokingRole(): Role {
    const { handler, failures } = this.props;
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
    role.addToPrincipalPolicy(new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [failures.queueArn] }));
    return role;
  }

  private add(name: string, timing: Timing): void {
    const { type, expression, timezone, description, ...retryPolicy } = timing;
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
        retryPolicy,
        deadLetterConfig: { arn: this.props.failures.queueArn },
      },
    });
    // Scheduler tries the role when a schedule is made; the role itself waits for nothing, so that IAM knows it by then.
    schedule.node.addDependency(this.role, ...this.props.after);
  }
}
