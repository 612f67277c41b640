import { nodePoolManifests } from '../../../../shared/core/karpenter/node-pools';
import type { Requirement } from '../../../../shared/core/karpenter/requirements';
import { type configOf, poolConfig } from './config-of';

/** The part of a NodePool that tests look at. */
export interface NodePoolSpec {
  readonly template: {
    readonly metadata?: object;
    readonly spec: { readonly requirements: readonly Requirement[]; readonly nodeClassRef: object };
  };
  readonly disruption: { readonly consolidationPolicy: string; readonly consolidateAfter: string };
  readonly limits?: object;
  readonly weight?: number;
}

/** The spec of one generated manifest. */
export const specOf = <T = Record<string, unknown>>(
  config: ReturnType<typeof configOf>,
  kind: string,
  name = 'default',
) => nodePoolManifests(config).find((manifest) => manifest.kind === kind && manifest.metadata.name === name)?.spec as T;
/** The NodePool that a `pool` block makes. */
export const nodePool = (pool: object, name?: string) => specOf<NodePoolSpec>(poolConfig(pool), 'NodePool', name);
/** The EC2NodeClass that a `pool` block makes. */
export const nodeClass = (pool: object) => specOf(poolConfig(pool), 'EC2NodeClass');
/** The requirements with this key. */
export const requirement = (pool: object, key: string, name?: string) =>
  nodePool(pool, name).template.spec.requirements.filter((one) => one.key === key);
