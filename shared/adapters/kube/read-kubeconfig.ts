import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Cluster, KubeConfig, User } from '@kubernetes/client-node';
import { fileFault } from '../files/read-text';

export type Kubeconfig = KubeConfig;

/** A kubeconfig file that cannot be used. The message continues after the path: `is not valid YAML ...`. */
export class KubeconfigError extends Error {
  override readonly name = 'KubeconfigError';
}

const MAX_CHARACTERS = 1_048_576;
const MAX_QUOTED = 200;

/** Reads the current context of a kubeconfig file; the client library is loaded only for this. */
export async function readKubeconfig(path: string): Promise<{
  readonly kubeconfig: Kubeconfig;
  /** Without a slash at the end. */
  readonly server: string;
  readonly token: string | undefined;
}> {
  const { KubeConfig } = await import('./kube-config');
  const kubeconfig = new KubeConfig();
  try {
    kubeconfig.loadFromString(readText(path));
    kubeconfig.makePathsAbsolute(dirname(path));
  } catch (error) {
    throw new KubeconfigError(whyUnusable(error));
  }
  const [cluster, user] = [kubeconfig.getCurrentCluster(), kubeconfig.getCurrentUser()];
  if (!cluster)
    throw new KubeconfigError(`has no current context; run kubectl config use-context NAME --kubeconfig ${path}`);
  refuseInsecure(cluster);
  refuseOtherThanText(cluster, user ?? {});
  return { kubeconfig, server: cluster.server.replace(/\/$/, ''), token: user?.token };
}

function readText(path: string): string {
  if (!existsSync(path)) throw new KubeconfigError('does not exist; pass the kubeconfig file of the cluster');
  const text = textOf(path);
  if (text.length > MAX_CHARACTERS) throw new KubeconfigError('is larger than 1 MB; pass a kubeconfig file');
  return text;
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new KubeconfigError(`${fileFault(error, 'read')}; pass the kubeconfig file of the cluster`);
  }
}

function refuseInsecure({ server, skipTLSVerify }: Cluster): void {
  if (skipTLSVerify)
    throw new KubeconfigError(
      'turns TLS verification off (insecure-skip-tls-verify); write certificate-authority-data instead',
    );
  if (!/^https?:$/.test(URL.parse(server)?.protocol ?? ''))
    throw new KubeconfigError(`has the server ${quoted(server)}; write its address, such as https://HOST:PORT`);
}

/** Fields that must be text, as for kubectl: any other value would be stringified, at any length. */
function refuseOtherThanText({ caData, caFile }: Partial<Cluster>, user: Partial<User>): void {
  const { token, certData, certFile, keyData, keyFile, username, password } = user;
  const fields = {
    'certificate-authority-data': caData,
    'certificate-authority': caFile,
    token,
    'client-certificate-data': certData,
    'client-certificate': certFile,
    'client-key-data': keyData,
    'client-key': keyFile,
    username,
    password,
  };
  for (const [name, value] of Object.entries<unknown>(fields))
    if (typeof (value ?? '') !== 'string')
      throw new KubeconfigError(`has a ${name} that is not text; write it in quotes`);
}

/** One sentence for whatever the file system, the YAML parser or the client library throw. */
export function whyUnusable(error: unknown): string {
  if (error instanceof KubeconfigError) return error.message;
  const { name, message, code, path, reason, mark } = error as Thrown;
  if (code === 'ENOENT' && path !== undefined) return `names ${quoted(path)}, which does not exist`;
  // Its message quotes the lines around the mistake, which may contain a secret.
  if (name === 'YAMLException') return `is not valid YAML in line ${(mark?.line ?? 0) + 1}: ${cut(reason ?? '')}`;
  if (name !== 'Error') return 'is not a kubeconfig file; write clusters, contexts and users as kubectl does';
  return cut(message);
}

interface Thrown extends NodeJS.ErrnoException {
  readonly reason?: string;
  readonly mark?: { readonly line: number };
}

function quoted(text: string): string {
  return JSON.stringify(cut(text));
}

function cut(text: string): string {
  return text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}...` : text;
}
