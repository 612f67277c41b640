import { formatDuration, parseDuration } from '../../../shared/core/basics/duration';
import { KARPENTER_NODEPOOL_LABEL } from '../../../shared/core/basics/names';
import type { HeadroomConfig } from '../../../shared/core/config/config';
import { parseQuantity } from '../../../shared/core/config/schema/quantity';
import { AUTO_MODE_GROUP, BUILT_IN_NODE_POOLS, isAutoMode } from '../../../shared/core/karpenter/auto-mode';
import { repellingTaint } from '../../../shared/core/karpenter/repelling-taint';
import { quantityText } from '../../terminal/quantity-text';
import type { NodePoolFacts } from '../facts/loose-objects';
import type { KubeFacts } from '../facts/read-cluster-facts';
import { type Context, error, type Findings, warning } from './finding';

/** Karpenter looks every 10 s and validates for 15 s: below this it moves pause pods that are still starting. */
const MIN_CONSOLIDATE_AFTER_SECONDS = 60;

/** Each headroom needs a NodePool that is ready, large enough for the peak, tolerated, and not consolidated too early. */
export function* checkNodePools(facts: KubeFacts, { config, commands }: Context): Findings {
  if (!facts.nodePools.ok) return;
  const known = facts.nodePools.value;
  for (const pool of config.headrooms) {
    yield* missing(pool, known);
    const current = known.find(({ name }) => name === pool.name);
    if (!current) continue;
    yield* notReady(current, commands.kubectl('describe', 'nodepool', current.name));
    yield* tooSmall(current, pool, plannedPeak(pool, facts));
    yield* notTolerated(current, pool);
    yield* restless(current, pool);
  }
}

function* missing(pool: HeadroomConfig, known: readonly NodePoolFacts[]): Findings {
  const selected = selectedPools(pool);
  const wanted = selected.length > 0 ? selected : [pool.name];
  // Without a selected name its nodes may come from a NodePool with another name, whose taints cannot be looked up.
  for (const name of wanted.filter((one) => !known.some((other) => other.name === one)))
    yield (selected.length > 0 ? error : warning)(
      `NodePool ${name}`,
      selected.length > 0
        ? `does not exist, so the headroom of ${pool.name} never gets a node from it`
        : 'does not exist; its headroom selects nodes by other labels',
      `the cluster has ${known.map((one) => one.name).join(', ') || 'no NodePool'}`,
      BUILT_IN_NODE_POOLS.includes(name) && isAutoMode(known)
        ? 'it comes with EKS Auto Mode: turn it on (aws eks update-cluster-config --compute-config), or correct the name under nodePools'
        : 'create it (a pool block in the config does that), or correct the name under nodePools',
    );
}

/** Whether a NodePool is one of EKS Auto Mode's own, which cannot be changed. */
function isBuiltIn({ name, nodeClassGroup }: NodePoolFacts): boolean {
  return nodeClassGroup === AUTO_MODE_GROUP && BUILT_IN_NODE_POOLS.includes(name);
}

const UNCHANGEABLE =
  'the built-in NodePools of EKS Auto Mode cannot be changed: create a NodePool of your own with consolidateAfter 5m, or use unit: {floor: ...}';

/** The NodePools that a headroom selects by name; none if it selects its nodes by other labels. */
function selectedPools({ nodeSelector, nodeAffinity }: HeadroomConfig): readonly string[] {
  const selected = nodeSelector[KARPENTER_NODEPOOL_LABEL];
  const listed = nodeAffinity
    .filter(({ key, operator }) => key === KARPENTER_NODEPOOL_LABEL && operator === 'In')
    .flatMap(({ values = [] }) => values);
  return [...new Set([...(selected === undefined ? [] : [selected]), ...listed])];
}

