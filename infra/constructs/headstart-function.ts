import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Effect, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type CfnFunction, Function as LambdaFunction, Tracing } from 'aws-cdk-lib/aws-lambda';
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { ClusterConfig } from '../../shared/core/config/config';
import { BUNDLE_HANDLER, type BundleOptions, bundleLambda } from '../bundling/bundling';
import { RUNTIME } from '../bundling/runtime';
import { acknowledge } from './acknowledge';
import { architectureOf, encryptionKeyOf, switchesOf } from './stack-settings';

/** Where functions run if they must reach a private endpoint; by ids. */
export type Placement = Pick<NonNullable<ClusterConfig['vpc']>, 'subnetIds' | 'securityGroupIds'>;

/** What happens to an event that was accepted but could not be handled. */
interface AsyncPolicy {
  readonly maxEventAge: Duration;
  /** Lambda allows at most two. */
  readonly retryAttempts: number;
  /** The queue for events that are given up. @default dropped; Lambda's Errors metric counts it */
  readonly failures?: IQueue;
}

export interface HeadstartFunctionProps extends BundleOptions {
  /** The name of a file in `lambdas/`, without `.ts`. */
  readonly entry: string;
  readonly description: string;
  /** A fixed name, for people to type. @default a name that CloudFormation generates */
  readonly functionName?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** The path of its role. A new path makes CloudFormation replace the role and whatever refers to it. @default / */
  readonly rolePath?: string;
  /** @default outside any VPC */
  readonly placement?: Placement;
  /** How asynchronous events are retried. @default as in Lambda: twice, within six hours, then dropped */
  readonly asyncPolicy?: AsyncPolicy;
  /** @default Duration.minutes(1) */
  readonly timeout?: Duration;
  /** @default the account's unreserved concurrency */
  readonly reservedConcurrency?: number;
  /** Whether AWS X-Ray traces its runs. @default false */
  readonly tracing?: boolean;
}

/** The only EKS permission that most functions need: to read this cluster's endpoint. */
export function describeClusterStatement(scope: Construct, { name, region }: ClusterConfig): PolicyStatement {
  const { partition, account } = Stack.of(scope);
  return new PolicyStatement({
    actions: ['eks:DescribeCluster'],
    resources: [`arn:${partition}:eks:${region}:${account}:cluster/${name}`],
  });
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
      // A cold start is fast, and a month of heartbeats costs cents.
      memorySize: 512,
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
    acknowledge(
      this.role,
      ['AwsSolutions-IAM5[Resource::*]'],
      'network interfaces have no name before Lambda makes them; these are the actions that Lambda asks for',
    );
  }
}
