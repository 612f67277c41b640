import { count } from '../basics/count';
import { SHARES } from '../basics/like-reasons';
import type { HeadroomConfig, LikeWorkload, Shaped } from '../config/config';

/** The sizes of a headroom of which one pause pod makes room for so many pods of a workload. */
export function shareSizes({ namespace, name }: LikeWorkload, pods: number): Shaped['sizeOf'] {
  const workload = `${namespace}/${name}`;
  return (asked, of, countedAt) => {
    const { share } = asked;
    if (share === undefined) {
      const written = asked.pods ?? (asked.replicas ?? 0) * pods;
      return { replicas: asked.replicas ?? inUnits(written, pods), text: count(written, 'pod') };
    }
    if (!of) {
      const lacks = SHARES.uncounted(share, workload, countedAt);
      return { replicas: 0, text: lacks, lacks };
    }
    const wanted = podsOfShare(share, of.replicas);
    return { replicas: inUnits(wanted, pods), text: SHARES.counted(share, workload, of.replicas, wanted) };
  };
}

/** For lead times, which are for all nodes of a window. */
export function unitsBy(sizeOf: Shaped['sizeOf']): Shaped['unitsOf'] {
  return (asked, counted = {}) => {
    const [newest] = Object.values(counted).sort((a, b) => b.at - a.at);
    return asked.share !== undefined && !newest ? Number.POSITIVE_INFINITY : sizeOf(asked, newest).replicas;
  };
}

/** In pods, rounded up, and never none. */
export function podsOfShare(share: number, replicas: number): number {
  return Math.max(1, Math.ceil((share * replicas) / 100));
}

/** Pods in pause pods that make room for several each. */
export function inUnits(pods: number, each: number): number {
  return Math.ceil(pods / each);
}

/** A headroom of whose workload nothing is known: its sizes in pods, its shares in words. */
export function unshaped(pool: HeadroomConfig): HeadroomConfig {
  const { like, shaped, base, baseShare: share, max } = pool;
  if (!like || shaped) return pool;
  const sizeOf = shareSizes(like, 1);
  return { ...pool, shaped: { pods: 1, base: sizeOf({ share, pods: base }), max, sizeOf, unitsOf: unitsBy(sizeOf) } };
}
