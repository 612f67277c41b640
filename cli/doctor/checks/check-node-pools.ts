import { formatDuration, parseDuration } from '../../../shared/core/basics/duration';
import { KARPENTER_NODEPOOL_LABEL } from '../../../shared/core/basics/names';
import { type HeadroomConfig, headroomsOn } from '../../../shared/core/config/config';
import { parseQuantity } from '../../../shared/core/config/schema/quantity';
import { AUTO_MODE_GROUP, BUILT_IN_NODE_POOLS, isAutoMode } from '../../../shared/core/karpenter/auto-mode';
import { repellingTaint } from '../../../shared/core/karpenter/repelling-taint';
import { quantityText } from '../../terminal/quantity-text';
import type { NodePoolFacts } from '../facts/loose-objects';
import type { KubeFacts } from '../facts/read-cluster-facts';
import { type Context, error, type Findings, warning } from './finding';

/** Karpenter looks every 10 s and validates for 15 s: below this it moves pause pods that are still starting. */
const MIN_CONSOLIDATE_AFTER_SECONDS = 60;

/** Each NodePool with headroom must be ready, large enough for the peak, tolerated, and not consolidated too early. */
export function* checkNodePools(facts: KubeFacts, { config, commands }: Context): Findings {
  if (!facts.nodePools.ok) return;
  const known = facts.nodePools.value;
  for (const nodePool of new Set(config.headrooms.map((one) => one.nodePool))) {
    const headrooms = headroomsOn(nodePool, config);
    yield* missing(headrooms, known);
    const current = known.find(({ name }) => name === nodePool);
    if (!current) continue;
    yield* notReady(current, commands.kubectl('describe', 'nodepool', current.name));
    yield* tooSmall(current, headrooms, facts);
    for (const pool of headrooms) yield* notTolerated(current, pool);
    yield* restless(current, headrooms);
  }
}

function* missing(headrooms: readonly HeadroomConfig[], known: readonly NodePoolFacts[]): Findings {
  const selected = [...new Set(headrooms.flatMap(selectedPools))];
  for (const name of selected.filter((one) => !known.some((other) => other.name === one)))
    yield error(
      `NodePool ${name}`,
      `does not exist, so the headroom of ${headrooms.map((one) => one.name).join(', ')} never gets a node from it`,
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

/** The NodePool of a headroom, and the spot twin if its labels may be those of both. */
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
export function plannedPeak(
  { name, base, windows, max }: HeadroomConfig,
  { capacity }: Pick<KubeFacts, 'capacity'>,
): number {
  const sizes = (relative: boolean) =>
    windows.filter((window) => (window.relative ?? false) === relative).map(({ replicas }) => replicas);
  const nodes = capacity.find(({ headroom }) => headroom === name)?.nodes.length ?? 0;
  return Math.max(Math.min(max, Math.max(base, ...sizes(false))), ...sizes(true).map((added) => nodes + added));
}

function eachNeeds({ unit, minNode }: HeadroomConfig, resource: string): { amount?: number; text: string } {
  if (resource === 'nodes') return { ...(unit.kind !== 'slice' && { amount: 1 }), text: 'one node' };
  const least = {
    cpu: minNode?.cpu,
    memory: minNode?.memoryMiB && minNode.memoryMiB * 2 ** 20,
    'nvidia.com/gpu': minNode?.gpus,
  };
  const amount =
    unit.kind === 'floor' ? least[resource as keyof typeof least] : parseQuantity(unit.requests[resource] ?? '');
  if (amount === undefined) return { text: resource };
  return { amount, text: `${unit.requests[resource] ?? quantityText(resource, amount)} ${resource}` };
}

function* tooSmall(
  { name, limits, used }: NodePoolFacts,
  headrooms: readonly HeadroomConfig[],
  facts: KubeFacts,
): Findings {
  for (const [resource, limit] of Object.entries(limits)) {
    const most = parseQuantity(limit) ?? Number.POSITIVE_INFINITY;
    const is = `limits.${resource} is ${limit} (used ${used[resource] ?? '0'})`;
    const fix = `raise spec.limits.${resource}, with room for real pods, or plan less headroom`;
    const needs = headrooms.map((pool) => {
      const [peak, { amount = 0, text }] = [plannedPeak(pool, facts), eachNeeds(pool, resource)];
      return { peak, needed: peak * amount, text: `${peak} × ${text}` };
    });
    const alone = needs.filter(({ needed }) => needed > most);
    for (const { peak, text } of alone)
      yield error(
        `NodePool ${name}`,
        `has a limit below its planned peak of ${peak}`,
        `${is}, and ${text} is more`,
        fix,
      );
    const others = needs.filter(({ needed }) => needed > 0);
    const sum = others.reduce((total, { needed }) => total + needed, 0);
    // At most that much: slices land on what a floor leaves free, and peaks may come at different times.
    if (alone.length === 0 && sum > most)
      yield warning(
        `NodePool ${name}`,
        'has a limit below the peaks of its headrooms together',
        `${is}, and ${others.map(({ text }) => text).join(' + ')} may be more`,
        fix,
      );
  }
}

function* notTolerated({ name, taints }: NodePoolFacts, { name: headroom, tolerations }: HeadroomConfig): Findings {
  // Without tolerations in the config, headroom tolerates the NodePool's own taints.
  for (const taint of tolerations ? taints : []) {
    const { key, value, effect } = taint;
    if (repellingTaint(tolerations ?? [], [taint]))
      yield error(
        `NodePool ${name}`,
        'has a taint that its headroom does not tolerate, so it never gets a node',
        `taint ${key}${value === undefined ? '' : `=${value}`}:${effect}`,
        `add {key: ${key}, operator: Exists} to the tolerations of ${headroom} in the config, or remove them`,
      );
  }
}

function* restless(current: NodePoolFacts, headrooms: readonly HeadroomConfig[]): Findings {
  const { name, consolidationPolicy, consolidateAfter } = current;
  const after = parseDuration(consolidateAfter);
  // Consolidation leaves a floor its number and size of nodes, however often it runs.
  const held = headrooms.some(({ unit, base, windows }) => unit.kind !== 'floor' && (base > 0 || windows.length > 0));
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
