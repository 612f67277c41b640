import { count } from '../basics/count';
import type { HeadroomConfig } from '../config/config';
import { unitSize } from '../config/unit-text';
import type { CapacityFacts, ClaimFacts } from './capacity-facts';
import { conditionText } from './objects';
import { type ReachedLimit, reachedLimits } from './reached-limits';

/** A node that has not joined this long after its launch is worth reporting. */
const SLOW_MS = 3 * 60_000;

export type MissingCause =
  | { readonly kind: 'poolMissing'; readonly nodePool: string }
  | { readonly kind: 'poolNotReady'; readonly nodePool: string; readonly why: string }
  | (ReachedLimit & { readonly kind: 'limitReached'; readonly nodePool: string })
  | { readonly kind: 'podsNotCreated'; readonly why: string }
  | {
      readonly kind: 'nodesNotJoining' | 'podsPending' | 'podsNotStarting';
      readonly count: number;
      readonly why: string;
    };

/** The NodePool's config; `undefined` if the config does not contain it. */
type UnitConfig = Pick<HeadroomConfig, 'unit' | 'minNode'> | undefined;

/** Why capacity is missing, the most certain cause first; empty while everything is on its way. */
export function whyMissing(facts: CapacityFacts, pool: UnitConfig, now: number): readonly MissingCause[] {
  return [
    ...poolCauses(facts),
    ...limitCauses(facts, pool),
    ...deploymentCauses(facts),
    ...claimCauses(facts.claims, now),
    ...podCauses(facts, now),
  ];
}

export function causeText(cause: MissingCause): string {
  switch (cause.kind) {
    case 'poolMissing':
      return `NodePool ${cause.nodePool} does not exist, so Karpenter launches no nodes for it: create it, or correct the name`;
    case 'poolNotReady':
      return `NodePool ${cause.nodePool} is not ready: ${cause.why}`;
    case 'limitReached':
      return `NodePool ${cause.nodePool} uses ${cause.used} of its limit of ${cause.limit} ${cause.resource}: raise spec.limits.${cause.resource}`;
    case 'podsNotCreated':
      return `pods cannot be created: ${cause.why}`;
    case 'nodesNotJoining':
      return `${count(cause.count, 'node')} not joining: ${cause.why}`;
    case 'podsPending':
      return `${count(cause.count, 'pause pod')} pending: ${cause.why}`;
    case 'podsNotStarting':
      return `${count(cause.count, 'pause pod')} not starting: ${cause.why}`;
  }
}

function poolCauses({ nodePool, pool }: CapacityFacts): MissingCause[] {
  if (!pool.ok) return [];
  if (!pool.value) return [{ kind: 'poolMissing', nodePool }];
  const ready = pool.value.conditions.find(({ type }) => type === 'Ready');
  if (!ready || ready.status === 'True') return [];
  return [{ kind: 'poolNotReady', nodePool, why: conditionText(ready) }];
}

function limitCauses({ nodePool, pool: read, pods, events }: CapacityFacts, config: UnitConfig): MissingCause[] {
  const waiting = pods.filter(({ node }) => node === undefined).map(({ name }) => name);
  const pool = read.ok ? read.value : undefined;
  const size = config ? unitSize(config) : {};
  if (!pool || waiting.length === 0) return [];
  // A node is larger than its pod, so Karpenter may refuse before the pod's request alone exceeds the limit.
  const refused = events.some(({ pod, message }) => waiting.includes(pod) && /exceed limits/.test(message));
  return reachedLimits(pool, size, refused).map((one) => ({ kind: 'limitReached', nodePool, ...one }));
}

function deploymentCauses({ conditions }: CapacityFacts): MissingCause[] {
  const failure = conditions.find(({ type, status }) => type === 'ReplicaFailure' && status === 'True');
  return failure ? [{ kind: 'podsNotCreated', why: conditionText(failure) }] : [];
}

function claimCauses(claims: readonly ClaimFacts[], now: number): MissingCause[] {
  const reasons = claims.flatMap((claim) => {
    const failed = claim.conditions.find(
      ({ type, status, message }) =>
        ['Launched', 'Registered', 'Initialized'].includes(type) && status === 'False' && message,
    );
    if (failed) return [conditionText(failed)];
    const stuck = claim.conditions.find(({ status, message }) => status !== 'True' && message);
    return isInitialized(claim) || !stuck || now - claim.createdAt < SLOW_MS ? [] : [conditionText(stuck)];
  });
  return counted('nodesNotJoining', reasons);
}

function isInitialized({ conditions }: ClaimFacts): boolean {
  return conditions.some(({ type, status }) => type === 'Initialized' && status === 'True');
}

function podCauses({ pods, events, claims }: CapacityFacts, now: number): MissingCause[] {
  // While nodes are starting, the scheduler reports every waiting pod as unschedulable; only Karpenter's refusal counts.
  const onTheWay = claims.some((claim) => !isInitialized(claim) && now - claim.createdAt < SLOW_MS);
  const waiting = pods.flatMap(({ name, node, unschedulable }) => {
    if (node !== undefined) return [];
    const own = events.filter(({ pod }) => pod === name);
    const refused = own.findLast(({ from }) => from === 'karpenter')?.message;
    const message = shortened(refused) ?? (onTheWay ? undefined : (own.at(-1)?.message ?? unschedulable));
    return message === undefined ? [] : [message];
  });
  const stuck = pods.flatMap((pod) => (pod.waiting === undefined ? [] : [pod.waiting]));
  return [...counted('podsPending', waiting), ...counted('podsNotStarting', stuck)];
}

/** Without the list of requirements that Karpenter adds, which is long and says nothing new. */
function shortened(message: string | undefined): string | undefined {
  return message?.replace(/, requirements=.*/s, '');
}

/** Each reason once, with its count; of reasons that differ only in numbers, the last. */
function counted(
  kind: 'nodesNotJoining' | 'podsPending' | 'podsNotStarting',
  reasons: readonly string[],
): MissingCause[] {
  const counts = new Map<string, { readonly count: number; readonly why: string }>();
  for (const why of reasons) {
    const key = withoutNumbers(why);
    counts.set(key, { count: (counts.get(key)?.count ?? 0) + 1, why });
  }
  return [...counts.values()].map((one) => ({ kind, ...one }));
}

/** kube-scheduler counts nodes by reason, in no particular order: `0/9 nodes are available: 5 Insufficient cpu, 4 …`. */
function withoutNumbers(why: string): string {
  const parts = why.replace(/\d+/g, '').split(/: |, |\.$/);
  return parts
    .map((part) => part.trim())
    .sort()
    .join();
}
