import type { KubeTransport } from '../../shared/adapters/kube-transport';
import type { Config } from '../../shared/core/config/config';
import type { OrderResponse } from '../../shared/core/handle-order';
import { InputError } from '../exit';
import type { ConfigOptions } from '../load';
import type { Terminal } from '../terminal';

export interface AccessOptions extends ConfigOptions {
  readonly kubeconfig?: string;
  readonly function?: string;
}

/** The way to a running Headstart: its deployed function, or the cluster itself. */
export interface Access {
  /** What is talked to, for messages. */
  readonly place: string;
  /** Gives an order, or asks with `{status: true}`. */
  order(order: Readonly<Record<string, unknown>>): Promise<OrderResponse>;
  /** The time over there, as the last answer showed it: orders end by that clock and not by this machine's. */
  now(): number;
  /** Where the cluster itself is reached, with the caller's own rights. */
  readonly transport?: KubeTransport;
}

/**
 * A cluster is only talked to when its kubeconfig is named: an order must never
 * reach the cluster that some shell happened to point at.
 */
export async function openAccess(options: AccessOptions, config: Config, terminal: Terminal): Promise<Access> {
  if (options.kubeconfig === undefined)
    return (await import('./function-access')).functionAccess(config.cluster, terminal, options.function);
  if (options.function !== undefined)
    throw new InputError('--kubeconfig does not go with --function; write one of the two');
  return (await import('./cluster-access')).clusterAccess(options.kubeconfig, config, terminal);
}
