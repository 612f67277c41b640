import type { ClusterConfig } from '../../../shared/core/config/config';
import type { KubeconfigCluster } from '../../access/kubeconfig-cluster';
import { command } from '../../input/commands';
import { error, type Finding } from './finding';

/** The kubeconfig must be for the cluster that the config names; `endpoint` is known if the account was checked too. */
export function checkSameCluster(
  kubeconfig: KubeconfigCluster,
  cluster: ClusterConfig,
  endpoint: string | undefined,
): Finding[] {
  const { name, region, account } = cluster;
  const wanted = { name, region, ...(account !== undefined && { account }) };
  const differs = Object.entries(wanted).flatMap(([field, value]) => {
    const found = kubeconfig[field as keyof typeof wanted];
    return found === undefined || found === value ? [] : [`${field} ${found}, the config ${value}`];
  });
  const elsewhere = endpoint !== undefined && host(endpoint) !== host(kubeconfig.server);
  const evidence = [
    ...(differs.length > 0 ? [`the kubeconfig has ${differs.join('; ')}`] : []),
    ...(elsewhere ? [`the kubeconfig has the server ${kubeconfig.server}, EKS says ${endpoint}`] : []),
  ];
  if (evidence.length === 0) return [];
  return [
    error(
      'kubeconfig',
      `is not for the cluster ${name} of the config, so everything below is about another cluster`,
      evidence.join('; '),
      `run ${command('aws eks update-kubeconfig', '--name', name, '--region', region)}, or correct cluster in the config`,
    ),
  ];
}

function host(url: string): string {
  return URL.parse(url)?.host ?? url;
}
