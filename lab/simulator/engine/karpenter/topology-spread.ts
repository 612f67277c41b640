import { ZONE_LABEL } from '../../../../shared/core/manifests/pause-deployment';
import { admitsLabel, HOSTNAME, type PodShape, type Spread, selectsLabels } from '../state/pod-shape';
import type { Bin, ExistingBin } from './bin';
import type { Pool } from './pools';

/** A pod's constraints by topology. */
export function spreadsOf({ spreads }: PodShape): {
  readonly zones: readonly Spread[];
  readonly hosts: readonly Spread[];
} {
  return {
    zones: spreads.filter(({ topologyKey }) => topologyKey === ZONE_LABEL),
    hosts: spreads.filter(({ topologyKey }) => topologyKey === HOSTNAME),
  };
}

/** The nodes and zones that a pod's spread over zones considers. */
export interface SpreadScope {
  readonly existing: readonly ExistingBin[];
  readonly zones: readonly string[];
}

/**
 * Like Karpenter's topology groups with the default `nodeAffinityPolicy: Honor`: zones of all NodePools and of nodes that
 * the pod may use, if the pod's own selector and affinity admit them.
 */
export function spreadScope(shape: PodShape, nodes: readonly ExistingBin[], pools: readonly Pool[]): SpreadScope {
  const existing = nodes.filter(({ labels }) => selectsLabels(shape, labels));
  const zones = [...pools.flatMap((pool) => pool.zones), ...existing.flatMap(({ labels }) => labels[ZONE_LABEL] ?? [])];
  return { existing, zones: [...new Set(zones)].filter((zone) => admitsLabel(shape, ZONE_LABEL, zone)) };
}

/** A new host is always possible, so the minimum over hosts is 0. */
export function fitsHost(shape: PodShape, spread: Spread, bin: Bin): boolean {
  let count = spread.selects(shape) ? 1 : 0;
  for (const [other, pods] of bin.shapes) if (spread.selects(other)) count += pods;
  return count <= spread.maxSkew;
}

/** Which of the possible domains a spread constraint allows for one more pod, fullest last. */
export function allowedDomains(
  shape: PodShape,
  spread: Spread,
  bins: readonly Bin[],
  domains: readonly string[],
): readonly string[] {
  const counts = new Map(domains.map((domain) => [domain, 0]));
  for (const bin of bins) {
    const domain = bin.labels[spread.topologyKey];
    if (domain === undefined || !counts.has(domain)) continue;
    for (const [other, pods] of bin.shapes) {
      if (spread.selects(other)) counts.set(domain, (counts.get(domain) ?? 0) + pods);
    }
  }
  const least = Math.min(...counts.values());
  const own = spread.selects(shape) ? 1 : 0;
  return [...counts]
    .filter(([, count]) => count + own - least <= spread.maxSkew)
    .sort((a, b) => a[1] - b[1])
    .map(([domain]) => domain);
}
