import type { ClusterConfig } from '../../../shared/core/config/config';
import { command } from '../../input/commands';
import type { KubeconfigCluster } from '../../kube/kubeconfig-cluster';
import { clusterMismatch } from '../../kube/same-cluster';
import { error, type Findings } from './finding';

/** The kubeconfig must be for the cluster that the config names; `endpoint` is known if the account was checked too. */
export function* checkSameCluster(
  kubeconfig: KubeconfigCluster,
  cluster: ClusterConfig,
  { endpoint, owners }: { readonly endpoint: string | undefined; readonly owners: readonly string[] },
): Findings {
  const { name, region } = cluster;
  const mismatch = clusterMismatch(cluster, kubeconfig, owners);
  const elsewhere = endpoint !== undefined && host(endpoint) !== host(kubeconfig.server);
  const evidence = [
    ...(mismatch === undefined ? [] : [mismatch]),
    ...(elsewhere ? [`the kubeconfig has the server ${kubeconfig.server}, EKS says ${endpoint}`] : []),
  ];
  if (evidence.length === 0) return;
  yield error(
    'kubeconfig',
    `is not for the cluster ${name} of the config, so everything below is about another cluster`,
    evidence.join('; '),
    `run ${command('aws eks update-kubeconfig', '--name', name, '--region', region)}, or correct cluster in the config`,
  );
}

function host(url: string): string {
  return URL.parse(url)?.host ?? url;
}
