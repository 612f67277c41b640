import { KARPENTER_NODEPOOL_LABEL } from '../../../../shared/core/basics/names';
import type { NodeRecord } from './records';

interface Group {
  readonly nodes: Set<NodeRecord>;
  version: number;
  /** The nodes as a list, cached until the group changes. */
  list: readonly NodeRecord[] | undefined;
}

/** Nodes by NodePool, with a version that changes whenever the nodes that pods may use change. */
export class NodeIndex {
  private readonly all: Group = { nodes: new Set(), version: 0, list: undefined };
  private readonly pools = new Map<string, Group>();
  private readonly poolOf = new Map<NodeRecord, string>();

  put(node: NodeRecord): void {
    this.drop(node);
    const pool = node.labels[KARPENTER_NODEPOOL_LABEL] ?? '';
    this.poolOf.set(node, pool);
    for (const group of [this.all, this.group(pool)]) {
      group.nodes.add(node);
      touch(group);
    }
  }

  drop(node: NodeRecord): void {
    const pool = this.poolOf.get(node);
    if (pool === undefined) return;
    this.poolOf.delete(node);
    for (const group of [this.all, this.group(pool)]) {
      group.nodes.delete(node);
      touch(group);
    }
  }

  /** The nodes of the given pools, or all nodes. */
  nodesOf(pools: readonly string[] | undefined): readonly NodeRecord[] {
    if (!pools) return listOf(this.all);
    const [first] = pools;
    if (pools.length === 1 && first !== undefined) return listOf(this.group(first));
    return pools.flatMap((pool) => listOf(this.group(pool)));
  }

  versionOf(pools: readonly string[] | undefined): number {
    if (!pools) return this.all.version;
    return pools.reduce((sum, pool) => sum + this.group(pool).version, 0);
  }

  private group(pool: string): Group {
    const group = this.pools.get(pool) ?? { nodes: new Set(), version: 0, list: undefined };
    this.pools.set(pool, group);
    return group;
  }
}

function touch(group: Group): void {
  group.version += 1;
  group.list = undefined;
}

function listOf(group: Group): readonly NodeRecord[] {
  group.list ??= [...group.nodes];
  return group.list;
}
