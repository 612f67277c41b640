import { CfnOutput } from 'aws-cdk-lib';
import { CfnAccessEntry } from 'aws-cdk-lib/aws-eks';
import { Construct, type IDependable } from 'constructs';
import { runtimeGroup } from '../../shared/core/basics/names';
import type { Config } from '../../shared/core/config/config';
import { clusterObjects, type Manifest, switchesOf } from '../../shared/core/manifests/cluster-object-manifests';
import { configText } from '../bundling/bundling';
import type { ClusterEndpoint } from './cluster-endpoint-resource';
import { ClusterObjects, type DailyDrop } from './cluster-objects-resource';
import type { HeadstartFunction, Placement } from './headstart-function';
import { printManifests } from './print-manifests';

export interface ClusterAccessProps {
  readonly config: Config;
  readonly endpoint: ClusterEndpoint;
  /** The functions that need access to the cluster, by short name. */
  readonly functions: Readonly<Record<string, HeadstartFunction>>;
  /** Where the function that applies the objects runs. @default outside any VPC */
  readonly placement?: Placement;
  /** What must exist before the objects are applied, such as the network to a private endpoint. @default none */
  readonly after?: readonly IDependable[];
}

/**
 * Gives the functions access to the cluster, with no more rights than they need: the namespace, PriorityClass and RBAC
 * are applied first, then each role is mapped to the group that RBAC grants rights to. Deletion goes in reverse order.
 */
export class ClusterAccess extends Construct {
  /** The last of it; with manual access there are none. */
  readonly entries: readonly CfnAccessEntry[];
  /** Absent with manual access. */
  readonly dailyDrop?: DailyDrop;
  /** Namespace, PriorityClass and RBAC; with manual access a person applies them. */
  readonly objects?: IDependable;

  constructor(scope: Construct, id: string, props: ClusterAccessProps) {
    super(scope, id);
    const { config, endpoint, functions, placement, after = [] } = props;
    const { name: clusterName, namespace, access } = config.cluster;
    const objects = clusterObjects(namespace, switchesOf(config));
    if (access === 'manual') {
      printManualAccess(new Construct(this, 'Manual'), props, objects);
      this.entries = [];
      return;
    }
    const { resource, dailyDrop } = new ClusterObjects(this, 'Objects', {
      cluster: config.cluster,
      endpoint,
      objects,
      what: "Headstart's namespace, PriorityClass, quota and RBAC",
      part: 'deploy',
      changes: configText(config),
      placement,
      after,
    });
    this.dailyDrop = dailyDrop;
    new CfnOutput(this, 'Changed', {
      description: "Drift in Headstart's own objects on the cluster, and how to fix it",
      value: resource.getAttString('Changed'),
    });
    this.objects = resource;
    this.entries = Object.entries(functions).map(([name, { role }]) => {
      const entry = new CfnAccessEntry(this, `${name}Entry`, {
        clusterName,
        principalArn: role.roleArn,
        type: 'STANDARD',
        kubernetesGroups: [runtimeGroup(namespace)],
      });
      entry.node.addDependency(resource);
      return entry;
    });
  }
}

/**
 * For clusters without access entries: changes nothing and prints what a person has to do. The manifests are in a file
 * beside the template; the role mapping is an output, since the ARNs are known only after the deploy.
 */
function printManualAccess(
  scope: Construct,
  { config: { cluster }, functions }: ClusterAccessProps,
  objects: readonly Manifest[],
): void {
  printManifests(scope, cluster, 'manifests', objects);
  const groups = `  groups: ["${runtimeGroup(cluster.namespace)}"]`;
  new CfnOutput(scope, 'MapRoles', {
    description: 'Add these to mapRoles in the ConfigMap aws-auth: kubectl edit configmap aws-auth -n kube-system',
    value: Object.entries(functions)
      .flatMap(([name, { role }]) => [`- rolearn: ${role.roleArn}`, `  username: headstart:${name}`, groups])
      .join('\n'),
  });
}
