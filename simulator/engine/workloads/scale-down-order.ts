import type { PodRecord } from '../state/records';

const DELETION_COST = 'controller.kubernetes.io/pod-deletion-cost';

/** The pods in the order in which a ReplicaSet deletes them: waiting ones first, then those not ready, then newer ones. */
export function inScaleDownOrder(pods: readonly PodRecord[]): PodRecord[] {
  const perNode = new Map<unknown, number>();
  for (const { node } of pods) if (node) perNode.set(node, (perNode.get(node) ?? 0) + 1);
  const rank = (pod: PodRecord): readonly number[] => [
    pod.node ? 1 : 0,
    pod.object.status.phase === 'Pending' ? 0 : 1,
    pod.ready ? 1 : 0,
    Number(pod.object.metadata.annotations?.[DELETION_COST] ?? 0),
    -(perNode.get(pod.node) ?? 0),
    -pod.createdAt,
  ];
  const ranked = pods.map((pod, index) => ({ pod, rank: [...rank(pod), -index] }));
  ranked.sort((a, b) => compareRanks(a.rank, b.rank));
  return ranked.map(({ pod }) => pod);
}

function compareRanks(a: readonly number[], b: readonly number[]): number {
  for (const [index, value] of a.entries()) {
    const difference = value - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
