import type { RoleOptions } from '../aws/assume-role';
import type { ConfigOptions } from './load-or-fail';
import { CONFIGS, ENV, type Flag, JSON_OPTION, ROLE, WAVE } from './options';

export interface AccessOptions extends ConfigOptions, RoleOptions {
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
  CONFIGS,
  WAVE,
  ENV,
  ['--kubeconfig <file>', 'talk to the cluster of this file instead of the deployed function'],
  ['--function <name>', 'the deployed function (default: the one that cdk deploy created for this cluster)'],
  ROLE,
  ['--stack <name>', 'with --kubeconfig: whose headroom it is (default: the owner found in the namespace)'],
  JSON_OPTION,
];
