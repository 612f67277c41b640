import type { Unit } from '../../shared/core/config/config';
import { parseQuantity } from '../../shared/core/config/quantity';
import { count } from '../../shared/drawing/amounts';
import type { CapacityFacts, ClaimFacts, Condition } from './capacity-facts';

/** A node that has not joined so long after it was ordered is worth a word. */
const SLOW_MS = 3 * 60_000;

/** Why capacity does not come, in plain words, the surest cause first; empty while everything is on its way. */
export function whyMissing(facts: CapacityFacts, unit: Unit | undefined, now: number): readonly string[] {
  return [
    ...poolTrouble(facts),
    ...limitTrouble(facts, unit),
    ...deploymentTrouble(facts),
    ...claimTrouble(facts.claims, now),
    ...podTrouble(facts, now),
  ];
}

function poolTrouble({ nodePool, pool, unread }: CapacityFacts): string[] {
  const missing = unread.find((line) => line.startsWith('NodePool:') && / 404 /.test(line));
  if (missing !== undefined)
    return [`NodePool ${nodePool} does not exist, so Karpenter buys nothing for it: create it, or correct the name`];
  const ready = pool?.conditions.find(({ type }) => type === 'Ready');
  if (!ready || ready.status === 'True') return [];
  return [`NodePool ${nodePool} is not ready: ${wordsOf(ready)}`];
}

function limitTrouble({ nodePool, pool, pods, events }: CapacityFacts, unit: Unit | undefined): string[] {
  const waiting = pods.filter(({ node }) => node === undefined).map(({ name }) => name);
  if (!pool || waiting.length === 0) return [];
  // A node is larger than the pod that it is for, so Karpenter may refuse before the request itself is too much.
  const refused = events.some(({ pod, message }) => waiting.includes(pod) && /exceed limits/.test(message));
  return Object.entries(pool.limits).flatMap(([resource, limit]) => {
    const [most, used] = [parseQuantity(limit), parseQuantity(pool.used[resource] ?? '0')];
    const each = resource === 'nodes' ? 1 : parseQuantity(unit?.requests[resource] ?? '0');
    if (most === undefined || used === undefined || (!refused && used + (each ?? 0) <= most)) return [];
    const showed = pool.used[resource] ?? '0';
    return [
      `NodePool ${nodePool} has used ${showed} of its limit of ${limit} ${resource}: raise spec.limits.${resource}`,
    ];
  });
}

function deploymentTrouble({ conditions }: CapacityFacts): string[] {
  const failure = conditions.find(({ type, status }) => type === 'ReplicaFailure' && status === 'True');
  return failure ? [`pods cannot be created: ${wordsOf(failure)}`] : [];
}

function claimTrouble(claims: readonly ClaimFacts[], now: number): string[] {
  const words = claims.flatMap((claim) => {
    const failed = claim.conditions.find(
      ({ type, status, message }) =>
        ['Launched', 'Registered', 'Initialized'].includes(type) && status === 'False' && message,
    );
    if (failed) return [wordsOf(failed)];
    const stuck = claim.conditions.find(({ status, message }) => status !== 'True' && message);
    return isInitialized(claim) || !stuck || now - claim.createdAt < SLOW_MS ? [] : [wordsOf(stuck)];
  });
  return counted(words, (text, number) => `${count(number, 'node')} not coming up: ${text}`);
}

function isInitialized({ conditions }: ClaimFacts): boolean {
  return conditions.some(({ type, status }) => type === 'Initialized' && status === 'True');
}

function podTrouble({ pods, events, claims }: CapacityFacts, now: number): string[] {
  // While nodes come, "no room on the others" is what every pause pod hears; only Karpenter's refusal counts.
  const onTheWay = claims.some((claim) => !isInitialized(claim) && now - claim.createdAt < SLOW_MS);
  const waiting = pods.flatMap(({ name, node, unschedulable }) => {
    if (node !== undefined) return [];
    const own = events.filter(({ pod }) => pod === name);
    const refused = own.findLast(({ from }) => from === 'karpenter')?.message;
    const message = shortened(refused) ?? (onTheWay ? undefined : (own.at(-1)?.message ?? unschedulable));
    return message === undefined ? [] : [message];
  });
  const stuck = pods.flatMap((pod) => (pod.waiting === undefined ? [] : [pod.waiting]));
  return [
    ...counted(waiting, (text, number) => `${count(number, 'pause pod')} without a place: ${text}`),
    ...counted(stuck, (text, number) => `${count(number, 'pause pod')} not starting: ${text}`),
  ];
}

/** Without the list of requirements, which is long and says nothing new. */
function shortened(message: string | undefined): string | undefined {
  return message?.replace(/, requirements=.*$/s, '');
}

function wordsOf({ type, reason, message }: Condition): string {
  return message || reason || type;
}

/** Equal texts once, with how often they were said. */
function counted(texts: readonly string[], say: (text: string, number: number) => string): string[] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].map(([text, number]) => say(text, number));
}
