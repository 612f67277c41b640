import type { Connection } from '../../shared/adapters/kube/connection';
import { kubeconfigConnection } from '../../shared/adapters/kube/kubeconfig-connection';
import { KubeconfigError } from '../../shared/adapters/kube/read-kubeconfig';
import { InputError } from '../terminal/exit';

/** Opens the connection of a kubeconfig file; an unusable file is an input error. */
export async function openConnection(path: string): Promise<Connection> {
  try {
    return await kubeconfigConnection(path);
  } catch (error) {
    if (!(error instanceof KubeconfigError)) throw error;
    throw new InputError(`--kubeconfig ${path}: ${error.message}`);
  }
}
