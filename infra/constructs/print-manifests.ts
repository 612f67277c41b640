import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { attachCustomSynthesis, CfnOutput, type ISynthesisSession } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { stringify } from 'yaml';
import { physicalName } from '../../shared/core/basics/names';
import type { ClusterConfig } from '../../shared/core/config/config';
import type { Manifest } from '../../shared/core/manifests/cluster-object-manifests';

/** The context of an export, which is deployed from its files and not by cdk. */
export const EXPORTED = 'headstart:exported';
export const MANIFESTS = /^headstart-(manifests|nodepools)-.*\.yaml$/;

/**
 * For `cluster.access: manual`: writes manifests into `headstart-<title>-<cluster>-<region>.yaml`
 * beside the template, and prints the command that applies them.
 */
export function printManifests(
  scope: Construct,
  { name, region }: ClusterConfig,
  title: string,
  objects: readonly Manifest[],
): void {
  const file = `${physicalName([`headstart-${title}`, name, region], 200)}.yaml`;
  attachCustomSynthesis(scope, {
    onSynthesize: ({ outdir }: ISynthesisSession) => writeFileSync(join(outdir, file), manifestsText(name, objects)),
  });
  const isExported = scope.node.tryGetContext(EXPORTED) === true;
  new CfnOutput(scope, 'Apply', {
    description: `Run this first, in the folder ${isExported ? 'that headstart export wrote' : 'where you ran cdk'}`,
    value: `kubectl apply --server-side -f ${isExported ? '' : 'cdk.out/'}${file}`,
  });
}

function manifestsText(cluster: string, objects: readonly Manifest[]): string {
  const head = `# Headstart's own objects on cluster ${cluster}, for kubectl apply --server-side -f <this file>\n`;
  return `${head}${objects.map((manifest) => stringify(manifest)).join('---\n')}`;
}
