import type { HeadroomConfig } from '../../shared/core/config/config';

const SHARE_OF_NODE = 0.75;

/** What one unit of demand requests: the pool's unit, or a share of a floor's node that fits on it only once. */
export function unitOfDemand({ unit, minNode }: HeadroomConfig): Readonly<Record<string, string>> {
  if (unit.kind !== 'floor') return unit.requests;
  const { cpu, memoryMiB, gpus } = minNode ?? {};
  return {
    ...(cpu !== undefined && { cpu: `${cpu * 1_000 * SHARE_OF_NODE}m` }),
    ...(memoryMiB !== undefined && { memory: `${Math.floor(memoryMiB * SHARE_OF_NODE)}Mi` }),
    ...(gpus !== undefined && { 'nvidia.com/gpu': String(gpus) }),
  };
}
