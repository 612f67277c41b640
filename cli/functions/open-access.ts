import type { Config } from '../../shared/core/config/config';
import type { AccessOptions } from '../input/access-options';
import { InputError } from '../terminal/exit';
import type { Terminal } from '../terminal/terminal';
import type { Access } from './access';

/**
 * A cluster is only accessed if its kubeconfig is given: an override must never
 * reach the cluster that a shell happens to point at.
 */
export async function openAccess(options: AccessOptions, config: Config, terminal: Terminal): Promise<Access> {
  if (options.kubeconfig === undefined) {
    const { BY_KUBECONFIG, functionAccess } = await import('./function-access');
    return functionAccess(config.cluster, terminal, options, options.role === undefined ? BY_KUBECONFIG : '');
  }
  if (options.function !== undefined)
    throw new InputError('--kubeconfig and --function exclude each other; remove one of them');
  const { kubeconfig } = options;
  return (await import('./kubeconfig-access')).clusterAccess({ ...options, kubeconfig }, config, terminal);
}
