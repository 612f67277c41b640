import { formatDuration, parseDuration } from '../../../shared/core/basics/duration';
import { KARPENTER_NODEPOOL_LABEL } from '../../../shared/core/basics/names';
import type { NodePoolConfig } from '../../../shared/core/config/config';
import { parseQuantity } from '../../../shared/core/config/quantity';
import { repellingTaint } from '../../../shared/core/karpenter/repelling-taint';
import { quantityText } from '../../terminal/quantity-text';
import type { KubeFacts, NodePoolFacts } from '../facts/kube-facts';
import type { Finding } from './finding';

/** Karpenter looks every 10 s and waits 15 s: below this it moves pause pods while they are still starting. */
const MIN_CONSOLIDATE_AFTER_SECONDS = 60;

/** Each headroom needs a NodePool that is ready, has room for the peak, tolerated taints, and does not consolidate too early. */
export function checkNodePools(facts: KubeFacts, pools: readonly NodePoolConfig[]): Finding[] {
  const { nodePools } = facts;
  if (!nodePools.ok) return [];
  return pools.flatMap((pool) => {
    const live = nodePools.value.find(({ name }) => name === pool.name);
    if (!live) return missing(pool, nodePools.value);
    return [
      ...notReady(live),
      ...tooSmall(live, pool, plannedPeak(pool, facts)),
      ...notTolerated(live, pool),
      ...restless(live, pool),
    ];
  });
}

function missing({ name, nodeSelector }: NodePoolConfig, known: readonly NodePoolFacts[]): Finding[] {
  // A headroom that selects nodes by other labels needs no NodePool of its own name.
  if (nodeSelector[KARPENTER_NODEPOOL_LABEL] !== name) return [];
  return [
    {
      severity: 'error',
      about: `NodePool ${name}`,
      problem: 'does not exist, so its headroom never gets a node',
      evidence: `the cluster has ${known.map((pool) => pool.name).join(', ') || 'no NodePool'}`,
      fix: 'create it (a pool block in the config does that), or correct the name under nodePools',
    },
  ];
}

function notReady({ name, conditions }: NodePoolFacts): Finding[] {
  const ready = conditions.find(({ type }) => type === 'Ready');
  if (!ready || ready.status === 'True') return [];
  const why = conditions.find(({ type, status }) => type !== 'Ready' && status === 'False') ?? ready;
  return [
    {
      severity: 'error',
      about: `NodePool ${name}`,
      problem: 'is not ready, so Karpenter launches no nodes for it',
      evidence: `${why.type}: ${why.message || why.reason || why.status}`,
      fix: `run kubectl describe nodepool ${name}, and describe its EC2NodeClass`,
    },
  ];
}

/** The most that the config plans by itself; what a window adds counts on top of the nodes that there are now. */
export function plannedPeak({ name, base, windows, max }: NodePoolConfig, { capacity }: KubeFacts): number {
  const sizes = (relative: boolean) =>
    windows.filter((window) => (window.relative ?? false) === relative).map(({ replicas }) => replicas);
  const nodes = capacity.find(({ nodePool }) => nodePool === name)?.nodes.length ?? 0;
  return Math.max(Math.min(max, Math.max(base, ...sizes(false))), ...sizes(true).map((added) => nodes + added));
}

/** What one replica needs of a limit, and how to say it. */
function eachNeeds({ unit, minNode }: NodePoolConfig, resource: string): { amount?: number; text: string } {
  if (resource === 'nodes') return { ...(unit.kind !== 'slice' && { amount: 1 }), text: 'one node' };
  const least = { cpu: minNode?.cpu, memory: minNode?.memoryMiB && minNode.memoryMiB * 2 ** 20 };
  const amount =
    unit.kind === 'floor' ? least[resource as keyof typeof least] : parseQuantity(unit.requests[resource] ?? '');
  if (amount === undefined) return { text: resource };
  return { amount, text: `${unit.requests[resource] ?? quantityText(resource, amount)} ${resource}` };
}

function tooSmall({ name, limits, used }: NodePoolFacts, pool: NodePoolConfig, peak: number): Finding[] {
  return Object.entries(limits).flatMap(([resource, limit]): Finding[] => {
    const most = parseQuantity(limit);
    const { amount, text } = eachNeeds(pool, resource);
    if (most === undefined || amount === undefined || peak * amount <= most) return [];
    return [
      {
        severity: 'error',
        about: `NodePool ${name}`,
        problem: `has a limit below its planned peak of ${peak}`,
        evidence: `limits.${resource} is ${limit} (used ${used[resource] ?? '0'}), and ${peak} × ${text} is more`,
        fix: `raise spec.limits.${resource}, with room for real pods, or plan less headroom`,
      },
    ];
  });
}

function notTolerated({ name, taints }: NodePoolFacts, { tolerations }: NodePoolConfig): Finding[] {
  // Without tolerations in the config the NodePool's own taints are tolerated.
  if (!tolerations) return [];
  return taints
    .filter((taint) => repellingTaint(tolerations, [taint]))
    .map(({ key, value, effect }) => ({
      severity: 'error',
      about: `NodePool ${name}`,
      problem: 'has a taint that its headroom does not tolerate, so it never gets a node',
      evidence: `taint ${key}${value === undefined ? '' : `=${value}`}:${effect}`,
      fix: `add {key: ${key}, operator: Exists} to the tolerations of ${name} in the config, or remove them`,
    }));
}

function restless({ name, consolidationPolicy, consolidateAfter }: NodePoolFacts, pool: NodePoolConfig): Finding[] {
  const after = parseDuration(consolidateAfter);
  // A floor stays on nodes of its size and number, however often Karpenter looks.
  const held = pool.unit.kind !== 'floor' && (pool.base > 0 || pool.windows.length > 0);
  if (consolidationPolicy === 'WhenEmpty' || after === undefined || after >= MIN_CONSOLIDATE_AFTER_SECONDS || !held)
    return [];
  return [
    {
      severity: 'warning',
      about: `NodePool ${name}`,
      problem: 'lets Karpenter consolidate nodes immediately, including those with headroom',
      evidence: `disruption.consolidationPolicy ${consolidationPolicy}, consolidateAfter ${consolidateAfter}`,
      fix: `set consolidateAfter to 5m or more (at least ${formatDuration(MIN_CONSOLIDATE_AFTER_SECONDS)}), or add a budget of "0" for Underutilized during the windows`,
    },
  ];
}
