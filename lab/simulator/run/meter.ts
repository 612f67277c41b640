import { type Wait, type WaitFigures, waitFigures } from './wait-figures';

const HOUR = 3_600_000;

/** A pod that the demand requested; pods that replace it after an interruption count as the same one. */
export interface RequestedPod {
  readonly createdAt: number;
  readonly deployment: string;
}

interface MeteredPod extends RequestedPod {
  /** The requested pod that it is. */
  readonly requested: string;
  placedAt?: number;
  ranAt?: number;
}

interface MeteredNode {
  readonly nodePool: string;
  readonly pricePerHour: number;
  realPods: number;
  countedTo: number;
}

export interface Cost {
  readonly total: number;
  /** The cost of nodes while they ran no work, from their launch on (docs/sandbox.md, "Cost"). */
  readonly headroom: number;
  readonly nodeHours: number;
}

export interface NodeCount {
  readonly at: number;
  readonly nodes: number;
}

/** A wait ends when the pod has a node, or when it runs there. */
export type WaitEnd = 'placed' | 'running';

/** Measures how long real pods wait, and the node-hours and cost. What happens before `from` does not count. */
export class Meter {
  readonly nodeCounts: NodeCount[] = [];
  private readonly pods = new Map<string, MeteredPod>();
  private readonly nodes = new Map<string, MeteredNode>();
  private total = 0;
  private readonly headroom = new Map<string, number>();
  private nodeMs = 0;
  /** Incremented whenever figures change, other than by pods that still wait. */
  private changes = 0;
  private unplaced = 0;
  private known:
    | { readonly at: number; readonly changes: number; readonly requested: number; readonly figures: WaitFigures }
    | undefined;

  /**
   * Meters of the same demand share the requested pods: a pod that waits in one of their clusters counts in all of them,
   * with a wait of 0 where it did not lose its node.
   */
  constructor(
    private readonly from = 0,
    private readonly requested = new Map<string, RequestedPod>(),
  ) {}

  podCreated(uid: string, at: number, deployment = '', requested = uid): void {
    if (at < this.from || this.pods.has(uid)) return;
    this.pods.set(uid, { createdAt: at, deployment, requested });
    if (!this.requested.has(requested)) this.requested.set(requested, { createdAt: at, deployment });
    this.unplaced += 1;
    this.changes += 1;
  }

  podPlaced(uid: string, at: number): void {
    const pod = this.pods.get(uid);
    if (!pod || pod.placedAt !== undefined) return;
    pod.placedAt = at;
    this.unplaced -= 1;
    this.changes += 1;
  }

  podRunning(uid: string, at: number): void {
    const pod = this.pods.get(uid);
    if (pod) pod.ranAt ??= at;
  }

  /** A pod that was never placed, or never ran, has waited until now. */
  podGone(uid: string, at: number): void {
    this.podPlaced(uid, at);
    this.podRunning(uid, at);
  }

  nodeStarted(name: string, pricePerHour: number, at: number, nodePool = ''): void {
    if (this.nodes.has(name)) return;
    this.nodes.set(name, { nodePool, pricePerHour, realPods: 0, countedTo: Math.max(at, this.from) });
    this.nodeCounts.push({ at, nodes: this.nodes.size });
  }

  nodeGone(name: string, at: number): void {
    const node = this.nodes.get(name);
    if (!node) return;
    this.count(node, at);
    this.nodes.delete(name);
    this.nodeCounts.push({ at, nodes: this.nodes.size });
  }

  /** Real pods came to a node (positive) or left it (negative). */
  realPods(name: string, change: number, at: number): void {
    const node = this.nodes.get(name);
    if (!node) return;
    this.count(node, at);
    node.realPods = Math.max(0, node.realPods + change);
  }

  /** Shortest first; pods that still wait have waited until now. */
  waits(end: WaitEnd, now: number): readonly Wait[] {
    const endOf = ({ placedAt, ranAt }: MeteredPod) => (end === 'placed' ? placedAt : ranAt) ?? now;
    const waited = new Map<string, number>();
    for (const pod of this.pods.values())
      waited.set(pod.requested, (waited.get(pod.requested) ?? 0) + endOf(pod) - pod.createdAt);
    const waits = [...this.requested].map(([requested, pod]) => ({ ...pod, ms: waited.get(requested) ?? 0 }));
    return waits.sort((a, b) => a.ms - b.ms);
  }

  /** Figures of the waits for a node, cached until something changes. */
  waitFigures(now: number): WaitFigures {
    const { known, changes } = this;
    const requested = this.requested.size;
    if (known?.changes === changes && known.requested === requested && (this.unplaced === 0 || known.at === now))
      return known.figures;
    const figures = waitFigures(this.waits('placed', now));
    this.known = { at: now, changes, requested, figures };
    return figures;
  }

  /** How long a pod has waited for a node; `undefined` for one that is not counted. */
  waitedMs(uid: string, now: number): number | undefined {
    const pod = this.pods.get(uid);
    return pod && (pod.placedAt ?? now) - pod.createdAt;
  }

  cost(now: number): Cost {
    for (const node of this.nodes.values()) this.count(node, now);
    const headroom = [...this.headroom.values()].reduce((sum, cost) => sum + cost, 0);
    return { total: this.total, headroom, nodeHours: this.nodeMs / HOUR };
  }

  /** The part of `headroom` that nodes of these NodePools have cost, up to the last `cost`. */
  headroomCost(nodePools: readonly string[]): number {
    return nodePools.reduce((sum, name) => sum + (this.headroom.get(name) ?? 0), 0);
  }

  private count(node: MeteredNode, until: number): void {
    const passed = Math.max(0, until - node.countedTo);
    node.countedTo = Math.max(node.countedTo, until);
    const price = (passed / HOUR) * node.pricePerHour;
    this.nodeMs += passed;
    this.total += price;
    if (node.realPods === 0) this.headroom.set(node.nodePool, (this.headroom.get(node.nodePool) ?? 0) + price);
  }
}

/** Rounded to a hundredth of a cent. */
export function roundedCost({ total, headroom, nodeHours }: Cost): Cost {
  const round = (value: number) => Math.round(value * 10_000) / 10_000;
  return { total: round(total), headroom: round(headroom), nodeHours: round(nodeHours) };
}
