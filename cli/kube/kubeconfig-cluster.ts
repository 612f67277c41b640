import { basename } from 'node:path';
import { type Kubeconfig, readKubeconfig } from '../../shared/adapters/kube/read-kubeconfig';

export interface KubeconfigCluster {
  readonly server: string;
  readonly name?: string;
  readonly region?: string;
  readonly account?: string;
}

const ARN = /^arn:[^:]+:eks:(?<region>[^:]+):(?<account>\d{12}):cluster\/(?<name>.+)$/;
const EKSCTL = /^(?<name>.+)\.(?<region>[a-z]+(?:-[a-z]+)+-\d+)\.eksctl\.io$/;
const ENDPOINT = /\.(?<region>[a-z]+(?:-[a-z]+)+-\d+)\.(?:eks\.amazonaws\.|api\.aws)/;
const NAME_FLAGS = ['--cluster-name', '--cluster-id', '-i'];

/** Recognizes what `aws eks update-kubeconfig`, eksctl and aws-iam-authenticator write, and EKS endpoints. */
export async function kubeconfigCluster(path: string): Promise<KubeconfigCluster> {
  const { kubeconfig, server } = await readKubeconfig(path);
  return { server, ...named(kubeconfig, server) };
}

function named(kubeconfig: Kubeconfig, server: string): Omit<KubeconfigCluster, 'server'> {
  const names = [kubeconfig.getCurrentCluster()?.name, kubeconfig.getCurrentUser()?.name];
  const entries = [ARN, EKSCTL].flatMap((shape) => names.map((name) => shape.exec(name ?? '')?.groups));
  // The exec plugin's arguments decide which cluster the token is for, so they outrank the names of entries.
  return Object.assign({}, ENDPOINT.exec(server)?.groups, ...entries.reverse(), tokenFor(kubeconfig));
}

function tokenFor(kubeconfig: Kubeconfig): Omit<KubeconfigCluster, 'server'> {
  const { command = '', args = [] } = (kubeconfig.getCurrentUser()?.exec ?? {}) as {
    command?: string;
    args?: string[];
  };
  if (!/^aws/.test(basename(command))) return {};
  const words = (args ?? []).flatMap((word) => word.split('='));
  const after = (flags: readonly string[]) =>
    words[words.findIndex((word) => flags.includes(word)) + 1 || words.length];
  const [name, region] = [after(NAME_FLAGS), after(['--region'])];
  return { ...(name && { name }), ...(region && { region }) };
}
