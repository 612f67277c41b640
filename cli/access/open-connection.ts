import type { Connection } from '../../shared/adapters/kube/connection';
import { kubeconfigConnection } from '../../shared/adapters/kube/kubeconfig-connection';
import { KubeconfigError } from '../../shared/adapters/kube/read-kubeconfig';
import { InputError } from '../terminal/exit';

/** Opens the connection of a kubeconfig file; a file that cannot be used is the user's to correct. */
export async function openConnection(path: string): Promise<Connection> {
  try {
    return await kubeconfigConnection(path);
  } catch (error) {
    if (!(error instanceof KubeconfigError)) throw error;
    throw new InputError(`--kubeconfig ${path}: ${error.message}`);
  }
}
