import type { Fact, NodeRef, PodRef } from '../engine/state/facts';
import type { Meter } from './meter';

/** The replacement of an evicted pod comes within this time. */
const REPLACED_WITHIN_MS = 5_000;

export interface FactMeterOptions {
  /** Whether a pod belongs to a real workload. */
  readonly isReal: (pod: PodRef) => boolean;
  /** What a node costs in an hour. */
  readonly priceOf: (node: NodeRef) => number;
}

/** A listener that feeds a simulated cluster's facts to a meter. */
export function countFacts(meter: Meter, { isReal, priceOf }: FactMeterOptions): (fact: Fact) => void {
  const moves = new Moves();
  return (fact) => {
    switch (fact.kind) {
      case 'podCreated':
        if (isReal(fact.pod) && !moves.explain(fact.pod, fact.at))
          meter.podCreated(fact.pod.uid, fact.at, fact.pod.deployment);
        return;
      case 'podEvicted':
        if (fact.why !== 'interrupted') moves.add(fact.pod, fact.at);
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
        meter.nodeStarted(fact.node.node, priceOf(fact.node), fact.at);
        return;
      case 'nodeGone':
        meter.nodeGone(fact.node.node, fact.at);
        return;
      default:
    }
  };
}

/**
 * Pods that Karpenter has moved, by Deployment. Consolidation moves pods only where there is a place:
 * nobody waits for their replacements, and counting them would make the figures look better than they are.
 */
class Moves {
  private readonly times = new Map<string, number[]>();

  add(pod: PodRef, at: number): void {
    this.timesOf(pod).push(at);
  }

  /** Whether a new pod replaces one that was moved; each move accounts for one pod. */
  explain(pod: PodRef, at: number): boolean {
    const times = this.timesOf(pod);
    while (times[0] !== undefined && times[0] < at - REPLACED_WITHIN_MS) times.shift();
    return times.shift() !== undefined;
  }

  private timesOf({ namespace, deployment = '' }: PodRef): number[] {
    const key = `${namespace}/${deployment}`;
    const known = this.times.get(key) ?? [];
    this.times.set(key, known);
    return known;
  }
}
