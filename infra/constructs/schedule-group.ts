import { Stack } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnSchedule, CfnScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct, type IDependable } from 'constructs';

export interface ScheduleProps {
  readonly handler: IFunction;
  readonly expression: string;
  readonly timezone: string;
  readonly description: string;
  /** The event, as JSON. */
  readonly input: string;
  readonly retryPolicy: CfnSchedule.RetryPolicyProperty;
  /** The queue for calls that could not be made. @default they are dropped */
  readonly deadLetters?: IQueue;
  /** What must exist before the first one fires, such as access to the cluster. @default none */
  readonly after?: readonly IDependable[];
}

/** Several tries within an hour: a function in a VPC may be idle, and takes a minute or two until it is prepared. */
const WITHIN_THE_HOUR = { maximumEventAgeInSeconds: 3_600, maximumRetryAttempts: 10 };

/** Schedules in a group of their own. Only this group can use their role, which may only invoke the functions they call. */
export class ScheduleGroup extends Construct {
  private readonly group: CfnScheduleGroup;
  private readonly role: Role;
  private readonly callable = new Set<IFunction>();

  /** The group of a whole stack, created when it is first asked for. */
  static of(scope: Construct): ScheduleGroup {
    const stack = Stack.of(scope);
    const found = stack.node.tryFindChild('Schedules');
    return found instanceof ScheduleGroup ? found : new ScheduleGroup(stack, 'Schedules');
  }

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.group = new CfnScheduleGroup(this, 'Group');
    const { account } = Stack.of(this);
    this.role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
        conditions: { StringEquals: { 'aws:SourceAccount': account, 'aws:SourceArn': this.group.attrArn } },
      }),
      description: 'Lets the schedules of one group invoke the functions they call',
    });
  }

  addDaily(name: string, props: Omit<ScheduleProps, 'expression' | 'timezone' | 'retryPolicy'>): void {
    this.add(name, { expression: 'rate(1 day)', timezone: 'UTC', retryPolicy: WITHIN_THE_HOUR, ...props });
  }

  protected add(name: string, props: ScheduleProps): void {
    const { handler, expression, timezone, description, input, retryPolicy, deadLetters, after = [] } = props;
    this.allow(handler);
    deadLetters?.grantSendMessages(this.role);
    const schedule = new CfnSchedule(this, name, {
      name,
      groupName: this.group.ref,
      description,
      scheduleExpression: expression,
      scheduleExpressionTimezone: timezone,
      flexibleTimeWindow: { mode: 'OFF' },
      state: 'ENABLED',
      target: {
        arn: handler.functionArn,
        roleArn: this.role.roleArn,
        input,
        retryPolicy,
        ...(deadLetters && { deadLetterConfig: { arn: deadLetters.queueArn } }),
      },
    });
    // Scheduler checks the role when a schedule is created; the role has no dependencies, so IAM knows it by then.
    schedule.node.addDependency(this.role, ...after);
  }

  private allow(handler: IFunction): void {
    if (this.callable.has(handler)) return;
    this.callable.add(handler);
    this.role.addToPrincipalPolicy(
      new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [handler.functionArn] }),
    );
  }
}
