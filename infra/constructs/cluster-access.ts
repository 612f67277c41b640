import { CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import { CfnAccessEntry } from 'aws-cdk-lib/aws-eks';
import { Construct, type IDependable } from 'constructs';
import { hashText, runtimeGroup } from '../../shared/core/basics/names';
import type { Config } from '../../shared/core/config/config';
import { nodePoolManifests } from '../../shared/core/karpenter/node-pools';
import { clusterObjects, type Manifest } from '../../shared/core/manifests/cluster-objects';
import type { ClusterEndpoint } from './cluster-endpoint';
import { DeployFunction } from './deploy-function';
import type { HeadstartFunction, Placement } from './headstart-function';
import { ManualAccess } from './manual-access';

/** Properties of `ClusterAccess`. */
export interface ClusterAccessProps {
  /** The whole config: `cluster.access` says how, and its `pool` blocks become NodePools. */
  readonly config: Config;
  /** How the cluster is reached. */
  readonly endpoint: ClusterEndpoint;
  /** The functions that work on the cluster, by a short name. */
  readonly functions: Readonly<Record<string, HeadstartFunction>>;

  /**
   * Where the function runs that applies the objects.
   *
   * @default outside of any VPC
   */
  readonly placement?: Placement;

  /**
   * What must be there before the objects are applied, such as the release that brings Karpenter's CRDs.
   *
   * @default none
   */
  readonly after?: readonly IDependable[];
}

/**
 * Lets the functions into the cluster, with no more rights than they need: the
 * namespace, PriorityClass and RBAC are applied first, then each role is mapped to
 * the group that the RBAC is for. Deleting goes the other way round.
 */
export class ClusterAccess extends Construct {
  constructor(scope: Construct, id: string, props: ClusterAccessProps) {
    super(scope, id);
    const { config, functions } = props;
    const objects = [...clusterObjects(config.cluster.namespace), ...nodePoolManifests(config)];
    if (config.cluster.access === 'manual') new ManualAccess(this, 'Manual', { config, objects, functions });
    else this.admit(props, objects);
  }

  private admit(props: ClusterAccessProps, objects: readonly Manifest[]): void {
    const { config, endpoint, functions, placement, after = [] } = props;
    const { cluster } = config;
    const text = JSON.stringify(objects);
    const applier = new DeployFunction(this, 'Objects', {
      entry: 'deploy/cluster-objects',
      description: `Applies Headstart's namespace, PriorityClass and RBAC to ${cluster.name}, at deploys only`,
      cluster,
      environment: endpoint.environment,
      files: { 'objects.json': text },
      timeout: Duration.minutes(8),
      ...(placement && { placement }),
    });
    const adminEntry = this.adminEntry(cluster.name, applier.function);
    // Only then does a wrong authentication mode fail with our message and not with EKS's.
    adminEntry.node.addDependency(endpoint);
    // Any change of the config applies them again, which mends what somebody removed.
    const resource = applier.resource('ClusterObjects', {
      objects: hashText(text),
      config: hashText(JSON.stringify(config)),
    });
    resource.node.addDependency(adminEntry, ...after);
    new CfnOutput(this, 'LeftToDelete', {
      description: 'What the config no longer names and only a person may delete, since that drains nodes',
      value: resource.getAttString('LeftToDelete'),
    });

    for (const [name, { role }] of Object.entries(functions)) {
      const entry = new CfnAccessEntry(this, `${name}Entry`, {
        clusterName: cluster.name,
        principalArn: role.roleArn,
        type: 'STANDARD',
        kubernetesGroups: [runtimeGroup(config.cluster.namespace)],
      });
      entry.node.addDependency(resource);
    }
  }

  /**
   * Kubernetes lets nobody grant rights that they do not hold themselves, so who
   * applies RBAC for the functions must hold all of it, and more to create a
   * namespace and a PriorityClass; no narrower access policy of EKS does.
   */
  private adminEntry(clusterName: string, { role }: HeadstartFunction): CfnAccessEntry {
    const { partition } = Stack.of(this);
    return new CfnAccessEntry(this, 'ObjectsEntry', {
      clusterName,
      principalArn: role.roleArn,
      type: 'STANDARD',
      accessPolicies: [
        {
          policyArn: `arn:${partition}:eks::aws:cluster-access-policy/AmazonEKSClusterAdminPolicy`,
          accessScope: { type: 'cluster' },
        },
      ],
    });
  }
}
