import { type Load, sum } from '../../cli/kube/pod-load';
import type { HeadroomConfig } from '../../shared/core/config/config';
import { parseQuantity } from '../../shared/core/config/schema/quantity';
import type { GroupNode, NodeGroup } from './group-facts';

export interface Batch {
  readonly nodes: readonly GroupNode[];
  /** Replicas that are held when it begins. */
  readonly hold: number;
  /** Nodes that the group has after it. */
  readonly left: number;
}

export interface Holding {
  readonly batches: readonly Batch[];
  /** The most that is held at any time. */
  readonly most: number;
  /** The nodes have to be counted for each batch, because all of them at once are more than `max` lets a floor add. */
  readonly countsAgain: boolean;
  /** Pods that request more than one replica holds. */
  readonly tooLarge: readonly string[];
}

/** What kubelet, system and DaemonSets leave of a node. */
const USABLE = 0.9;

/**
 * The headroom that takes the pods of a group before its nodes go, batch by batch. The whole rest is held at once where
 * `max` allows it; otherwise each batch is held alone, and Karpenter refills between them. A floor is not refilled: the
 * nodes that it adds stay until all pods have moved, or are counted again for each batch.
 */
export function holdingFor(group: NodeGroup, pool: HeadroomConfig, batchSize: number, stay: number): Holding {
  const leaving = group.nodes.slice(0, Math.max(0, group.nodes.length - stay));
  const parts: GroupNode[][] = [];
  for (let first = 0; first < leaving.length; first += batchSize) parts.push(leaving.slice(first, first + batchSize));
  const need = (nodes: readonly GroupNode[]) => replicasFor(sum(nodes.map(({ load }) => load)), pool);
  const whole = need(leaving) <= pool.max;
  const isFloor = pool.unit.kind === 'floor';
  const batches = parts.map((nodes, index) => ({
    nodes,
    hold: need(whole ? (isFloor ? leaving : parts.slice(index).flat()) : nodes),
    left: group.nodes.length - parts.slice(0, index + 1).flat().length,
  }));
  return {
    batches,
    most: Math.max(0, ...batches.map(({ hold }) => hold)),
    countsAgain: isFloor && !whole,
    tooLarge: group.pods.filter(({ load }) => !fits(load, pool)).map(({ name }) => name),
  };
}

function replicasFor({ cpu, memory }: Load, pool: HeadroomConfig): number {
  const each = capacityOf(pool);
  const by = (load: number, size: number | undefined) =>
    size === undefined || size === 0 ? 0 : Math.ceil(load / size - 1e-9);
  return Math.max(by(cpu, each.cpu), by(memory, each.memory));
}

function fits({ cpu, memory }: Load, pool: HeadroomConfig): boolean {
  const { cpu: cores = Number.POSITIVE_INFINITY, memory: bytes = Number.POSITIVE_INFINITY } = capacityOf(pool);
  return cpu <= cores && memory <= bytes;
}

/** What one replica holds: its request, or what is usable of a floor's node. */
function capacityOf({ unit, minNode }: HeadroomConfig): { cpu?: number | undefined; memory?: number | undefined } {
  const { cpu, memoryMiB } = minNode ?? {};
  if (unit.kind === 'floor') return { cpu: cpu && USABLE * cpu, memory: memoryMiB && USABLE * memoryMiB * 2 ** 20 };
  return { cpu: parseQuantity(unit.requests.cpu ?? ''), memory: parseQuantity(unit.requests.memory ?? '') };
}
