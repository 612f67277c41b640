import type { ConfigOptions } from './load-or-fail';
import { CONFIG, ENV, type Flag, JSON_OPTION } from './options';

export interface AccessOptions extends ConfigOptions {
  readonly kubeconfig?: string;
  readonly function?: string;
  readonly stack?: string;
  readonly otherCluster?: boolean;
}

export const OTHER_CLUSTER = [
  '--other-cluster',
  'with --kubeconfig: go on although it is for another cluster than the config',
] as const;

export const ACCESS: readonly Flag[] = [
  CONFIG,
  ENV,
  ['--kubeconfig <file>', 'talk to the cluster of this file instead of the deployed function'],
  ['--function <name>', 'the deployed function (default: the one that cdk deploy created for this cluster)'],
  ['--stack <name>', 'with --kubeconfig: whose headroom it is (default: the owner found in the namespace)'],
  JSON_OPTION,
];
