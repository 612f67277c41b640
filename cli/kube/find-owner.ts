import { ownersIn } from '../../shared/core/apply/owner';
import { ownerText } from '../../shared/core/basics/names';
import type { Config } from '../../shared/core/config/config';
import type { Cluster } from '../../shared/core/ports/ports';
import { InputError } from '../terminal/exit';
import { plain } from '../terminal/plain';
import { kubeconfigCluster } from './kubeconfig-cluster';
import { clusterMismatch } from './same-cluster';

export interface OwnerOptions {
  readonly kubeconfig: string;
  readonly stack?: string;
  /** Whether to go on although the kubeconfig is for another cluster than the config. */
  readonly otherCluster?: boolean;
}

/**
 * Whose headroom a command with a kubeconfig acts on: the owner found in the namespace. If there is none yet,
 * or more than one, --stack must name it.
 */
export async function findOwner(
  config: Config,
  cluster: Cluster,
  { kubeconfig, stack, otherCluster }: OwnerOptions,
): Promise<string> {
  const { account, region, name, namespace } = config.cluster;
  const found = ownersIn(await cluster.listHeadrooms());
  const mismatch = otherCluster
    ? undefined
    : clusterMismatch(config.cluster, await kubeconfigCluster(kubeconfig), found);
  if (mismatch !== undefined)
    throw new InputError(
      `${mismatch}; nothing was changed: pass the config of that cluster with -c, or the kubeconfig of this one, or add --other-cluster to go on`,
    );
  const [only, ...others] = stack === undefined ? found : found.filter((owner) => owner.endsWith(`/${stack}`));
  if (only !== undefined && others.length === 0) return only;
  if (stack === undefined)
    throw new InputError(
      found.length === 0
        ? `namespace ${namespace} has no headroom with an owner yet; add --stack with the name of the stack (see npx cdk list)`
        : `namespace ${namespace} has headroom of ${plain(found.join(' and '))}; add --stack with the name of one of them`,
    );
  if (account === undefined)
    throw new InputError(
      `new headroom needs the AWS account of its owner; set cluster.account in the config, or deploy stack ${stack} first`,
    );
  return ownerText({ account, region, cluster: name, namespace, stack });
}
