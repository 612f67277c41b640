import type { Cluster } from '../../core/ports/ports';

/** A list of NodeClaims that takes longer comes from a slow cluster, or a large one. */
const SLOW_MS = 500;

/**
 * The cluster of one invocation. While its NodeClaims are slow to come, the lists that a reconcile reads
 * after them are read beside them. A quick answer that names no node of ours costs one list.
 */
export function readAhead(cluster: Cluster): Cluster {
  let headrooms: ReturnType<Cluster['listHeadrooms']> | undefined;
  let nodePools: ReturnType<Cluster['listNodePools']> | undefined;
  const ahead = {
    ...cluster,
    listHeadrooms: () => {
      headrooms ??= cluster.listHeadrooms();
      return headrooms;
    },
    listNodePools: () => {
      nodePools ??= cluster.listNodePools();
      return nodePools;
    },
  };
  const begin = () => {
    // Whoever reads them later gets the error.
    for (const list of [ahead.listHeadrooms(), ahead.listNodePools()]) list.catch(() => {});
  };
  return {
    ...ahead,
    readNodeClaims: (visit, nodePools) => {
      const timer = setTimeout(begin, SLOW_MS);
      return cluster.readNodeClaims(visit, nodePools).finally(() => clearTimeout(timer));
    },
  };
}
