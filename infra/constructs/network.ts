import { CfnSecurityGroup, CfnSecurityGroupIngress } from 'aws-cdk-lib/aws-ec2';
import { Construct } from 'constructs';
import type { ClusterConfig } from '../../shared/core/config/config';
import type { ClusterEndpoint } from './cluster-endpoint-resource';
import type { Placement } from './headstart-function';

const HTTPS = { ipProtocol: 'tcp', fromPort: 443, toPort: 443 };

/**
 * Network access from the functions to a private endpoint. The cluster's security group admits the
 * group that is created here. Configured groups may be admitted already, and a duplicate rule fails
 * the deploy, so they get one only with `admitSecurityGroups`.
 */
export class Network extends Construct {
  readonly placement: Placement;

  constructor(
    scope: Construct,
    id: string,
    vpc: NonNullable<ClusterConfig['vpc']>,
    clusterName: string,
    { vpcId, securityGroupId }: ClusterEndpoint,
  ) {
    super(scope, id);
    const given = vpc.securityGroupIds.map((groupId) => ({ key: groupId, groupId }));
    const groups = given.length > 0 ? given : [{ key: 'Own', groupId: this.ownGroup(clusterName, vpcId) }];
    for (const { key, groupId } of given.length > 0 && !vpc.admitSecurityGroups ? [] : groups)
      new CfnSecurityGroupIngress(this, `From-${key}`, {
        description: `Headstart to the API of ${clusterName}`,
        groupId: securityGroupId,
        sourceSecurityGroupId: groupId,
        ...HTTPS,
      });
    this.placement = { subnetIds: vpc.subnetIds, securityGroupIds: groups.map(({ groupId }) => groupId) };
  }

  private ownGroup(clusterName: string, vpcId: string): string {
    return new CfnSecurityGroup(this, 'Group', {
      groupDescription: `Headstart of ${clusterName}`,
      vpcId,
      securityGroupEgress: [{ description: 'The Kubernetes API and AWS endpoints', cidrIp: '0.0.0.0/0', ...HTTPS }],
    }).attrGroupId;
  }
}
