import { formatDuration, parseDuration } from '../../../shared/core/basics/duration';
import { KARPENTER_NODEPOOL_LABEL } from '../../../shared/core/basics/names';
import type { NodePoolConfig } from '../../../shared/core/config/config';
import { parseQuantity } from '../../../shared/core/config/schema/quantity';
import { AUTO_MODE_GROUP, BUILT_IN_NODE_POOLS, isAutoMode } from '../../../shared/core/karpenter/auto-mode';
import { repellingTaint } from '../../../shared/core/karpenter/repelling-taint';
import type { Commands } from '../../input/commands';
import { quantityText } from '../../terminal/quantity-text';
import type { KubeFacts, NodePoolFacts } from '../facts/kube-facts';
import { error, type Finding } from './finding';

/** Karpenter looks every 10 s and validates for 15 s: below this it moves pause pods that are still starting. */
const MIN_CONSOLIDATE_AFTER_SECONDS = 60;

/** Each headroom needs a NodePool that is ready, large enough for the peak, tolerated, and not consolidated too early. */
export function checkNodePools(facts: KubeFacts, pools: readonly NodePoolConfig[], { kubectl }: Commands): Finding[] {
  const { nodePools } = facts;
  if (!nodePools.ok) return [];
  return pools.flatMap((pool) => {
    const live = nodePools.value.find(({ name }) => name === pool.name);
    const gone = missing(pool, nodePools.value);
    if (!live) return gone;
    return [
      ...gone,
      ...notReady(live, kubectl('describe', 'nodepool', live.name)),
      ...tooSmall(live, pool, plannedPeak(pool, facts)),
      ...notTolerated(live, pool),
      ...restless(live, pool),
    ];
  });
}

function missing(pool: NodePoolConfig, known: readonly NodePoolFacts[]): Finding[] {
  const selected = selectedPools(pool);
  const gone = (selected.length > 0 ? selected : [pool.name]).filter((name) => !known.some((one) => one.name === name));
  return gone.map((name): Finding => {
    const finding = error(
      `NodePool ${name}`,
      `does not exist, so the headroom of ${pool.name} never gets a node from it`,
      `the cluster has ${known.map((one) => one.name).join(', ') || 'no NodePool'}`,
      BUILT_IN_NODE_POOLS.includes(name) && isAutoMode(known)
        ? 'it comes with EKS Auto Mode: turn it on (aws eks update-cluster-config --compute-config), or correct the name under nodePools'
        : 'create it (a pool block in the config does that), or correct the name under nodePools',
    );
    if (selected.length > 0) return finding;
    // Its nodes may come from a NodePool with another name, whose taints cannot be looked up.
    return { ...finding, severity: 'warning', problem: 'does not exist; its headroom selects nodes by other labels' };
  });
}

/** Whether a NodePool is one of EKS Auto Mode's own, which cannot be changed. */
function isBuiltIn({ name, nodeClassGroup }: NodePoolFacts): boolean {
  return nodeClassGroup === AUTO_MODE_GROUP && BUILT_IN_NODE_POOLS.includes(name);
}

const UNCHANGEABLE =
  'the built-in NodePools of EKS Auto Mode cannot be changed: create a NodePool of your own with consolidateAfter 5m, or use unit: {floor: ...}';

/** The NodePools that a headroom selects by name; none if it selects its nodes by other labels. */
function selectedPools({ nodeSelector, nodeAffinity }: NodePoolConfig): readonly string[] {
  const selected = nodeSelector[KARPENTER_NODEPOOL_LABEL];
  const listed = nodeAffinity
    .filter(({ key, operator }) => key === KARPENTER_NODEPOOL_LABEL && operator === 'In')
    .flatMap(({ values = [] }) => values);
  return [...new Set([...(selected === undefined ? [] : [selected]), ...listed])];
}

function notReady({ name, conditions, nodeClassGroup }: NodePoolFacts, describe: string): Finding[] {
  const ready = conditions.find(({ type }) => type === 'Ready');
  if (!ready || ready.status === 'True') return [];
  const why = conditions.find(({ type, status }) => type !== 'Ready' && status === 'False') ?? ready;
  return [
    {
      severity: 'error',
      about: `NodePool ${name}`,
      problem: 'is not ready, so Karpenter launches no nodes for it',
      evidence: `${why.type}: ${why.message || why.reason || why.status}`,
      fix: `run ${describe}, and describe its ${nodeClassGroup === AUTO_MODE_GROUP ? 'NodeClass' : 'EC2NodeClass'}`,
    },
  ];
}

/** The largest size that the config plans; windows that add nodes count from the current number of nodes. */
export function plannedPeak({ name, base, windows, max }: NodePoolConfig, { capacity }: KubeFacts): number {
  const sizes = (relative: boolean) =>
    windows.filter((window) => (window.relative ?? false) === relative).map(({ replicas }) => replicas);
  const nodes = capacity.find(({ nodePool }) => nodePool === name)?.nodes.length ?? 0;
  return Math.max(Math.min(max, Math.max(base, ...sizes(false))), ...sizes(true).map((added) => nodes + added));
}

/** How much of a limit one replica needs, as a number and as text. */
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
  // Without tolerations in the config, headroom tolerates the NodePool's own taints.
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

function restless(live: NodePoolFacts, pool: NodePoolConfig): Finding[] {
  const { name, consolidationPolicy, consolidateAfter } = live;
  const after = parseDuration(consolidateAfter);
  // Consolidation leaves a floor its number and size of nodes, however often it runs.
  const held = pool.unit.kind !== 'floor' && (pool.base > 0 || pool.windows.length > 0);
  if (consolidationPolicy === 'WhenEmpty' || after === undefined || after >= MIN_CONSOLIDATE_AFTER_SECONDS || !held)
    return [];
  return [
    {
      severity: 'warning',
      about: `NodePool ${name}`,
      problem: 'lets Karpenter consolidate nodes immediately, including those with headroom',
      evidence: `disruption.consolidationPolicy ${consolidationPolicy}, consolidateAfter ${consolidateAfter}`,
      fix: isBuiltIn(live)
        ? UNCHANGEABLE
        : `set consolidateAfter to 5m or more (at least ${formatDuration(MIN_CONSOLIDATE_AFTER_SECONDS)}), or add a budget of "0" for Underutilized during the windows`,
    },
  ];
}
