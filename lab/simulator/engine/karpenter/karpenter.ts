import { NODE_POOLS } from '../../kube/kinds';
import type { EngineContext } from '../state/engine-context';
import type { NodeRef, SpotNotice } from '../state/facts';
import { Disruption } from './disruption';
import { Fleet } from './fleet';
import type { NodeDelay } from './node-delay';
import type { Offer } from './offers';
import { Pools } from './pools';
import { Provisioner } from './provisioner';
import { Removal } from './removal';

export class Karpenter {
  private readonly fleet: Fleet;
  private readonly removal: Removal;

  constructor(
    private readonly context: EngineContext,
    offers: readonly Offer[],
    nodeDelay: NodeDelay,
  ) {
    const pools = new Pools(context.store, offers);
    this.fleet = new Fleet(context, nodeDelay);
    this.removal = new Removal(context, this.fleet);
    this.fleet.onExpired = (machine) => this.removal.begin(machine, 'expired');
    const disruption = new Disruption(context, pools, this.fleet, this.removal);
    new Provisioner(context, pools, this.fleet, (pool) => disruption.ordered(pool));
    this.readyPools();
  }

  /** Sends an interruption notice for a spot instance, two minutes ahead as EC2 does; Karpenter drains it immediately. */
  takeSpotNode(node: string): SpotNotice {
    const machine = this.fleet.byNode.get(node);
    if (!machine) throw new Error(`Karpenter has no node ${JSON.stringify(node)}`);
    const { ref } = machine;
    if (ref.capacityType !== 'spot') throw new Error(`node ${ref.node} is not a spot node, it is ${ref.capacityType}`);
    const { clock, timings, emit } = this.context;
    const notice = { node: ref, endsAt: clock.now() + timings.interruptionNotice };
    if (machine.noticed) return notice;
    machine.noticed = true;
    emit({ kind: 'spotNotice', ...notice });
    clock.after(timings.interruptionReaction, () => this.removal.begin(machine, 'interrupted'));
    clock.at(notice.endsAt, () => this.removal.cutOff(machine));
    return notice;
  }

  /** All nodes, including those that are ordered or leaving. */
  nodes(): readonly NodeRef[] {
    return [...this.fleet.machines.values()].map(({ ref }) => ref);
  }

  /** Marks new NodePools as ready: node classes are not simulated. */
  private readyPools(): void {
    const { store, clock, timings } = this.context;
    store.subscribe(NODE_POOLS, ({ type, object }) => {
      if (type !== 'ADDED') return;
      clock.after(timings.controller, () => {
        const pool = store.get(NODE_POOLS, undefined, object.metadata.name);
        if (!pool || pool.status?.conditions) return;
        const met = { status: 'True' as const, message: '', lastTransitionTime: store.timestamp() };
        const types = ['ValidationSucceeded', 'NodeClassReady', 'Ready'];
        const conditions = types.map((reason) => ({ type: reason, reason, ...met }));
        store.write(NODE_POOLS, { ...pool, status: { nodes: 0, ...pool.status, conditions } });
      });
    });
  }
}