function* notReady({ name, conditions, nodeClassGroup }: NodePoolFacts, describe: string): Findings {
  const ready = conditions.find(({ type }) => type === 'Ready');
  if (!ready || ready.status === 'True') return;
  const why = conditions.find(({ type, status }) => type !== 'Ready' && status === 'False') ?? ready;
  yield error(
    `NodePool ${name}`,
    'is not ready, so Karpenter launches no nodes for it',
    `${why.type}: ${why.message || why.reason || why.status}`,
    `run ${describe}, and describe its ${nodeClassGroup === AUTO_MODE_GROUP ? 'NodeClass' : 'EC2NodeClass'}`,
  );
}

/** The largest size that the config plans; windows that add nodes count from the current number of nodes. */
export function plannedPeak({ name, base, windows, max }: HeadroomConfig, { capacity }: KubeFacts): number {
  const sizes = (relative: boolean) =>
    windows.filter((window) => (window.relative ?? false) === relative).map(({ replicas }) => replicas);
  const nodes = capacity.find(({ nodePool }) => nodePool === name)?.nodes.length ?? 0;
  return Math.max(Math.min(max, Math.max(base, ...sizes(false))), ...sizes(true).map((added) => nodes + added));
}

function eachNeeds({ unit, minNode }: HeadroomConfig, resource: string): { amount?: number; text: string } {
  if (resource === 'nodes') return { ...(unit.kind !== 'slice' && { amount: 1 }), text: 'one node' };
  const least = { cpu: minNode?.cpu, memory: minNode?.memoryMiB && minNode.memoryMiB * 2 ** 20 };
  const amount =
    unit.kind === 'floor' ? least[resource as keyof typeof least] : parseQuantity(unit.requests[resource] ?? '');
  if (amount === undefined) return { text: resource };
  return { amount, text: `${unit.requests[resource] ?? quantityText(resource, amount)} ${resource}` };
}

function* tooSmall({ name, limits, used }: NodePoolFacts, pool: HeadroomConfig, peak: number): Findings {
  for (const [resource, limit] of Object.entries(limits)) {
    const { amount = 0, text } = eachNeeds(pool, resource);
    if (peak * amount > (parseQuantity(limit) ?? Number.POSITIVE_INFINITY))
      yield error(
        `NodePool ${name}`,
        `has a limit below its planned peak of ${peak}`,
        `limits.${resource} is ${limit} (used ${used[resource] ?? '0'}), and ${peak} × ${text} is more`,
        `raise spec.limits.${resource}, with room for real pods, or plan less headroom`,
      );
  }
}

function* notTolerated({ name, taints }: NodePoolFacts, { tolerations }: HeadroomConfig): Findings {
  // Without tolerations in the config, headroom tolerates the NodePool's own taints.
  for (const taint of tolerations ? taints : []) {
    const { key, value, effect } = taint;
    if (repellingTaint(tolerations ?? [], [taint]))
      yield error(
        `NodePool ${name}`,
        'has a taint that its headroom does not tolerate, so it never gets a node',
        `taint ${key}${value === undefined ? '' : `=${value}`}:${effect}`,
        `add {key: ${key}, operator: Exists} to the tolerations of ${name} in the config, or remove them`,
      );
  }
}

function* restless(current: NodePoolFacts, pool: HeadroomConfig): Findings {
  const { name, consolidationPolicy, consolidateAfter } = current;
  const after = parseDuration(consolidateAfter);
  // Consolidation leaves a floor its number and size of nodes, however often it runs.
  const held = pool.unit.kind !== 'floor' && (pool.base > 0 || pool.windows.length > 0);
  if (consolidationPolicy === 'WhenEmpty' || after === undefined || after >= MIN_CONSOLIDATE_AFTER_SECONDS || !held)
    return;
  yield warning(
    `NodePool ${name}`,
    'lets Karpenter consolidate nodes immediately, including those with headroom',
    `disruption.consolidationPolicy ${consolidationPolicy}, consolidateAfter ${consolidateAfter}`,
    isBuiltIn(current)
      ? UNCHANGEABLE
      : `set consolidateAfter to 5m or more (at least ${formatDuration(MIN_CONSOLIDATE_AFTER_SECONDS)}), or add a budget of "0" for Underutilized during the windows`,
  );
}
