import { MAX_STARTS } from '../basics/record-limits';
import type { Config, NodePoolConfig } from '../config/config';
import type { HeadstartEvent } from '../events/event';
import { canLand, type NodeClaimShape, type PodPlacement } from '../karpenter/can-land';
import type { Cluster, NodeClaim, NodeClaimFacts, NodeStart } from '../ports/ports';

/** What is kept of one list of the NodeClaims. */
export interface NodeClaims {
  /** Those that the events name, by instance id. */
  readonly named: ReadonlyMap<string, NodeClaimFacts>;
  /** On how many of them a pod could land. */
  countFor(pod: PodPlacement): number;
  /** The newest starts of a NodePool and its twins, and all nodes that are still starting. */
  startsOf(pool: NodePoolConfig): readonly NodeStart[];
}

/** Reads the NodeClaims on the first call; later calls get the same result. */
export function nodeClaimsOnce(
  config: Config,
  cluster: Cluster,
  events: readonly { readonly event: HeadstartEvent }[] = [],
): () => Promise<NodeClaims> {
  const ids = new Set(events.flatMap(({ event }) => (event.kind === 'interruption' ? event.instanceIds : [])));
  let look: Promise<NodeClaims> | undefined;
  return () => {
    look ??= readNodeClaims(config, cluster, ids);
    return look;
  };
}

/** Keeps only what is needed, so that memory grows with the kinds of nodes and the starting ones, not with the cluster. */
async function readNodeClaims(config: Config, cluster: Cluster, ids: ReadonlySet<string>): Promise<NodeClaims> {
  const named = new Map<string, NodeClaimFacts>();
  const kinds = new Map<string, { readonly shape: NodeClaimShape; count: number }>();
  const windowed = windowedPools(config);
  const starts = new Map(windowed.map((name) => [name, [] as NodeStart[]]));
  const hasFloor = config.nodePools.some(({ unit }) => unit.kind === 'floor');
  const begin = () => {
    named.clear();
    kinds.clear();
    for (const known of starts.values()) known.length = 0;
    return ({ facts, shape, start }: NodeClaim) => {
      if (facts && ids.has(facts.instanceId)) named.set(facts.instanceId, facts);
      if (shape && hasFloor) addKind(shape);
      const known = start && starts.get(start.nodePool);
      if (known) addStart(known, start);
    };
  };
  // An interruption may hit any node, and a floor pod may run on the nodes of any NodePool.
  await cluster.readNodeClaims(begin, hasFloor || ids.size > 0 ? undefined : windowed);
  return {
    named,
    countFor: (pod) =>
      [...kinds.values()].reduce((sum, { shape, count }) => sum + (canLand(pod, shape) ? count : 0), 0),
    startsOf: ({ name, twins = [] }) => [name, ...twins].flatMap((one) => starts.get(one) ?? []),
  };

  function addKind(shape: NodeClaimShape): void {
    const key = JSON.stringify(shape);
    const kind = kinds.get(key);
    if (kind) kind.count += 1;
    else kinds.set(key, { shape, count: 1 });
  }
}

/** NodePools whose node starts matter for lead times and verdicts, with their twins. */
function windowedPools({ cluster, nodePools }: Config): string[] {
  const windowed = nodePools.filter(({ windows, events }) => cluster.liveSchedules || events || windows.length > 0);
  return windowed.flatMap(({ name, twins = [] }) => [name, ...twins]);
}

/** The record holds only the newest ready nodes, so the others are dropped now and then. */
function addStart(known: NodeStart[], start: NodeStart): void {
  known.push(start);
  if (known.length % (2 * MAX_STARTS) !== 0) return;
  const isReady = ({ initializedAt }: NodeStart) => initializedAt !== undefined;
  const newest = known.filter(isReady).sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
  known.splice(0, known.length, ...known.filter((one) => !isReady(one)), ...newest.slice(0, MAX_STARTS));
}
