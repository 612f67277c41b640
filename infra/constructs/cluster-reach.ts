import { Stack } from 'aws-cdk-lib';
import { Construct, type IDependable } from 'constructs';
import type { ClusterConfig } from '../../shared/core/config/config';
import { ClusterEndpoint } from './cluster-endpoint-resource';
import type { Placement } from './headstart-function';
import { Network } from './network';

/** How the deploy functions of a stack reach the cluster, created once per stack. */
export class ClusterReach extends Construct {
  readonly endpoint: ClusterEndpoint;
  /** Where they run; `undefined` outside any VPC. */
  readonly placement: Placement | undefined;
  /** What must exist before the first call. */
  readonly needed: readonly IDependable[];

  /** The instance of the construct's stack. */
  static of(scope: Construct, cluster: ClusterConfig): ClusterReach {
    const stack = Stack.of(scope);
    const found = stack.node.tryFindChild('Cluster');
    return found instanceof ClusterReach ? found : new ClusterReach(stack, 'Cluster', cluster);
  }

  private constructor(scope: Construct, id: string, cluster: ClusterConfig) {
    super(scope, id);
    this.endpoint = new ClusterEndpoint(this, 'Endpoint', cluster);
    const { vpc, name } = cluster;
    const network =
      vpc?.securityGroupIds.length === 0 ? new Network(this, 'Network', vpc, name, this.endpoint) : undefined;
    // Configured security groups may already have access to the cluster, so no rule is created for them.
    this.placement = network?.placement ?? vpc;
    this.needed = network ? [network] : [];
  }
}
