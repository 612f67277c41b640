import { utcMinute } from '../basics/duration';
import { MAX_WHY } from '../basics/record-limits';
import type { HeadroomConfig } from '../config/config';
import { unitSize } from '../config/unit-text';
import { reachedLimits } from '../karpenter/reached-limits';
import type { CurrentHeadroom, NodePoolFacts, NodeStart } from '../ports/ports';

/** What the functions are allowed to read, which excludes other pods. */
export interface LateFacts {
  readonly pool: HeadroomConfig;
  readonly nodePool: NodePoolFacts | 'missing' | undefined;
  readonly current: CurrentHeadroom | undefined;
  /** `undefined` when the NodeClaims could not be read. */
  readonly starts: readonly NodeStart[] | undefined;
  readonly missing: number;
}

/** Every cause of a window that began without its nodes; docs/reasons.md lists them. */
export const LATE = {
  noNodePool: (pool: string) => `the cluster has no NodePool ${pool}`,
  notReady: (pool: string, why: string) => `NodePool ${pool} is not ready: ${why}`,
  podsRejected: (why: string) => `pods cannot be created: ${why}`,
  limitReached: (pool: string, { used, limit, resource }: ReturnType<typeof reachedLimits>[number]) =>
    `NodePool ${pool} uses ${used} of its limit of ${limit} ${resource}`,
  /** With a time, not a duration, which would change the record each time. */
  starting: (nodes: number, since: number, waitsFor?: string) =>
    `${nodes === 1 ? '1 node is' : `${nodes} nodes are`} still starting, ${nodes === 1 ? '' : 'the first '}since ${utcMinute(since)}${waitsFor === undefined ? '' : ` (${waitsFor})`}`,
  unread: () => 'the NodeClaims cannot be read',
  noneStarting: () =>
    'no node is starting: EC2 has no capacity, or Karpenter has not acted yet; headstart status --kubeconfig says more',
} as const;

/** Whether nothing but starting nodes is known to have caused a delay: this cause is the last one, and the only one with a number first. */
export function isNodeStart(why: string | undefined): boolean {
  return why === undefined || /^\d/.test(why);
}

/** Why requested nodes are not ready, the most certain cause first. */
export function whyLate(facts: LateFacts): string {
  const causes = [...poolCauses(facts), ...podCauses(facts), ...limitCauses(facts), ...startCauses(facts)];
  const text = plain(causes.length > 0 ? causes.join('; ') : unknownCause(facts));
  return text.length > MAX_WHY ? `${text.slice(0, MAX_WHY - 3)}...` : text;
}

/** The maximum size of a record is computed in advance, so characters that JSON would escape are left out. */
function plain(text: string): string {
  return text.replaceAll(/["\\`]/g, "'").replaceAll(/[^ -~]+/g, ' ');
}

function poolCauses({ pool, nodePool }: LateFacts): string[] {
  if (nodePool === 'missing') return [LATE.noNodePool(pool.nodePool)];
  return nodePool?.notReady === undefined ? [] : [LATE.notReady(pool.nodePool, nodePool.notReady)];
}

/** A quota or a webhook rejects the pause pods themselves. */
function podCauses({ current }: LateFacts): string[] {
  const object = current?.object as { status?: { conditions?: readonly PodCondition[] } } | undefined;
  const failure = object?.status?.conditions?.find(
    ({ type, status }) => type === 'ReplicaFailure' && status === 'True',
  );
  return failure ? [LATE.podsRejected(failure.message || failure.reason || 'ReplicaFailure')] : [];
}

interface PodCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}

/** A limit explains only nodes that are not starting already. */
function limitCauses({ pool, nodePool, starts = [], missing }: LateFacts): string[] {
  if (nodePool === undefined || nodePool === 'missing' || starting(starts).length >= missing) return [];
  const { limits = {}, used = {} } = nodePool;
  return reachedLimits({ limits, used }, unitSize(pool)).map((reached) => LATE.limitReached(pool.nodePool, reached));
}

function startCauses({ starts = [] }: LateFacts): string[] {
  const coming = starting(starts);
  const [first] = coming;
  return first ? [LATE.starting(coming.length, first.createdAt, first.waitsFor)] : [];
}

/** The oldest first. */
function starting(starts: readonly NodeStart[]): readonly NodeStart[] {
  const coming = starts.filter(({ initializedAt, deleting }) => initializedAt === undefined && !deleting);
  return coming.sort((a, b) => a.createdAt - b.createdAt);
}

function unknownCause({ starts }: LateFacts): string {
  return starts ? LATE.noneStarting() : LATE.unread();
}
