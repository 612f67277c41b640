import type { Random } from '../../../lab/simulator/deterministic/seeded-random';
import { DEPLOYMENTS } from '../../../lab/simulator/kube/kinds';
import { headroomName, KARPENTER_NODEPOOL_LABEL } from '../../../shared/core/basics/names';
import { NAMESPACE, ODD_NODES, type OddNode, type World } from '../environment/world';
import type { NodeCounts } from '../invariants/node-counts';

const FLOOR = 'step';
/** The NodePools that it is on, deploy by deploy. */
const FLOOR_POOLS = ['step', 'spare'];
/** The NodePool's limit, which holds whatever size an operator sets. */
const MAX_NODES = 10;
const SIZES = [2, 4, 8];

export interface FloorNodesOptions {
  readonly world: World;
  readonly nodeCounts: NodeCounts;
  readonly random: Random;
}

/**
 * Karpenter, as far as floors need it: launches nodes until the floor has its size. A second count would
 * therefore include the nodes that the first one led to.
 */
export function startFloorNodes({ world, nodeCounts, random }: FloorNodesOptions): void {
  const launch = () => {
    const current = world.store.get(DEPLOYMENTS, NAMESPACE, headroomName(FLOOR));
    const nodePool = current?.spec.template.spec.nodeSelector?.[KARPENTER_NODEPOOL_LABEL] ?? FLOOR;
    const missing = Math.min(current?.spec.replicas ?? 0, MAX_NODES) - nodeCounts.now(nodePool);
    for (let launched = 0; launched < missing; launched += 1) {
      const claim = world.requestNode(nodePool);
      world.clock.after(1 + Math.floor(random() * 5_000), () => world.launch(claim, pick([4, 8])));
    }
  };
  const pick = (sizes: readonly number[]) => sizes[Math.floor(random() * sizes.length)] ?? 4;
  for (let count = Math.floor(random() * 4); count > 0; count -= 1)
    world.addNodeClaim(FLOOR_POOLS[count % 2] ?? FLOOR, pick(SIZES), random() < 0.5 ? {} : odd(random));
  world.store.subscribe(DEPLOYMENTS, ({ type, object }) => {
    if (type !== 'DELETED' && object.metadata.name === headroomName(FLOOR))
      world.clock.after(1 + Math.floor(random() * 3_000), launch);
  });
}

/** Adds or removes a node of the floor for reasons unrelated to Headstart. */
export function changeFloorNodes({ world, random }: Pick<FloorNodesOptions, 'world' | 'random'>): void {
  const floor = random() < 0.7 ? FLOOR : 'spare';
  const [claim] = world.nodeClaims.filter(({ nodePool }) => nodePool === floor);
  if (!claim || random() < 0.5) {
    world.addNodeClaim(floor, SIZES[Math.floor(random() * SIZES.length)], random() < 0.5 ? {} : odd(random));
    return;
  }
  world.drain(claim);
  world.clock.after(Math.floor(random() * 60_000), () => world.removeNodeClaim(claim));
}

function odd(random: Random): OddNode {
  return ODD_NODES[Math.floor(random() * ODD_NODES.length)] ?? {};
}
