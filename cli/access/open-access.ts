import type { Config } from '../../shared/core/config/config';
import { InputError } from '../terminal/exit';
import type { Terminal } from '../terminal/terminal';
import type { Access } from './access';
import type { AccessOptions } from './options';

/**
 * A cluster is only talked to when its kubeconfig is named: an order must never
 * reach the cluster that some shell happened to point at.
 */
export async function openAccess(options: AccessOptions, config: Config, terminal: Terminal): Promise<Access> {
  if (options.kubeconfig === undefined)
    return (await import('./function-access')).functionAccess(config.cluster, terminal, options.function);
  if (options.function !== undefined)
    throw new InputError('--kubeconfig and --function exclude each other; remove one of them');
  return (await import('./cluster-access')).clusterAccess(
    { kubeconfig: options.kubeconfig, stack: options.stack },
    config,
    terminal,
  );
}
