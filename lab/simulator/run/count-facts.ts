import type { Fact, LeavingReason, NodeRef, PodRef } from '../engine/state/facts';
import type { Meter } from './meter';

/** The replacement of an evicted pod is created within this time. */
const REPLACED_WITHIN_MS = 5_000;

export interface FactMeterOptions {
  readonly isReal: (pod: PodRef) => boolean;
  /** What a node costs in an hour. */
  readonly priceOf: (node: NodeRef) => number;
}

/** A listener that feeds a simulated cluster's facts to a meter. */
export function countFacts(meter: Meter, { isReal, priceOf }: FactMeterOptions): (fact: Fact) => void {
  const moves = new Moves();
  const requested = new RequestedPods();
  return (fact) => {
    switch (fact.kind) {
      case 'podCreated':
        if (isReal(fact.pod)) {
          const before = moves.explain(fact.pod, fact.at);
          const pod = requested.take(fact.pod, before?.uid);
          // Consolidation only moves pods that fit elsewhere, so their replacements do not count as waiting.
          if (!before || before.why === 'interrupted')
            meter.podCreated(fact.pod.uid, fact.at, fact.pod.deployment, pod);
        }
        return;
      case 'podEvicted':
        moves.add(fact.pod, fact.why, fact.at);
        return;
      case 'podScheduled':
        meter.podPlaced(fact.pod.uid, fact.at);
        if (isReal(fact.pod)) meter.realPods(fact.node, 1, fact.at);
        return;
      case 'podRunning':
        meter.podRunning(fact.pod.uid, fact.at);
        return;
      case 'podGone':
        meter.podGone(fact.pod.uid, fact.at);
        if (fact.node !== undefined && isReal(fact.pod)) meter.realPods(fact.node, -1, fact.at);
        return;
      case 'nodeLaunched':
        meter.nodeStarted(fact.node.node, priceOf(fact.node), fact.at, fact.node.nodePool);
        return;
      case 'nodeGone':
        meter.nodeGone(fact.node.node, fact.at);
        return;
      default:
    }
  };
}

interface Move {
  readonly uid: string;
  readonly why: LeavingReason;
  readonly at: number;
}

/** Pods that lost their nodes, by Deployment. */
class Moves {
  private readonly moves = new Map<string, Move[]>();

  add(pod: PodRef, why: LeavingReason, at: number): void {
    this.movesOf(pod).push({ uid: pod.uid, why, at });
  }

  /** The move of the pod that a new one replaces; each move is used once. */
  explain(pod: PodRef, at: number): Move | undefined {
    const moves = this.movesOf(pod);
    while (moves[0] !== undefined && moves[0].at < at - REPLACED_WITHIN_MS) moves.shift();
    return moves.shift();
  }

  private movesOf(pod: PodRef): Move[] {
    const key = workloadOf(pod);
    const known = this.moves.get(key) ?? [];
    this.moves.set(key, known);
    return known;
  }
}

/** Numbers the requested pods per Deployment by creation, so that clusters with the same demand can be compared. */
class RequestedPods {
  private readonly counts = new Map<string, number>();
  private readonly names = new Map<string, string>();

  /** The number of a pod: that of the pod it replaces, or the next one. */
  take(pod: PodRef, replaced: string | undefined): string {
    const known = replaced === undefined ? undefined : this.names.get(replaced);
    const name = known ?? this.next(workloadOf(pod));
    this.names.set(pod.uid, name);
    return name;
  }

  private next(workload: string): string {
    const count = (this.counts.get(workload) ?? 0) + 1;
    this.counts.set(workload, count);
    return `${workload} ${count}`;
  }
}

function workloadOf({ namespace, deployment = '' }: PodRef): string {
  return `${namespace}/${deployment}`;
}
