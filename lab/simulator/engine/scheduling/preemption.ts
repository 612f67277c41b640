import type { NodeRecord, PodRecord } from '../state/records';
import { type Amounts, addAmounts, lacking } from '../state/resource-amounts';
import type { Skews } from './placement';

/** Which pods to preempt on which node, so that a pod fits there. */
export interface Eviction {
  readonly node: NodeRecord;
  /** The highest priority first. */
  readonly victims: readonly PodRecord[];
}

/**
 * Finds the node where preemption costs least: by the highest priority among the victims,
 * then the sum of priorities, then the number of victims, then the youngest.
 */
export function cheapestEviction(pod: PodRecord, nodes: readonly NodeRecord[], skews: Skews): Eviction | undefined {
  let best: Eviction | undefined;
  for (const node of nodes) {
    const victims = victimsOn(pod, node, skews);
    if (victims && (!best || compare(victims, best.victims) < 0)) best = { node, victims };
  }
  return best;
}

/** The fewest pods of lower priority to preempt; `undefined` if even all of them would not be enough. */
function victimsOn(pod: PodRecord, node: NodeRecord, skews: Skews): readonly PodRecord[] | undefined {
  const lower = [...node.pods].filter((one) => one.ref.priority < pod.ref.priority);
  if (lower.length === 0) return undefined;
  const gone = new Set(lower);
  if (!fitsWithout(pod, node, gone, skews)) return undefined;
  for (const one of lower.sort(byImportance)) {
    // Pods that are being deleted need not be evicted.
    if (one.deleting) continue;
    gone.delete(one);
    if (!fitsWithout(pod, node, gone, skews)) gone.add(one);
  }
  return [...gone].filter(({ deleting }) => !deleting).sort(byImportance);
}

function fitsWithout(pod: PodRecord, node: NodeRecord, gone: ReadonlySet<PodRecord>, skews: Skews): boolean {
  if (lacking(pod.shape.requests, usedWithout(pod, node, gone), node.allocatable) !== undefined) return false;
  for (const other of node.pods) if (!gone.has(other) && other.shape.repels(pod.shape)) return false;
  for (const other of node.nominated) {
    if (other !== pod && other.ref.priority >= pod.ref.priority && other.shape.repels(pod.shape)) return false;
  }
  return skews.allow(node, [...gone]);
}

function usedWithout(pod: PodRecord, node: NodeRecord, gone: ReadonlySet<PodRecord>): Amounts {
  const used = new Map(node.usedWithNominated(pod));
  for (const one of gone) addAmounts(used, one.shape.requests, -1);
  return used;
}

function byImportance(a: PodRecord, b: PodRecord): number {
  return b.ref.priority - a.ref.priority || a.createdAt - b.createdAt || (a.ref.uid < b.ref.uid ? -1 : 1);
}

function compare(a: readonly PodRecord[], b: readonly PodRecord[]): number {
  const highest = (pods: readonly PodRecord[]) => pods[0]?.ref.priority ?? Number.NEGATIVE_INFINITY;
  // Shifted, so that more victims with negative priorities do not look cheaper.
  const sum = (pods: readonly PodRecord[]) => pods.reduce((total, { ref }) => total + ref.priority + 2 ** 31, 0);
  const youngest = (pods: readonly PodRecord[]) => pods[0]?.createdAt ?? 0;
  return highest(a) - highest(b) || sum(a) - sum(b) || a.length - b.length || youngest(b) - youngest(a);
}
