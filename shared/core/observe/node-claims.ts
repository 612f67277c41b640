import { once } from '../basics/promises';
import { MAX_STARTS } from '../basics/record-limits';
import type { Config, HeadroomConfig } from '../config/config';
import type { HeadstartEvent } from '../events/event';
import { canLand, type NodeClaimShape, type PodPlacement } from '../karpenter/can-land';
import type { Cluster, NodeClaim, NodeClaimFacts, NodeClaimsRead, NodeStart } from '../ports/ports';

/** Each list is read on the first call; later calls get the same result. */
export interface NodeClaimLists {
  /** The NodeClaims that the events name, by instance id. */
  readonly named: () => Promise<ReadonlyMap<string, NodeClaimFacts>>;
  readonly all: () => Promise<NodeClaims>;
}

/** What is kept of one list of the NodeClaims. */
export interface NodeClaims {
  /** On how many of them a pod could land. */
  countFor(pod: PodPlacement): number;
  /** The newest starts of a NodePool and its twins, and all nodes that are still starting. */
  startsOf(pool: HeadroomConfig): readonly NodeStart[];
}

export function nodeClaimsOnce(
  config: Config,
  cluster: Cluster,
  events: readonly { readonly event: HeadstartEvent }[] = [],
): NodeClaimLists {
  const interruptions = events.flatMap(({ event }) => (event.kind === 'interruption' ? [event] : []));
  const ids = new Set(interruptions.flatMap(({ instanceIds }) => instanceIds));
  const read = (which: NodeClaimsRead) => once(() => readNodeClaims(config, cluster, ids, which));
  // A floor pod may run on the nodes of any NodePool, and only the whole NodeClaim tells whether Karpenter deletes it itself.
  const needsAll = hasFloor(config) || interruptions.some(({ cause }) => cause === 'stateChange');
  const all = read(needsAll ? {} : { nodePools: nodePoolsIn(config) });
  const instances = needsAll ? all : read({ instancesOnly: true });
  return { named: async () => (await instances()).named, all };
}

/** Keeps only what is needed, so that memory grows with the kinds of nodes and the starting ones, not with the cluster. */
async function readNodeClaims(
  config: Config,
  cluster: Cluster,
  ids: ReadonlySet<string>,
  which: NodeClaimsRead,
): Promise<NodeClaims & { readonly named: ReadonlyMap<string, NodeClaimFacts> }> {
  const named = new Map<string, NodeClaimFacts>();
  const kinds = new Map<string, { readonly shape: NodeClaimShape; count: number }>();
  const starts = new Map(nodePoolsIn(config).map((name) => [name, [] as NodeStart[]]));
  const counts = hasFloor(config);
  const begin = () => {
    named.clear();
    kinds.clear();
    for (const known of starts.values()) known.length = 0;
    return ({ facts, shape, start }: NodeClaim) => {
      if (facts && ids.has(facts.instanceId)) named.set(facts.instanceId, facts);
      if (shape && counts) addKind(shape);
      const known = start && starts.get(start.nodePool);
      if (known) addStart(known, start);
    };
  };
  await cluster.readNodeClaims(begin, which);
  return {
    named,
    countFor: (pod) =>
      [...kinds.values()].reduce((sum, { shape, count }) => sum + (canLand(pod, shape) ? count : 0), 0),
    startsOf: ({ nodePool, twins = [] }) => [nodePool, ...twins].flatMap((one) => starts.get(one) ?? []),
  };

  function addKind(shape: NodeClaimShape): void {
    const key = JSON.stringify(shape);
    const kind = kinds.get(key);
    if (kind) kind.count += 1;
    else kinds.set(key, { shape, count: 1 });
  }
}

function hasFloor({ headrooms }: Config): boolean {
  return headrooms.some(({ unit }) => unit.kind === 'floor');
}

/** The NodePools of all headrooms, with their twins. */
function nodePoolsIn({ headrooms }: Config): string[] {
  return [...new Set(headrooms.flatMap(({ nodePool, twins = [] }) => [nodePool, ...twins]))];
}

/** The record holds only the newest ready nodes, so the others are dropped now and then. */
function addStart(known: NodeStart[], start: NodeStart): void {
  known.push(start);
  if (known.length % (2 * MAX_STARTS) !== 0) return;
  const isReady = ({ initializedAt }: NodeStart) => initializedAt !== undefined;
  const newest = known.filter(isReady).sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
  known.splice(0, known.length, ...known.filter((one) => !isReady(one)), ...newest.slice(0, MAX_STARTS));
}
