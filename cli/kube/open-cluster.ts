import type { Connection } from '../../shared/adapters/kube/connection';
import { type KubeTransport, kubeTransport } from '../../shared/adapters/kube/kube-transport';
import { kubeconfigConnection } from '../../shared/adapters/kube/kubeconfig-connection';
import { KubeconfigError } from '../../shared/adapters/kube/read-kubeconfig';
import { InputError } from '../terminal/exit';

/** Somebody is waiting at the terminal, so give up sooner than a function would. */
const PATIENCE = { timeoutMs: 8_000, maxTries: 3 };

export interface OpenCluster {
  readonly server: string;
  readonly connection: Connection;
  readonly transport: KubeTransport;
}

export async function openCluster(kubeconfig: string): Promise<OpenCluster> {
  const connection = await openConnection(kubeconfig);
  return { server: connection.server(), connection, transport: kubeTransport(connection, PATIENCE) };
}

/** Opens the connection of a kubeconfig file; an unusable file is an input error. */
export async function openConnection(path: string): Promise<Connection> {
  try {
    return await kubeconfigConnection(path);
  } catch (error) {
    if (!(error instanceof KubeconfigError)) throw error;
    throw new InputError(`--kubeconfig ${path}: ${error.message}`);
  }
}
