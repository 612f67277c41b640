import { once } from '../../core/basics/promises';
import type { Cluster, NodeClaim } from '../../core/ports/ports';

/** A first page of NodeClaims that takes longer comes from a slow cluster. */
const SLOW_MS = 500;

/**
 * The cluster of one invocation. While its NodeClaims are slow to come, the lists that a reconcile reads
 * after them are read beside them. A quick answer that names no node of ours costs one list.
 */
export function readAhead(cluster: Cluster): Cluster {
  const listHeadrooms = once(() => cluster.listHeadrooms());
  const listNodePools = once(() => cluster.listNodePools());
  const readBeside = () => Promise.allSettled([listHeadrooms(), listNodePools()]);
  return {
    ...cluster,
    listHeadrooms,
    listNodePools,
    readNodeClaims: (begin, which) => {
      const timer = setTimeout(readBeside, SLOW_MS);
      // A large cluster that is quick reads its headroom last: others write it meanwhile.
      const beginInTime = () => {
        const visit = begin();
        return (claim: NodeClaim) => {
          clearTimeout(timer);
          visit(claim);
        };
      };
      return cluster.readNodeClaims(beginInTime, which).finally(() => clearTimeout(timer));
    },
  };
}
