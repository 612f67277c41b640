import { Aws, CustomResource, Duration } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct, type IConstruct } from 'constructs';
import type { ClusterConfig } from '../../shared/core/config/config';
import { describeClusterStatement, HeadstartFunction, type HeadstartFunctionProps } from './headstart-function';

export interface DeployFunctionProps extends Omit<HeadstartFunctionProps, 'timeout' | 'asyncPolicy'> {
  readonly cluster: ClusterConfig;
  /** The timeout of one run; CloudFormation waits a little longer. */
  readonly timeout: Duration;
}

/** `-c again=<new value>` makes CloudFormation call a custom resource again without another change. */
export function againProperty({ node }: IConstruct): Readonly<Record<string, string>> {
  const again: unknown = node.tryGetContext('again');
  return again === undefined ? {} : { again: String(again) };
}

/** A function that CloudFormation calls during a deploy, with the permissions that all of them need. */
export class DeployFunction extends Construct {
  readonly function: HeadstartFunction;
  private readonly serviceTimeout: Duration;
  private readonly cluster: ClusterConfig;

  constructor(scope: Construct, id: string, { cluster, ...props }: DeployFunctionProps) {
    super(scope, id);
    this.cluster = cluster;
    // Room for Lambda's retries after a timeout.
    this.serviceTimeout = Duration.minutes(props.timeout.toMinutes() + 5);
    this.function = new HeadstartFunction(this, 'Handler', props);
    this.function.role.addToPolicy(describeClusterStatement(this, cluster));
    // A failure during a rollback would leave the stack stuck, so the function reads the stack's status.
    this.allow('cloudformation:DescribeStacks', Aws.STACK_ID);
  }

  allow(action: string, resource: string): void {
    this.function.role.addToPolicy(new PolicyStatement({ actions: [action], resources: [resource] }));
  }

  resource(type: string, properties: Readonly<Record<string, string>> = {}): CustomResource {
    const { name, region, access, vpc } = this.cluster;
    const resource = new CustomResource(this, 'Resource', {
      resourceType: `Custom::Headstart${type}`,
      serviceToken: this.function.function.functionArn,
      serviceTimeout: this.serviceTimeout,
      properties: {
        clusterName: name,
        region,
        access,
        placed: `${vpc !== undefined}`,
        // Other subnets must prove that they reach the cluster; ids may be known only after a deploy.
        ...(vpc && { network: [...vpc.subnetIds, ...vpc.securityGroupIds].join(' ') }),
        ...properties,
        ...againProperty(this),
      },
    });
    // Its permissions and log must exist before the first call and until after the last.
    resource.node.addDependency(this.function);
    return resource;
  }
}
