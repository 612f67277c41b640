import { Aws, Duration } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { ENVIRONMENT } from '../../shared/adapters/process/environment';
import { ownerText } from '../../shared/core/basics/names';
import type { ClusterConfig } from '../../shared/core/config/config';
import { DeployFunction } from './deploy-function';

/**
 * Reads the cluster's endpoint once per deploy, so that a cold start need not, and fails a deploy that cannot work: no
 * such cluster, a private endpoint without `vpc`, or access entries in authentication mode CONFIG_MAP.
 */
export class ClusterEndpoint extends Construct {
  /** Distinguishes the cluster from an earlier one of the same name. */
  readonly clusterId: string;
  /** The security group of the private endpoint. */
  readonly securityGroupId: string;
  readonly vpcId: string;
  /** Environment variables for the functions that talk to the cluster. */
  readonly environment: Readonly<Record<string, string>>;

  constructor(scope: Construct, id: string, cluster: ClusterConfig) {
    super(scope, id);
    const reader = new DeployFunction(this, 'Function', {
      entry: 'deploy/cluster-endpoint',
      description: `Reads how the API of ${cluster.name} is reached, once per deploy`,
      cluster,
      timeout: Duration.minutes(4),
    });
    const resource = reader.resource('ClusterEndpoint');
    this.clusterId = resource.getAttString('ClusterId');
    this.securityGroupId = resource.getAttString('SecurityGroupId');
    this.vpcId = resource.getAttString('VpcId');
    this.environment = {
      [ENVIRONMENT.endpoint]: resource.getAttString('Endpoint'),
      [ENVIRONMENT.certificateAuthority]: resource.getAttString('CertificateAuthority'),
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
   * The path of a role that has an access entry. Access entries are deleted with the cluster, but
   * CloudFormation does not notice. For a cluster that was recreated under the same name, the
   * new path makes it replace the role, and with the role the entry.
   */
  rolePath(...more: readonly string[]): string {
    return `/headstart/${[this.clusterId, ...more].join('/')}/`;
  }
}
