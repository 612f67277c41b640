import { nodeUses, type UsingPod } from '../../../shared/core/karpenter/nodes-in-use';

/** Counts the nodes of each floor that run work, pod by pod: at each change all pods would be too many to look at. */
export class FloorUseCounter {
  private readonly nodes = new Map<string, { work: number; readonly floors: Map<string, number> }>();
  private readonly inUse = new Map<string, number>();

  /** Counts a pod that came, changed or went; returns the floors whose nodes in use may be others now. */
  change(before: UsingPod | undefined, after: UsingPod | undefined): ReadonlyMap<string, number> {
    const uses = [before, after].map((pod) => (pod ? nodeUses(pod)[0] : undefined));
    if (uses[0]?.node === uses[1]?.node) return new Map();
    const touched = new Set<string>();
    for (const [index, use] of uses.entries()) {
      if (!use) continue;
      const node = this.nodes.get(use.node) ?? { work: 0, floors: new Map<string, number>() };
      this.nodes.set(use.node, node);
      this.add(node, -1, touched);
      const change = index === 0 ? -1 : 1;
      if (use.headroomOf === undefined) node.work += change;
      else node.floors.set(use.headroomOf, (node.floors.get(use.headroomOf) ?? 0) + change);
      if (use.headroomOf !== undefined) touched.add(use.headroomOf);
      this.add(node, 1, touched);
    }
    return new Map([...touched].map((floor) => [floor, this.inUse.get(floor) ?? 0]));
  }

  private add({ work, floors }: { work: number; floors: Map<string, number> }, by: number, touched: Set<string>): void {
    if (work === 0) return;
    for (const [floor, pods] of floors) {
      if (pods === 0) continue;
      this.inUse.set(floor, (this.inUse.get(floor) ?? 0) + by);
      touched.add(floor);
    }
  }
}
