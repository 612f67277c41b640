import { NODE_CLAIMS, NODE_POOLS, NODES } from '../../kube/kinds';
import type { NodeClaim } from '../../kube/object-types';
import type { EngineContext } from '../state/engine-context';
import type { NodeRef } from '../state/facts';
import { type Amounts, addAmounts, writeAmounts } from '../state/resource-amounts';
import type { NewNode } from './choose-node-type';
import { type NodeDelay, nodeDelay } from './node-delay';
import {
  claimStatus,
  type Machine,
  newNode,
  newNodeClaim,
  nodeReady,
  type Phase,
  withoutStartTaints,
} from './node-objects';
import type { Offer } from './offers';
import type { Pool } from './pools';

/** The share of a node's delay after which it registers, and the longest time until its instance runs. */
const REGISTERED_AT = 0.55;
const LAUNCH_MS = 2_500;

export class Fleet {
  readonly machines = new Map<string, Machine>();
  readonly byNode = new Map<string, Machine>();
  private readonly orders = new Map<string, number>();
  /** Called when a node reaches its pool's expireAfter. */
  onExpired: (machine: Machine) => void = () => undefined;

  constructor(
    private readonly context: EngineContext,
    private readonly delay: NodeDelay,
  ) {}

  order(node: NewNode): void {
    const { store, clock, seed, emit } = this.context;
    const { pool } = node;
    const machines = this.of(pool.name);
    const chosen = node.choose((zone) => machines.filter(({ ref }) => ref.zone === zone).length);
    if (!chosen) return;
    const { offer, labels } = chosen;
    const ref = this.newRef(pool, offer);
    const count = (this.orders.get(pool.name) ?? 0) + 1;
    this.orders.set(pool.name, count);
    const machine: Machine = { ref, pool, offer, labels, orderedAt: clock.now(), phase: 'Ordered' };
    this.machines.set(ref.nodeClaim, machine);
    this.byNode.set(ref.node, machine);
    store.insert(NODE_CLAIMS, newNodeClaim(ref, pool, node.requests));
    emit({ kind: 'nodeOrdered', node: ref, pods: node.pods });
    const total = nodeDelay(this.delay, seed, `${pool.name} ${count}`);
    clock.after(Math.min(LAUNCH_MS, total * 0.1), () => this.launch(machine));
    clock.after(total * REGISTERED_AT, () => this.register(machine));
    clock.after(total, () => this.makeReady(machine));
    this.countPool(pool.name);
  }

  private newRef(pool: Pool, offer: Offer): NodeRef {
    const { names } = this.context;
    const region = offer.labels['topology.kubernetes.io/region'] ?? '';
    return {
      nodeClaim: `${pool.name}-${names.suffix()}`,
      nodePool: pool.name,
      instanceId: names.instanceId(),
      node: `ip-${names.nodeAddress().replaceAll('.', '-')}.${region}.compute.internal`,
      instanceType: offer.type.name,
      zone: offer.zone,
      capacityType: offer.capacityType,
      pricePerHour: offer.price,
    };
  }

  of(poolName: string): readonly Machine[] {
    return [...this.machines.values()].filter(({ ref }) => ref.nodePool === poolName);
  }

  /** The total resources of a pool's nodes, including those on their way. */
  usage(poolName: string): Amounts {
    const total = new Map<string, number>();
    for (const { offer } of this.of(poolName)) addAmounts(total, new Map([...offer.capacity, ['nodes', 1]]), 1);
    return total;
  }

  /** Removes a node whose instance has ended. */
  end(machine: Machine): void {
    const { store, emit } = this.context;
    const { ref, leaving = 'deleted' } = machine;
    if (!this.machines.delete(ref.nodeClaim)) return;
    this.byNode.delete(ref.node);
    store.remove(NODES, undefined, ref.node);
    store.remove(NODE_CLAIMS, undefined, ref.nodeClaim);
    emit({ kind: 'nodeGone', node: ref, why: leaving });
    this.countPool(ref.nodePool);
  }

  private launch(machine: Machine): void {
    if (!this.advance(machine, 'Launched')) return;
    this.context.emit({ kind: 'nodeLaunched', node: machine.ref });
  }

  private register(machine: Machine): void {
    if (!this.advance(machine, 'Registered')) return;
    const { store } = this.context;
    store.insert(NODES, newNode(machine, store.timestamp()));
  }

  private makeReady(machine: Machine): void {
    if (!this.advance(machine, 'Initialized')) return;
    const { store, clock, emit } = this.context;
    const node = store.get(NODES, undefined, machine.ref.node);
    if (!node) return;
    machine.readyAt = clock.now();
    store.write(NODES, {
      ...node,
      metadata: { ...node.metadata, labels: { ...node.metadata.labels, 'karpenter.sh/initialized': 'true' } },
      spec: { ...node.spec, taints: withoutStartTaints(node.spec?.taints ?? []) },
      status: { ...node.status, conditions: [nodeReady('True', store.timestamp())] },
    });
    const { expireAfter } = machine.pool;
    if (Number.isFinite(expireAfter)) clock.at(machine.orderedAt + expireAfter, () => this.onExpired(machine));
    emit({ kind: 'nodeReady', node: machine.ref, tookMs: clock.now() - machine.orderedAt });
  }

  /** Writes the next phase to the NodeClaim, unless it is being removed. */
  private advance(machine: Machine, reached: Phase): boolean {
    const { store } = this.context;
    const claim = store.get(NODE_CLAIMS, undefined, machine.ref.nodeClaim);
    if (!claim || machine.leaving || this.machines.get(machine.ref.nodeClaim) !== machine) return false;
    machine.phase = reached;
    const status = claimStatus(machine, reached, store.timestamp(), claim.status);
    const metadata = { ...claim.metadata, labels: { ...claim.metadata.labels, ...machine.labels } };
    store.write(NODE_CLAIMS, { ...claim, metadata, status } as NodeClaim);
    return true;
  }

  private countPool(name: string): void {
    const { store } = this.context;
    const pool = store.get(NODE_POOLS, undefined, name);
    if (!pool) return;
    const usage = new Map(this.usage(name));
    const nodes = usage.get('nodes') ?? 0;
    usage.delete('nodes');
    store.write(NODE_POOLS, { ...pool, status: { ...pool.status, nodes, resources: writeAmounts(usage) } });
  }
}
