import type { PodRecord } from '../cluster-state';
import type { NodeRecord } from '../node-record';
import { type Candidates, freeShare } from '../placement';
import { HOSTNAME, type PodShape } from '../pod-shape';
import { ExistingBin } from './bin';

/**
 * Whether all pods of a node would find a place on other nodes as they are, without a new one.
 * Each goes where the scheduler would put it, so that what is found here is what will happen.
 */
export function canRelocate(
  node: NodeRecord,
  candidates: Candidates,
  mayTake: (target: NodeRecord) => boolean,
): boolean {
  const bins = new Map<NodeRecord, ExistingBin>();
  const pods = [...node.pods].filter(({ deleting }) => !deleting).sort(inSchedulingOrder);
  return pods.every(({ shape }) => {
    const targets = candidates.of(shape).filter((one) => one !== node && mayTake(one) && sameDomains(shape, node, one));
    const target = emptiest(shape, targets, bins);
    if (!target) return false;
    const bin = bins.get(target) ?? binOf(target);
    bin.add(shape);
    bins.set(target, bin);
    return true;
  });
}

function emptiest(
  shape: PodShape,
  targets: readonly NodeRecord[],
  bins: ReadonlyMap<NodeRecord, ExistingBin>,
): NodeRecord | undefined {
  let [best, most]: [NodeRecord | undefined, number] = [undefined, Number.NEGATIVE_INFINITY];
  for (const target of targets) {
    const bin = bins.get(target) ?? binOf(target);
    if (!bin.fits(shape)) continue;
    const free = bins.has(target) ? bin.free() : freeShare(shape, target);
    if (free > most) [best, most] = [target, free];
  }
  return best;
}

function binOf(node: NodeRecord): ExistingBin {
  return new ExistingBin(node.name, node.labels, node.taints, node.allocatable, node);
}

/** A move within the same zone cannot break a spread constraint; other moves are not considered. */
function sameDomains({ spreads }: PodShape, from: NodeRecord, to: NodeRecord): boolean {
  return spreads.every(
    ({ topologyKey }) => topologyKey !== HOSTNAME && from.labels[topologyKey] === to.labels[topologyKey],
  );
}

function inSchedulingOrder(a: PodRecord, b: PodRecord): number {
  return b.ref.priority - a.ref.priority || a.createdAt - b.createdAt;
}
