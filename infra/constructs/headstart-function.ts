import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type CfnFunction, Function as LambdaFunction, Runtime, Tracing } from 'aws-cdk-lib/aws-lambda';
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { Config } from '../../shared/core/config/config';
import { BUNDLE_HANDLER, bundleLambda } from '../bundling/bundling';
import { architectureOf, encryptionKeyOf, switchesOf } from './switches';

/** Where functions run that must reach a private endpoint. */
export interface Placement {
  /** The subnets of the functions, by id. */
  readonly subnetIds: readonly string[];
  /** The security groups of the functions, by id. */
  readonly securityGroupIds: readonly string[];
}

/** What becomes of an event that was accepted but could not be handled. */
export interface AsyncPolicy {
  /** How old it may become before it is given up. */
  readonly maxEventAge: Duration;

  /** How often it is tried again; Lambda allows two at the most. */
  readonly retryAttempts: number;

  /**
   * Where it ends when it is given up.
   *
   * @default dropped; Lambda's Errors metric counts it
   */
  readonly failures?: IQueue;
}

/** Properties of `HeadstartFunction`. */
export interface HeadstartFunctionProps {
  /** The name of a file in `lambdas/`, without `.ts`. */
  readonly entry: string;

  /** What it is for, as the console shows it. */
  readonly description: string;

  /**
   * The config that it finds beside its code.
   *
   * @default none
   */
  readonly config?: Config;

  /**
   * Other texts that it finds beside its code, by file name.
   *
   * @default none
   */
  readonly files?: Readonly<Record<string, string>>;

  /**
   * A name that stays the same, for people who type it.
   *
   * @default a name that CloudFormation makes
   */
  readonly functionName?: string;

  /**
   * Environment variables.
   *
   * @default none
   */
  readonly environment?: Readonly<Record<string, string>>;

  /**
   * The path of its role. Another path makes CloudFormation replace the role, and with it what names it.
   *
   * @default /
   */
  readonly rolePath?: string;

  /**
   * The subnets and security groups that it runs in.
   *
   * @default outside of any VPC
   */
  readonly placement?: Placement;

  /**
   * How events are retried that nobody waits for.
   *
   * @default as Lambda does it: twice, within six hours, then dropped
   */
  readonly asyncPolicy?: AsyncPolicy;

  /**
   * The longest that one run may take.
   *
   * @default Duration.minutes(1)
   */
  readonly timeout?: Duration;

  /**
   * Memory in MiB, and with it the share of a CPU.
   *
   * @default 512, where a cold start is fast and a month of heartbeats costs cents
   */
  readonly memorySize?: number;

  /**
   * How many runs at once are kept for it, and allowed.
   *
   * @default what the account has left
   */
  readonly reservedConcurrency?: number;

  /**
   * Whether AWS X-Ray follows its runs.
   *
   * @default false
   */
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

/** One function of Headstart: bundled from `lambdas/`, with a log and a role of its own that may do nothing else yet. */
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
      runtime: Runtime.NODEJS_24_X,
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

  /** By ids alone: `Vpc.fromLookup` would need credentials at synth. */
  private place({ subnetIds, securityGroupIds }: Placement): void {
    const resource = this.function.node.defaultChild as CfnFunction;
    resource.vpcConfig = { subnetIds: [...subnetIds], securityGroupIds: [...securityGroupIds] };
    this.role.addToPrincipalPolicy(new PolicyStatement({ actions: NETWORK_INTERFACE_ACTIONS, resources: ['*'] }));
    Validations.of(this.role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'network interfaces have no name before Lambda makes them; these are the actions that Lambda asks for',
    });
  }
}
