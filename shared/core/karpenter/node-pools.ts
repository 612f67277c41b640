import { MANAGED_BY, MANAGED_BY_LABEL, spotTwinName } from '../basics/names';
import type { Config, HeadroomConfig } from '../config/config';
import type { PoolInput } from '../config/schema/pool-schema';
import { texts } from '../config/schema/quantity';
import type { Manifest } from '../manifests/cluster-object-manifests';
import { nodeClassManifest, written } from './node-class';
import { type Requirement, requirementsOf, spotRequirements } from './requirements';

/**
 * Consolidation that does not fight the headroom. To Karpenter pause pods are pods like any other, so
 * WhenEmptyOrUnderutilized would move them between nodes right after a window opens. Waiting for five quiet minutes
 * lets nodes and pods settle, and still frees a node soon after its headroom is gone.
 */
export const DISRUPTION_DEFAULTS = {
  consolidationPolicy: 'WhenEmptyOrUnderutilized',
  consolidateAfter: '5m',
} as const;

/** The EC2NodeClasses and NodePools of all `pool` blocks, in the order in which they are applied. */
export function nodePoolManifests(config: Config): readonly Manifest[] {
  const blocks = poolBlocks(config);
  return [
    ...blocks.map(({ nodePool, pool }) => nodeClassManifest(config, nodePool, pool)),
    ...blocks.flatMap(({ nodePool, pool }) => poolManifests(nodePool, pool, config.cluster.region)),
  ];
}

/** Each in the headroom whose key is the NodePool. */
export function poolBlocks({
  headrooms,
}: Pick<Config, 'headrooms'>): readonly { nodePool: HeadroomConfig; pool: PoolInput }[] {
  return headrooms.flatMap((nodePool) => {
    const { name, pool } = nodePool;
    return pool && nodePool.nodePool === name ? [{ nodePool, pool }] : [];
  });
}

function poolManifests({ name }: HeadroomConfig, pool: PoolInput, region: string): Manifest[] {
  const onDemand = nodePool(name, name, pool, requirementsOf(pool, region));
  if (!pool.spotTwin) return [onDemand];
  const { requirements: _, weight = twinWeight(pool), ...spot } = pool.spot ?? {};
  const twin = { ...pool, ...spot, weight };
  return [onDemand, nodePool(spotTwinName(name), name, twin, spotRequirements(pool, region))];
}

/** One more than the pool's weight, which defaults to 0: spot is tried first, and other pools keep their order. */
function twinWeight({ weight = 0 }: PoolInput): number {
  return weight + 1;
}

function nodePool(name: string, nodeClass: string, pool: PoolInput, requirements: readonly Requirement[]): Manifest {
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: { name, labels: { [MANAGED_BY_LABEL]: MANAGED_BY } },
    spec: {
      template: {
        ...(pool.labels || pool.annotations ? { metadata: written(pool, ['labels', 'annotations']) } : {}),
        spec: {
          nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: nodeClass },
          requirements,
          ...written(pool, ['taints', 'startupTaints', 'expireAfter', 'terminationGracePeriod']),
        },
      },
      disruption: { ...DISRUPTION_DEFAULTS, ...pool.disruption },
      ...(pool.limits && { limits: texts(pool.limits) }),
      ...written(pool, ['weight']),
    },
  };
}
