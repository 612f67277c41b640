import type { HeadroomConfig } from '../../shared/core/config/config';

const SHARE_OF_NODE = 0.75;
/** A pod of a workload, of which nothing is known here. */
const USUAL_POD = { cpu: '500m', memory: '1Gi' };

/** What one unit of demand requests: the pool's unit, a pod of its workload, or a share of a floor's node that fits on it only once. */
export function unitOfDemand({ unit, minNode, like }: HeadroomConfig): Readonly<Record<string, string>> {
  if (like) return USUAL_POD;
  if (unit.kind !== 'floor') return unit.requests;
  const { cpu, memoryMiB, gpus } = minNode ?? {};
  return {
    ...(cpu !== undefined && { cpu: `${cpu * 1_000 * SHARE_OF_NODE}m` }),
    ...(memoryMiB !== undefined && { memory: `${Math.floor(memoryMiB * SHARE_OF_NODE)}Mi` }),
    ...(gpus !== undefined && { 'nvidia.com/gpu': String(gpus) }),
  };
}
