import { Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { Effect, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type CfnFunction, Function as LambdaFunction, Tracing } from 'aws-cdk-lib/aws-lambda';
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { Config } from '../../shared/core/config/config';
import { BUNDLE_HANDLER, bundleLambda } from '../bundling/bundling';
import { RUNTIME } from '../bundling/runtime';
import { architectureOf, encryptionKeyOf, switchesOf } from './switches';

/** Where functions run if they must reach a private endpoint. */
export interface Placement {
  /** The subnets of the functions, by id. */
  readonly subnetIds: readonly string[];
  /** The security groups of the functions, by id. */
  readonly securityGroupIds: readonly string[];
}

/** What happens to an event that was accepted but could not be handled. */
export interface AsyncPolicy {
  /** How old it may get before it is given up. */
  readonly maxEventAge: Duration;

  /** How often it is retried; Lambda allows at most two. */
  readonly retryAttempts: number;

  /** The queue for events that are given up. @default dropped; Lambda's Errors metric counts it */
  readonly failures?: IQueue;
}

/** Properties of `HeadstartFunction`. */
export interface HeadstartFunctionProps {
  /** The name of a file in `lambdas/`, without `.ts`. */
  readonly entry: string;

  /** What it is for, as the console shows it. */
  readonly description: string;

  /** The config, bundled with its code. @default none */
  readonly config?: Config;

  /** Other bundled text files, by name. @default none */
  readonly files?: Readonly<Record<string, string>>;

  /** A fixed name, for people to type. @default a name that CloudFormation generates */
  readonly functionName?: string;

  /** Environment variables. @default none */
  readonly environment?: Readonly<Record<string, string>>;

  /**
   * The path of its role. A new path makes CloudFormation replace the role and whatever refers to it.
   *
   * @default /
   */
  readonly rolePath?: string;

  /** The subnets and security groups that it runs in. @default outside any VPC */
  readonly placement?: Placement;

  /** How asynchronous events are retried. @default as in Lambda: twice, within six hours, then dropped */
  readonly asyncPolicy?: AsyncPolicy;

  /** The timeout of one run. @default Duration.minutes(1) */
  readonly timeout?: Duration;

  /**
   * Memory in MiB, and with it the share of a CPU.
   *
   * @default 512, where a cold start is fast and a month of heartbeats costs cents
   */
  readonly memorySize?: number;

  /** Reserved concurrency. @default the account's unreserved concurrency */
  readonly reservedConcurrency?: number;

  /** Whether AWS X-Ray traces its runs. @default false */
  readonly tracing?: boolean;
}

const NETWORK_INTERFACE_ACTIONS = [
  'ec2:AssignPrivateIpAddresses',
  'ec2:CreateNetworkInterface',
  'ec2:DeleteNetworkInterface',
  'ec2:DescribeNetworkInterfaces',
  'ec2:DescribeSubnets',
  'ec2:UnassignPrivateIpAddresses',
];

/** One function of Headstart: bundled from `lambdas/`, with its own log group and a role that may only write to it. */
export class HeadstartFunction extends Construct {
  readonly function: LambdaFunction;
  readonly role: Role;

  constructor(scope: Construct, id: string, props: HeadstartFunctionProps) {
    super(scope, id);
    const { entry, config, files, placement, asyncPolicy, tracing = false } = props;
    const key = encryptionKeyOf(this);
    const logGroup = new LogGroup(this, 'Log', {
      retention: switchesOf(this).logRetentionDays ?? RetentionDays.ONE_MONTH,
      ...(key && { encryptionKey: key }),
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      description: props.description,
      ...(props.rolePath !== undefined && { path: props.rolePath }),
    });
    logGroup.grantWrite(this.role);

    this.function = new LambdaFunction(this, 'Function', {
      code: bundleLambda(entry, { ...(config && { config }), ...(files && { files }) }),
      handler: BUNDLE_HANDLER,
      description: props.description,
      runtime: RUNTIME,
      architecture: architectureOf(this),
      memorySize: props.memorySize ?? 512,
      timeout: props.timeout ?? Duration.minutes(1),
      role: this.role,
      logGroup,
      tracing: tracing ? Tracing.ACTIVE : Tracing.DISABLED,
      ...(props.functionName !== undefined && { functionName: props.functionName }),
      ...(props.reservedConcurrency !== undefined && { reservedConcurrentExecutions: props.reservedConcurrency }),
      ...(props.environment && { environment: { ...props.environment } }),
      ...(asyncPolicy && {
        maxEventAge: asyncPolicy.maxEventAge,
        retryAttempts: asyncPolicy.retryAttempts,
        ...(asyncPolicy.failures && { onFailure: new SqsDestination(asyncPolicy.failures) }),
      }),
    });
    if (placement) this.place(placement);
  }

  /** By ids only: `Vpc.fromLookup` would need credentials at synth. */
  private place({ subnetIds, securityGroupIds }: Placement): void {
    const resource = this.function.node.defaultChild as CfnFunction;
    resource.vpcConfig = { subnetIds: [...subnetIds], securityGroupIds: [...securityGroupIds] };
    const statement = { actions: NETWORK_INTERFACE_ACTIONS, resources: ['*'] };
    this.role.addToPrincipalPolicy(new PolicyStatement(statement));
    // Lambda sets this key for calls of the function's code, and not when it makes the interfaces itself. A pattern, because
    // the policy must exist before the function.
    const { partition, region, account } = Stack.of(this);
    const code = { 'lambda:SourceFunctionArn': `arn:${partition}:lambda:${region}:${account}:function:*` };
    this.role.addToPrincipalPolicy(
      new PolicyStatement({ ...statement, effect: Effect.DENY, conditions: { ArnLike: code } }),
    );
    Validations.of(this.role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'network interfaces have no name before Lambda makes them; these are the actions that Lambda asks for',
    });
  }
}
