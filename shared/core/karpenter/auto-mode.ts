/** The group of the node classes on EKS Auto Mode, and the prefix of the labels that its nodes carry. */
export const AUTO_MODE_GROUP = 'eks.amazonaws.com';

/** The NodePools that come with EKS Auto Mode; they can be turned on and off, but not changed. */
export const BUILT_IN_NODE_POOLS: readonly string[] = ['general-purpose', 'system'];

export function isAutoMode(nodePools: readonly { readonly nodeClassGroup?: string }[]): boolean {
  return nodePools.some(({ nodeClassGroup }) => nodeClassGroup === AUTO_MODE_GROUP);
}
