import { ownersIn } from '../../shared/core/apply/owner';
import { readOwner } from '../../shared/core/basics/names';
import type { Cluster } from '../../shared/core/ports/ports';
import { plain } from '../terminal/plain';

type Known = { readonly [key in 'name' | 'region' | 'account']?: string | undefined };

/**
 * What says that a kubeconfig is for another cluster than the config names: its own entries, or the owners of the
 * headroom that was found with it. `undefined` if nothing does; a kubeconfig need not name its cluster.
 */
export function clusterMismatch(config: Known, kubeconfig: Known, owners: readonly string[]): string | undefined {
  const named = owners
    .flatMap((text) => readOwner(text) ?? [])
    .map(({ cluster: name, region, account }) => ({ name, region, account }));
  const isElsewhere = named.length > 0 && named.every((one) => differs(one, config));
  const evidence = [
    ...(differs(kubeconfig, config) ? [`the kubeconfig is for ${clusterText(kubeconfig)}`] : []),
    ...(isElsewhere ? [`its headroom belongs to ${[...new Set(named.map(clusterText))].join(' and ')}`] : []),
  ];
  return evidence.length === 0
    ? undefined
    : plain(`${evidence.join(', and ')}; the config is for ${clusterText(config)}`);
}

/** The owners of the headroom in a cluster; none if it cannot be read, which whatever comes next will report. */
export async function foundOwners(cluster: Pick<Cluster, 'listHeadrooms'>): Promise<readonly string[]> {
  return ownersIn(await cluster.listHeadrooms().catch(() => []));
}

function differs(found: Known, { name, region, account }: Known): boolean {
  const isOther = (a: string | undefined, b: string | undefined) => a !== undefined && b !== undefined && a !== b;
  return isOther(found.name, name) || isOther(found.region, region) || isOther(found.account, account);
}

function clusterText({ name = 'a cluster', region, account }: Known): string {
  return [name, region && `in ${region}`, account && `of account ${account}`].filter(Boolean).join(' ');
}
