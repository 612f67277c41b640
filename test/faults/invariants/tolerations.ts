import { headroomName } from '../../../shared/core/basics/names';
import { DEPLOYMENTS, NODE_POOLS } from '../../../simulator/kube/kinds';
import type { Deployment, NodePool } from '../../../simulator/kube/objects';
import { Invocation } from '../environment/invocation';
import { NAMESPACE, type World } from '../environment/world';

/** Headroom tolerates its NodePool's taints, and keeps doing so after the NodePool is gone. */
export class Tolerations {
  /** The latest version of each NodePool, also of deleted ones. */
  private readonly nodePools = new Map<string, NodePool>();
  /** The uid of the NodePool that each headroom once fitted, by the headroom's uid. */
  private readonly fitted = new Map<string, string>();

  constructor(private readonly world: World) {
    world.store.subscribe(NODE_POOLS, ({ object }) => void this.nodePools.set(object.metadata.name, object));
    world.store.subscribe(DEPLOYMENTS, ({ object }) => {
      const nodePool = world.store.get(NODE_POOLS, undefined, object.metadata.name.replace(/^headroom-/, ''));
      if (world.writer instanceof Invocation && nodePool && fits(object, nodePool))
        this.fitted.set(object.metadata.uid, nodePool.metadata.uid);
    });
  }

  wrongWith(name: string): readonly string[] {
    const live = this.world.store.get(DEPLOYMENTS, NAMESPACE, headroomName(name));
    const nodePool = this.nodePools.get(name);
    if (!live || !nodePool || fits(live, nodePool)) return [];
    if (this.world.hasNodePool(name)) return ['does not tolerate the taints of its NodePool'];
    const once = this.fitted.get(live.metadata.uid) === nodePool.metadata.uid;
    return once ? ['no longer tolerates the taints of a NodePool that vanished'] : [];
  }
}

function fits({ spec }: Deployment, nodePool: NodePool): boolean {
  const taints = (nodePool.spec?.template?.spec?.taints ?? []).map(({ key }) => key);
  const tolerated = (spec.template.spec.tolerations ?? []).map(({ key }) => key);
  return taints.join() === tolerated.join();
}
