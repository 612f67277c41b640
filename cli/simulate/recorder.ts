import type { Fact, NodeRef, PodRef } from '../../simulator/engine/facts';
import { DEMO_NAMESPACE } from '../../simulator/run/demo-workload';

/** A pod that replaces one that Karpenter moved comes within this time; nobody waited for it. */
const REPLACED_WITHIN_MS = 5_000;
const HOUR = 3_600_000;

/** How long one pod waited from its creation until it ran. */
export interface Wait {
  readonly ms: number;
  readonly createdAt: number;
  /** The Deployment that it belongs to. */
  readonly deployment: string;
}

/** How many nodes there were from a moment on. */
export interface NodeCount {
  readonly at: number;
  readonly nodes: number;
}

/** Writes down what one simulated run was like, from `from` on. */
export class Recorder {
  readonly waits: Wait[] = [];
  readonly nodeCounts: NodeCount[] = [];
  private readonly waiting = new Map<string, Omit<Wait, 'ms'>>();
  private readonly moved = new Map<string, number[]>();
  private readonly nodes = new Map<string, { readonly since: number; readonly price: number }>();
  private nodeMs = 0;
  private spent = 0;

  constructor(
    private readonly from: number,
    private readonly priceOf: (node: NodeRef) => number,
  ) {}

  see(fact: Fact): void {
    switch (fact.kind) {
      case 'podCreated':
        if (isReal(fact.pod) && !this.replaces(fact.pod, fact.at) && fact.at >= this.from)
          this.waiting.set(fact.pod.uid, { createdAt: fact.at, deployment: fact.pod.deployment ?? '' });
        return;
      case 'podEvicted':
        if (fact.why !== 'interrupted') this.movesOf(fact.pod).push(fact.at);
        return;
      case 'podRunning':
        this.served(fact.pod.uid, fact.at);
        return;
      case 'podGone':
        this.served(fact.pod.uid, fact.at);
        return;
      case 'nodeLaunched':
        this.nodes.set(fact.node.node, { since: fact.at, price: this.priceOf(fact.node) });
        this.count(fact.at);
        return;
      case 'nodeGone':
        this.settle(fact.node.node, fact.at);
        this.count(fact.at);
        return;
      default:
    }
  }

  /** Those that still wait have waited until now, and nodes that still run have cost until now. */
  finish(now: number): { readonly nodeHours: number; readonly cost: number } {
    for (const uid of [...this.waiting.keys()]) this.served(uid, now);
    for (const name of [...this.nodes.keys()]) this.settle(name, now);
    return { nodeHours: this.nodeMs / HOUR, cost: this.spent };
  }

  private served(uid: string, at: number): void {
    const pod = this.waiting.get(uid);
    if (!pod) return;
    this.waiting.delete(uid);
    this.waits.push({ ...pod, ms: at - pod.createdAt });
  }

  private settle(name: string, until: number): void {
    const node = this.nodes.get(name);
    if (!node) return;
    this.nodes.delete(name);
    const ms = Math.max(0, until - Math.max(node.since, this.from));
    this.nodeMs += ms;
    this.spent += (ms / HOUR) * node.price;
  }

  private count(at: number): void {
    this.nodeCounts.push({ at, nodes: this.nodes.size });
  }

  private replaces(pod: PodRef, at: number): boolean {
    const moves = this.movesOf(pod);
    while (moves[0] !== undefined && moves[0] < at - REPLACED_WITHIN_MS) moves.shift();
    return moves.shift() !== undefined;
  }

  private movesOf({ namespace, deployment = '' }: PodRef): number[] {
    const key = `${namespace}/${deployment}`;
    const known = this.moved.get(key) ?? [];
    this.moved.set(key, known);
    return known;
  }
}

function isReal({ namespace }: PodRef): boolean {
  return namespace === DEMO_NAMESPACE;
}
