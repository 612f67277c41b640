import type { Connection } from '../../shared/adapters/connection';
import { kubeconfigConnection } from '../../shared/adapters/kubeconfig-connection';
import { messageOf } from '../../shared/core/basics/errors';
import { InputError } from '../terminal/exit';

/** Opens the connection of a kubeconfig file; a file that cannot be used is the user's to correct. */
export async function openConnection(path: string): Promise<Connection> {
  try {
    return await kubeconfigConnection(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'does not exist; pass the kubeconfig file of the cluster' : messageOf(error);
    throw new InputError(`--kubeconfig ${path}: ${why}`);
  }
}
