import { Stack } from 'aws-cdk-lib';
import { Construct, type IDependable } from 'constructs';
import type { ClusterConfig } from '../../shared/core/config/config';
import { ClusterEndpoint } from './cluster-endpoint';
import type { Placement } from './headstart-function';
import { Network } from './network';

/** How the deploy functions of a stack reach the cluster, made once for the stack. */
export class ClusterReach extends Construct {
  readonly endpoint: ClusterEndpoint;
  /** Where they run; `undefined` outside of any VPC. */
  readonly placement: Placement | undefined;
  /** What must be there before the first call. */
  readonly needed: readonly IDependable[];

  /** The one of the stack that a construct is in. */
  static of(scope: Construct, cluster: ClusterConfig): ClusterReach {
    const stack = Stack.of(scope);
    const found = stack.node.tryFindChild('Cluster');
    return found instanceof ClusterReach ? found : new ClusterReach(stack, 'Cluster', cluster);
  }

  private constructor(scope: Construct, id: string, cluster: ClusterConfig) {
    super(scope, id);
    this.endpoint = new ClusterEndpoint(this, 'Endpoint', { cluster });
    const { vpc, name: clusterName } = cluster;
    const network = vpc && vpc.securityGroupIds.length === 0 ? this.network(vpc, clusterName) : undefined;
    // Security groups that the config names may reach the cluster already: the rule for them is not ours to make.
    this.placement = network?.placement ?? vpc;
    this.needed = network ? [network] : [];
  }

  private network(vpc: NonNullable<ClusterConfig['vpc']>, clusterName: string): Network {
    const { vpcId, securityGroupId: clusterSecurityGroupId } = this.endpoint;
    return new Network(this, 'Network', { vpc, clusterName, vpcId, clusterSecurityGroupId });
  }
}
