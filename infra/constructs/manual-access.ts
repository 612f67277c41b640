import { CfnOutput } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { runtimeGroup } from '../../shared/core/basics/names';
import type { Config } from '../../shared/core/config/config';
import type { Manifest } from '../../shared/core/manifests/cluster-objects';
import type { HeadstartFunction } from './headstart-function';
import { printManifests } from './print-manifests';

/** Properties of `ManualAccess`. */
export interface ManualAccessProps {
  readonly config: Config;
  /** What to apply by hand. */
  readonly objects: readonly Manifest[];
  /** The functions to let in, by a short name. */
  readonly functions: Readonly<Record<string, HeadstartFunction>>;
}

/**
 * For clusters that know no access entries: touches nothing, and hands a person all
 * that there is to do. The manifests lie in a file beside the template; the mapping
 * of roles is an output, since their ARNs are known only after the deploy.
 */
export class ManualAccess extends Construct {
  constructor(scope: Construct, id: string, { config, objects, functions }: ManualAccessProps) {
    super(scope, id);
    printManifests(this, config.cluster, 'manifests', objects);
    new CfnOutput(this, 'MapRoles', {
      description: 'Add these to mapRoles in the ConfigMap aws-auth: kubectl edit configmap aws-auth -n kube-system',
      value: Object.entries(functions)
        .map(([short, { role }]) => mapping(short, role.roleArn, config.cluster.namespace))
        .join('\n'),
    });
  }
}

function mapping(name: string, roleArn: string, namespace: string): string {
  return [`- rolearn: ${roleArn}`, `  username: headstart:${name}`, `  groups: ["${runtimeGroup(namespace)}"]`].join(
    '\n',
  );
}
