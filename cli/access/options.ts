import type { Command } from 'commander';
import type { ConfigOptions } from '../input/load-config';
import { CONFIG, ENV, JSON_OPTION } from '../input/options';

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

/** The options of every command that talks to a running Headstart. */
export function withAccess(command: Command): Command {
  return command
    .option(...CONFIG)
    .option(...ENV)
    .option('--kubeconfig <file>', 'talk to the cluster of this file instead of the deployed function')
    .option('--function <name>', 'the deployed function (default: the one that cdk deploy created for this cluster)')
    .option('--stack <name>', 'with --kubeconfig: whose headroom it is (default: the owner found in the namespace)')
    .option(...JSON_OPTION);
}
