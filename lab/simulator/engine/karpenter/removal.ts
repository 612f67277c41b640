import { repellingTaint } from '../../../../shared/core/karpenter/repelling-taint';
import { deleteObject } from '../../kube/api/delete-object';
import { NODE_CLAIMS, NODE_POOLS, NODES, PODS } from '../../kube/kinds';
import type { KubeObject } from '../../kube/object-types';
import type { EngineContext } from '../state/engine-context';
import type { LeavingReason } from '../state/facts';
import type { PodRecord } from '../state/records';
import type { Fleet } from './fleet';
import { DISRUPTED, type Machine } from './node-objects';

/** Removes nodes gracefully: cordons them, evicts their pods, then ends the instance. */
export class Removal {
  constructor(
    private readonly context: EngineContext,
    private readonly fleet: Fleet,
  ) {
    const { state, store, clock, timings } = context;
    const soon = (run: () => void) => clock.after(timings.controller, run);
    state.listen({
      podRemoved: ({ node }) => {
        const machine = node && fleet.byNode.get(node.name);
        if (machine?.leaving) soon(() => this.endIfDrained(machine));
      },
    });
    // Manual deletions of a NodeClaim, a Node or a whole NodePool.
    const beginIfDeleted = ({ metadata }: KubeObject, machine: Machine | undefined) => {
      if (machine && !machine.leaving && metadata.deletionTimestamp) soon(() => this.begin(machine, 'deleted'));
    };
    store.subscribe(NODE_CLAIMS, ({ object }) => beginIfDeleted(object, fleet.machines.get(object.metadata.name)));
    store.subscribe(NODES, ({ object }) => beginIfDeleted(object, fleet.byNode.get(object.metadata.name)));
    store.subscribe(NODE_POOLS, ({ type, object }) => {
      if (type !== 'DELETED') return;
      for (const machine of fleet.of(object.metadata.name)) soon(() => this.begin(machine, 'deleted'));
    });
  }

  begin(machine: Machine, why: LeavingReason): void {
    if (machine.leaving || this.fleet.machines.get(machine.ref.nodeClaim) !== machine) return;
    const { store, emit } = this.context;
    machine.leaving = why;
    emit({ kind: 'nodeLeaving', node: machine.ref, why });
    const claim = store.get(NODE_CLAIMS, undefined, machine.ref.nodeClaim);
    if (claim) deleteObject(store, NODE_CLAIMS, claim, {});
    this.cordon(machine);
    for (const pod of this.podsToEvict(machine)) this.evict(pod, machine, why);
    this.endIfDrained(machine);
  }

  /** Ends the instance immediately, with everything that runs on it. */
  cutOff(machine: Machine): void {
    const { store, state } = this.context;
    if (this.fleet.machines.get(machine.ref.nodeClaim) !== machine) return;
    for (const { ref } of [...(state.nodes.get(machine.ref.node)?.pods ?? [])]) {
      store.remove(PODS, ref.namespace, ref.name);
    }
    this.fleet.end(machine);
  }

  private cordon({ ref }: Machine): void {
    const { store } = this.context;
    const node = store.get(NODES, undefined, ref.node);
    if (!node) return;
    const taints = [...(node.spec?.taints ?? []).filter(({ key }) => key !== DISRUPTED.key), DISRUPTED];
    store.write(NODES, { ...node, spec: { ...node.spec, taints } });
  }

  /** Pods that tolerate the disruption taint are not evicted. */
  private podsToEvict({ ref }: Machine): readonly PodRecord[] {
    const pods = [...(this.context.state.nodes.get(ref.node)?.pods ?? [])];
    return pods.filter(({ shape }) => repellingTaint(shape.tolerations, [DISRUPTED]) !== undefined);
  }

  private evict(pod: PodRecord, { ref }: Machine, why: LeavingReason): void {
    if (pod.deleting) return;
    this.context.emit({ kind: 'podEvicted', pod: pod.ref, node: ref.node, why });
    deleteObject(this.context.store, PODS, pod.object, {});
  }

  private endIfDrained(machine: Machine): void {
    if (this.podsToEvict(machine).length > 0) return;
    const { clock, timings } = this.context;
    // If nothing was launched yet, there is no instance to stop.
    clock.after(machine.phase === 'Ordered' ? 0 : timings.instanceStop, () => this.cutOff(machine));
  }
}
