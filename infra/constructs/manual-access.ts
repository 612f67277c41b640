import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { attachCustomSynthesis, CfnOutput, type ISynthesisSession } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { stringify } from 'yaml';
import { physicalName, runtimeGroup } from '../../shared/core/basics/names';
import type { Config } from '../../shared/core/config/config';
import type { Manifest } from '../../shared/core/manifests/cluster-objects';
import type { HeadstartFunction } from './headstart-function';

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
    const { name, region, namespace } = config.cluster;
    const file = `${physicalName(['headstart-manifests', name, region], 200)}.yaml`;
    attachCustomSynthesis(this, {
      onSynthesize: ({ outdir }: ISynthesisSession) => writeFileSync(join(outdir, file), manifestsText(name, objects)),
    });
    new CfnOutput(this, 'Apply', {
      description: 'Run this first, in the folder where you ran cdk',
      value: `kubectl apply --server-side -f cdk.out/${file}`,
    });
    new CfnOutput(this, 'MapRoles', {
      description: 'Add these to mapRoles in the ConfigMap aws-auth: kubectl edit configmap aws-auth -n kube-system',
      value: Object.entries(functions)
        .map(([short, { role }]) => mapping(short, role.roleArn, namespace))
        .join('\n'),
    });
  }
}

function manifestsText(cluster: string, objects: readonly Manifest[]): string {
  const head = `# Headstart's own objects on cluster ${cluster}, for kubectl apply --server-side -f <this file>\n`;
  return `${head}${objects.map((manifest) => stringify(manifest)).join('---\n')}`;
}

function mapping(name: string, roleArn: string, namespace: string): string {
  return [`- rolearn: ${roleArn}`, `  username: headstart:${name}`, `  groups: ["${runtimeGroup(namespace)}"]`].join(
    '\n',
  );
}
