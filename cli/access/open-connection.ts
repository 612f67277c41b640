import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Connection } from '../../shared/adapters/connection';
import { kubeconfigConnection } from '../../shared/adapters/kubeconfig-connection';
import { messageOf } from '../../shared/core/errors';
import { InputError } from '../exit';

interface Kubeconfig {
  readonly 'current-context'?: string;
  readonly contexts?: readonly {
    readonly name: string;
    readonly context: { readonly cluster: string; readonly user: string };
  }[];
  readonly clusters?: readonly { readonly name: string; readonly cluster: { readonly server: string } }[];
  readonly users?: readonly { readonly name: string; readonly user?: { readonly token?: string } }[];
}

/** Reaches the cluster of a kubeconfig file; a file that cannot be used is the user's to correct. */
export async function openConnection(path: string): Promise<Connection> {
  try {
    return plainConnection(path) ?? (await kubeconfigConnection(path));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'does not exist; name the kubeconfig file of the cluster' : messageOf(error);
    throw new InputError(`--kubeconfig ${path}: ${why}`);
  }
}

/** The sandbox speaks plain HTTP on loopback, which the Kubernetes client library refuses to read. */
function plainConnection(path: string): Connection | undefined {
  const file = parse(readFileSync(path, 'utf8')) as Kubeconfig | null;
  const context = file?.contexts?.find(({ name }) => name === file['current-context'])?.context;
  const server = file?.clusters?.find(({ name }) => name === context?.cluster)?.cluster.server;
  if (!server?.startsWith('http:')) return undefined;
  const token = file?.users?.find(({ name }) => name === context?.user)?.user?.token;
  return {
    server: () => server.replace(/\/$/, ''),
    tls: () => ({}),
    authorize: async () => (token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
}
