import type { Cluster } from '../../core/ports/ports';

/** A list of NodeClaims that takes longer comes from a slow cluster, or a large one. */
const SLOW_MS = 500;

/**
 * The cluster of one invocation. While its NodeClaims are slow to come, the lists that a reconcile reads
 * after them are read beside them. A quick answer that names no node of ours costs one list.
 */
export function readAhead(cluster: Cluster): Cluster {
  const listHeadrooms = once(() => cluster.listHeadrooms());
  const listNodePools = once(() => cluster.listNodePools());
  const begin = () => Promise.allSettled([listHeadrooms(), listNodePools()]);
  return {
    ...cluster,
    listHeadrooms,
    listNodePools,
    readNodeClaims: (visit, nodePools) => {
      const timer = setTimeout(begin, SLOW_MS);
      return cluster.readNodeClaims(visit, nodePools).finally(() => clearTimeout(timer));
    },
  };
}

function once<T>(read: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => {
    result ??= read();
    return result;
  };
}
