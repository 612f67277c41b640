import { Aws, Duration } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { ENVIRONMENT } from '../../shared/adapters/process/environment';
import { ownerText } from '../../shared/core/basics/names';
import type { ClusterConfig } from '../../shared/core/config/config';
import { DeployFunction } from './deploy-function';

/** Properties of `ClusterEndpoint`. */
export interface ClusterEndpointProps {
  /** The cluster, which exists already. */
  readonly cluster: ClusterConfig;
}

/**
 * Reads once per deploy how the cluster is reached, so that a cold start need not
 * ask, and stops a deploy that cannot work: no such cluster, a private endpoint
 * without `vpc`, or access entries in authentication mode CONFIG_MAP.
 */
export class ClusterEndpoint extends Construct {
  /** Tells the cluster from another one that had its name before. */
  readonly clusterId: string;
  /** The API's address, `https://...`. */
  readonly endpoint: string;
  /** The API's certificate authority, PEM in base64. */
  readonly certificateAuthority: string;
  /** The security group that guards the private endpoint. */
  readonly securityGroupId: string;
  /** The VPC that the cluster lives in. */
  readonly vpcId: string;
  /** The Kubernetes version, such as `1.35`. */
  readonly version: string;
  /** What the functions that talk to the cluster need in their environment. */
  readonly environment: Readonly<Record<string, string>>;

  constructor(scope: Construct, id: string, { cluster }: ClusterEndpointProps) {
    super(scope, id);
    const reader = new DeployFunction(this, 'Function', {
      entry: 'deploy/cluster-endpoint',
      description: `Reads how the API of ${cluster.name} is reached, once per deploy`,
      cluster,
      timeout: Duration.minutes(2),
    });
    const resource = reader.resource('ClusterEndpoint');
    this.clusterId = resource.getAttString('ClusterId');
    this.endpoint = resource.getAttString('Endpoint');
    this.certificateAuthority = resource.getAttString('CertificateAuthority');
    this.securityGroupId = resource.getAttString('SecurityGroupId');
    this.vpcId = resource.getAttString('VpcId');
    this.version = resource.getAttString('Version');
    this.environment = {
      [ENVIRONMENT.endpoint]: this.endpoint,
      [ENVIRONMENT.certificateAuthority]: this.certificateAuthority,
      [ENVIRONMENT.owner]: ownerText({
        account: Aws.ACCOUNT_ID,
        region: Aws.REGION,
        cluster: cluster.name,
        namespace: cluster.namespace,
        stack: Aws.STACK_NAME,
      }),
    };
  }

  /**
   * The path of a role that an access entry admits. Access entries go with the cluster, and
   * CloudFormation goes on believing in them: for a cluster that was created again under the
   * same name, the other path makes it replace the role, and with the role the entry.
   */
  rolePath(...more: readonly string[]): string {
    return `/headstart/${[this.clusterId, ...more].join('/')}/`;
  }
}
