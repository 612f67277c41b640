import type { NodePoolConfig } from '../../shared/core/config/config';
import { parseQuantity } from '../../shared/core/config/quantity';
import { type GroupNode, type Load, type NodeGroup, sum } from './group-facts';

/** One part of the migration: the nodes that go, and the headroom that receives their pods. */
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
  /** Pods that request more than one replica holds. */
  readonly tooLarge: readonly string[];
}

/**
 * The headroom that takes the pods of a group before its nodes go, batch by
 * batch. The whole rest is held at once where `max` allows it; otherwise each
 * batch is held alone, and Karpenter refills between them.
 */
export function holdingFor(group: NodeGroup, pool: NodePoolConfig, batchSize: number, stay: number): Holding {
  const leaving = group.nodes.slice(0, Math.max(0, group.nodes.length - stay));
  const parts: GroupNode[][] = [];
  for (let first = 0; first < leaving.length; first += batchSize) parts.push(leaving.slice(first, first + batchSize));
  const need = (nodes: readonly GroupNode[]) => replicasFor(sum(nodes.map(({ load }) => load)), pool);
  const whole = need(leaving) <= pool.max;
  const batches = parts.map((nodes, index) => ({
    nodes,
    hold: need(whole ? parts.slice(index).flat() : nodes),
    left: group.nodes.length - parts.slice(0, index + 1).flat().length,
  }));
  return {
    batches,
    most: Math.max(0, ...batches.map(({ hold }) => hold)),
    tooLarge: group.pods.filter(({ load }) => !fits(load, pool)).map(({ name }) => name),
  };
}

/** Replicas whose requests together are as large as the load. */
function replicasFor({ cpu, memory }: Load, { unit }: NodePoolConfig): number {
  const each = (resource: string) => parseQuantity(unit.requests[resource] ?? '');
  const by = (load: number, size: number | undefined) =>
    size === undefined || size === 0 ? 0 : Math.ceil(load / size - 1e-9);
  return Math.max(by(cpu, each('cpu')), by(memory, each('memory')));
}

function fits({ cpu, memory }: Load, { unit }: NodePoolConfig): boolean {
  const room = (resource: string) => parseQuantity(unit.requests[resource] ?? '') ?? Number.POSITIVE_INFINITY;
  return cpu <= room('cpu') && memory <= room('memory');
}
