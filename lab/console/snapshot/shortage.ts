import { HEADROOM_LABEL, headroomName, KARPENTER_NODEPOOL_LABEL } from '../../../shared/core/basics/names';
import type { Config } from '../../../shared/core/config/config';
import { capacityFacts } from '../../../shared/core/karpenter/capacity-facts';
import { causeText, whyMissing } from '../../../shared/core/karpenter/why-missing';
import { count } from '../../../shared/drawing/amounts';
import type { Deployment, KubeEvent, NodeClaim, NodePool, Pod } from '../../simulator/kube/object-types';
import type { PoolView } from './snapshot';

/** A shortage becomes trouble after this time: sooner if it has a known cause, else after the time that a node takes. */
const EXPLAINED_MS = 60_000;
const LATE_MS = 3 * 60_000;

export interface CapacityContent {
  readonly headrooms: readonly Deployment[];
  readonly nodeClaims: readonly NodeClaim[];
  readonly pods: readonly Pod[];
  /** Absent where they could not be read. */
  readonly nodePools?: readonly NodePool[] | undefined;
  /** Only read if something is missing. */
  readonly events: () => readonly KubeEvent[];
}

/** Adds to a NodePool why less is ready than wanted, and since when. */
export function withWhy(view: PoolView, config: Config, content: CapacityContent, now: number): PoolView {
  const held =
    view.unreadable === undefined
      ? []
      : [`part of the record cannot be read, so that the size is held: ${view.unreadable}`];
  const { nodePools } = content;
  const noPool = nodePools !== undefined && !nodePools.some(({ metadata }) => metadata.name === view.nodePool);
  const missing = view.wanted - view.ready;
  if (missing <= 0 && !noPool) return held.length === 0 ? view : { ...view, why: held, trouble: true };
  const pending = pausePods(view.name, content).filter(({ spec }) => !spec.nodeName);
  const created = pending.map(({ metadata }) => Date.parse(metadata.creationTimestamp));
  const since = view.shortSince === undefined ? undefined : Math.min(view.shortSince, ...created);
  const causes = causesOf(view, config, content, now);
  const late = now - (since ?? now) >= (causes.length > 0 ? EXPLAINED_MS : LATE_MS);
  const why = [...held, ...causes, ...(missing > 0 ? [onTheWay(view, config, content, now)] : [])];
  return {
    ...view,
    ...(since !== undefined && { shortSince: since }),
    why,
    ...((noPool || late || held.length > 0) && { trouble: true }),
  };
}

function causesOf(view: PoolView, config: Config, content: CapacityContent, now: number): readonly string[] {
  const { nodePools } = content;
  const deployment = content.headrooms.find(({ metadata }) => metadata.name === headroomName(view.name));
  const facts = capacityFacts({
    headroom: view.name,
    nodePool: view.nodePool,
    pods: pausePods(view.name, content),
    nodes: [],
    claims: claimsOf(view.name, config, content),
    pool: nodePools
      ? { ok: true, value: nodePools.find(({ metadata }) => metadata.name === view.nodePool) }
      : { ok: false },
    conditions: deployment?.status?.conditions ?? [],
    events: content.events(),
  });
  const pool = config.headrooms.find(({ name }) => name === view.name);
  const causes = whyMissing(facts, pool, now);
  const limited = pool?.unit.kind === 'node' && causes.some(({ kind }) => kind === 'limitReached');
  const packed = 'a node per pause pod uses more of the limit than packed work does, so that less is left for work';
  return causes.map(causeText).toSpliced(1, 0, ...(limited ? [packed] : []));
}

function onTheWay(view: PoolView, config: Config, content: CapacityContent, now: number): string {
  const launching = claimsOf(view.name, config, content).filter(isLaunching);
  const used = view.kind !== 'floor' && view.inUse > 0 ? `${view.inUse} in use by work` : '';
  const oldest = Math.min(...launching.map(({ metadata }) => Date.parse(metadata.creationTimestamp)));
  const nodes =
    launching.length === 0
      ? 'no node is launching'
      : `${count(launching.length, 'node')} launching, the first for ${Math.round((now - oldest) / 1_000)} s`;
  return [used, nodes].filter((text) => text !== '').join('; ');
}

function isLaunching({ metadata, status }: NodeClaim): boolean {
  const initialized = status?.conditions?.some(({ type, status: state }) => type === 'Initialized' && state === 'True');
  return metadata.deletionTimestamp === undefined && !initialized;
}

function pausePods(pool: string, { pods }: CapacityContent): readonly Pod[] {
  return pods.filter(({ metadata }) => metadata.labels?.[HEADROOM_LABEL] === pool);
}

function claimsOf(name: string, { headrooms }: Config, { nodeClaims }: CapacityContent): readonly NodeClaim[] {
  const { nodePool = name, twins = [] } = headrooms.find((pool) => pool.name === name) ?? {};
  const names = [nodePool, ...twins];
  return nodeClaims.filter(({ metadata }) => names.includes(metadata.labels?.[KARPENTER_NODEPOOL_LABEL] ?? ''));
}
