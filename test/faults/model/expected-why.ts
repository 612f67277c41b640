import { NODE_CLAIMS, NODE_POOLS } from '../../../lab/simulator/kube/kinds';
import type { Deployment, NodeClaim } from '../../../lab/simulator/kube/object-types';
import type { World } from '../environment/world';

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}

/** The rules of why a window is late, written again: what Karpenter, the quota and the nodes themselves say. */
export function expectedWhy(nodePool: string, current: Deployment | undefined, missing: number, world: World): string {
  const pool = world.store.get(NODE_POOLS, undefined, nodePool);
  const status = (pool?.status ?? {}) as { conditions?: readonly Condition[]; resources?: Record<string, string> };
  const starting = claimsOf(nodePool, world)
    .filter(({ metadata }) => !metadata.deletionTimestamp)
    .filter((claim) => !isMet(claim, 'Initialized'))
    .toSorted((a, b) => createdAt(a) - createdAt(b));
  const notReady = status.conditions?.find((one) => one.type === 'Ready' && one.status === 'False');
  const failure = (current?.status?.conditions as readonly Condition[] | undefined)?.find(
    (one) => one.type === 'ReplicaFailure' && one.status === 'True',
  );
  // The only limit of these NodePools that is ever reached.
  const isFull = pool && starting.length < missing && status.resources?.nodes === '3';
  const causes = [
    ...(pool ? [] : [`the cluster has no NodePool ${nodePool}`]),
    ...(notReady ? [`NodePool ${nodePool} is not ready: ${notReady.message || notReady.reason}`] : []),
    ...(failure ? [`pods cannot be created: ${failure.message || failure.reason}`] : []),
    ...(isFull ? [`NodePool ${nodePool} uses 3 of its limit of 3 nodes`] : []),
    ...(starting[0] ? [startingText(starting.length, starting[0])] : []),
  ];
  const none =
    'no node is starting: EC2 has no capacity, or Karpenter has not acted yet; headstart status --kubeconfig says more';
  const text = (causes.length > 0 ? causes.join('; ') : none).replaceAll(/["`]/g, "'");
  return text.length > 160 ? `${text.slice(0, 157)}...` : text;
}

/** How long each node of the NodePool took, and those that were known: the newest forty, the oldest of them first. */
export function expectedStarts(known: Starts, nodePool: string, world: World): Starts {
  const seen = claimsOf(nodePool, world).flatMap((claim): [string, number][] => {
    const { uid, creationTimestamp } = claim.metadata;
    const done = claim.status?.conditions?.find((one) => one.type === 'Initialized' && one.status === 'True');
    if (!done?.lastTransitionTime) return [];
    return [
      [`${creationTimestamp}/${uid.slice(0, 8)}`, (Date.parse(done.lastTransitionTime) - createdAt(claim)) / 1_000],
    ];
  });
  const all = [...new Map([...Object.entries(known), ...seen])].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(all.slice(-40));
}

type Starts = Readonly<Record<string, number>>;

function claimsOf(nodePool: string, world: World): readonly NodeClaim[] {
  const all = world.api.list(NODE_CLAIMS, undefined, {});
  return all.filter(({ metadata }) => metadata.labels?.['karpenter.sh/nodepool'] === nodePool);
}

function createdAt({ metadata }: NodeClaim): number {
  return Date.parse(metadata.creationTimestamp);
}

function startingText(nodes: number, first: NodeClaim): string {
  const waiting = first.status?.conditions?.find(({ status }) => status !== 'True');
  const since = `since ${first.metadata.creationTimestamp.slice(0, 16)}Z`;
  const waits = waiting ? ` (${waiting.type}: ${waiting.message || waiting.reason})` : '';
  return nodes === 1
    ? `1 node is still starting, ${since}${waits}`
    : `${nodes} nodes are still starting, the first ${since}${waits}`;
}

function isMet({ status }: NodeClaim, type: string): boolean {
  return status?.conditions?.some((one) => one.type === type && one.status === 'True') ?? false;
}
