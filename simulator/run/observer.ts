import type { Fact, NodeRef, PodRef } from '../engine/facts';
import { type Cost, CostMeter } from './cost-meter';
import { WaitingTimes } from './waiting-times';

/** The replacement of an evicted pod comes within this time. */
const REPLACED_WITHIN_MS = 5_000;

export interface ObserverOptions {
  /** Whether a pod is one that somebody waits for. */
  readonly isReal: (pod: PodRef) => boolean;
  /** What a node costs in an hour. */
  readonly priceOf: (node: NodeRef) => number;
}

/** Keeps count of one simulated cluster: how long pods waited, and what the nodes cost. */
export class Observer {
  waiting = new WaitingTimes();
  private readonly cost = new CostMeter();
  /** What had been spent when the counting began. */
  private before: Cost = { total: 0, headroom: 0, nodeHours: 0 };
  /** When Karpenter moved pods of a Deployment, to places that it knew of. */
  private readonly moves = new Map<string, number[]>();

  constructor(private readonly options: ObserverOptions) {}

  /** Forgets what was: from now on it counts. */
  begin(now: number): void {
    this.waiting = new WaitingTimes();
    this.before = this.cost.cost(now);
  }

  see(fact: Fact): void {
    switch (fact.kind) {
      case 'podCreated':
        if (this.options.isReal(fact.pod) && !this.isMoved(fact.pod, fact.at))
          this.waiting.created(fact.pod.uid, fact.at);
        break;
      case 'podEvicted':
        if (fact.why !== 'interrupted') this.movesOf(fact.pod).push(fact.at);
        break;
      case 'podScheduled':
        this.waiting.placed(fact.pod.uid, fact.at);
        if (this.options.isReal(fact.pod)) this.cost.realPods(fact.node, 1, fact.at);
        break;
      case 'podGone':
        this.waiting.gone(fact.pod.uid, fact.at);
        if (fact.node !== undefined && this.options.isReal(fact.pod)) this.cost.realPods(fact.node, -1, fact.at);
        break;
      case 'nodeLaunched':
        this.cost.nodeStarted(fact.node.node, this.options.priceOf(fact.node), fact.at);
        break;
      case 'nodeGone':
        this.cost.nodeGone(fact.node.node, fact.at);
        break;
      default:
        break;
    }
  }

  costSoFar(now: number): Cost {
    const { total, headroom, nodeHours } = this.cost.cost(now);
    return {
      total: total - this.before.total,
      headroom: headroom - this.before.headroom,
      nodeHours: nodeHours - this.before.nodeHours,
    };
  }

  /** Consolidation moves pods only where there is a place: nobody waits for them, and counting them would flatter. */
  private isMoved(pod: PodRef, at: number): boolean {
    const moves = this.movesOf(pod);
    while (moves[0] !== undefined && moves[0] < at - REPLACED_WITHIN_MS) moves.shift();
    return moves.shift() !== undefined;
  }

  private movesOf({ namespace, deployment = '' }: PodRef): number[] {
    const key = `${namespace}/${deployment}`;
    const known = this.moves.get(key) ?? [];
    this.moves.set(key, known);
    return known;
  }
}
