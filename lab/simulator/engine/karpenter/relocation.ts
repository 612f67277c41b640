import type { Candidates } from '../scheduling/placement';
import { HOSTNAME, type PodShape } from '../state/pod-shape';
import type { NodeRecord, PodRecord } from '../state/records';
import { ExistingBin } from './bin';

/**
 * Whether all pods of a node fit on other existing nodes.
 * Places each where the scheduler would, so that the result matches what will happen.
 */
export function canRelocate(
  node: NodeRecord,
  candidates: Candidates,
  mayTake: (target: NodeRecord) => boolean,
): boolean {
  const bins = new Map<NodeRecord, ExistingBin>();
  const pods = [...node.pods].filter(({ deleting }) => !deleting).sort(inSchedulingOrder);
  if (!couldHold(node, candidates)) return false;
  return pods.every(({ shape }) => {
    let [best, most]: [ExistingBin | undefined, number] = [undefined, Number.NEGATIVE_INFINITY];
    for (const target of candidates.of(shape)) {
      if (target === node || !mayTake(target) || !sameDomains(shape, node, target)) continue;
      const bin = binOf(bins, target);
      const free = bin.hasRoom(shape) ? bin.freeWith(shape) : Number.NEGATIVE_INFINITY;
      if (free > most) [best, most] = [bin, free];
    }
    best?.add(shape);
    return best !== undefined;
  });
}

/** A quick check that the total free room suffices for the pods of each shape. */
function couldHold(node: NodeRecord, candidates: Candidates): boolean {
  for (const [shape, pods] of node.shapes) {
    const targets = candidates.of(shape);
    for (const [name, amount] of shape.requests) {
      let free = 0;
      for (const target of targets) {
        if (target !== node) free += Math.max(0, (target.allocatable.get(name) ?? 0) - (target.used.get(name) ?? 0));
      }
      if (free < amount * pods) return false;
    }
  }
  return true;
}

function binOf(bins: Map<NodeRecord, ExistingBin>, node: NodeRecord): ExistingBin {
  const bin = bins.get(node) ?? new ExistingBin(node);
  bins.set(node, bin);
  return bin;
}

/** A move within the same zone cannot violate a spread constraint; other moves are not considered. */
function sameDomains({ spreads }: PodShape, from: NodeRecord, to: NodeRecord): boolean {
  return spreads.every(
    ({ topologyKey }) => topologyKey !== HOSTNAME && from.labels[topologyKey] === to.labels[topologyKey],
  );
}

function inSchedulingOrder(a: PodRecord, b: PodRecord): number {
  return b.ref.priority - a.ref.priority || a.createdAt - b.createdAt;
}
