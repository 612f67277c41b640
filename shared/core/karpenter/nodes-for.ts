import type { HeadroomConfig } from '../config/config';
import { parseQuantity } from '../config/schema/quantity';

/**
 * How many nodes replicas take at most: one each for node units and floors; slices are
 * packed into nodes of `minNode`. `undefined` for slices without it.
 */
export function nodesFor({ unit, minNode }: HeadroomConfig): ((replicas: number) => number) | undefined {
  if (unit.kind !== 'slice') return (replicas) => replicas;
  const room = [
    [minNode?.cpu, parseQuantity(unit.requests.cpu ?? '')],
    [minNode?.memoryMiB, (parseQuantity(unit.requests.memory ?? '') ?? 0) / 2 ** 20],
  ] as const;
  const fits = room.flatMap(([node, slice]) => (node && slice ? [Math.floor(node / slice)] : []));
  const perNode = Math.min(...fits);
  return fits.length === 0 || perNode < 1 ? undefined : (replicas) => Math.ceil(replicas / perNode);
}
