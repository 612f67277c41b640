import { NODE_POOLS } from '../../kube/kinds';
import type { EngineContext } from '../state/engine-context';
import type { PodRecord } from '../state/records';
import { ExistingBin } from './bin';
import { BinPacking, type Proposal } from './bin-packing';
import type { Fleet } from './fleet';
import type { Pools } from './pools';

/** Watches pending pods and orders nodes for them, in batches. */
export class Provisioner {
  private batch: { readonly first: number; last: number } | undefined;
  private retrying = false;
  /** What was last said about a shape that could not be placed, so that it is not said every ten seconds. */
  private readonly said = new Map<unknown, string>();

  constructor(
    private readonly context: EngineContext,
    private readonly pools: Pools,
    private readonly fleet: Fleet,
    private readonly onOrder: (pool: string) => void,
  ) {
    const { state, store } = context;
    state.listen({
      podChanged: (pod) => {
        if (isProvisionable(pod)) this.collect();
      },
    });
    store.subscribe(NODE_POOLS, ({ object, previous }) => {
      if (object.spec !== previous?.spec && this.provisionable().length > 0) this.collect();
    });
  }

  /** A batch ends when nothing came for a second, or after ten. */
  private collect(): void {
    const { clock, timings } = this.context;
    const now = clock.now();
    if (this.batch) {
      this.batch.last = now;
      return;
    }
    this.batch = { first: now, last: now };
    clock.after(timings.batchIdle, () => this.closeBatch());
  }

  private closeBatch(): void {
    if (!this.batch) return;
    const { clock, timings } = this.context;
    const end = Math.min(this.batch.last + timings.batchIdle, this.batch.first + timings.batchMax);
    if (clock.now() < end) {
      clock.at(end, () => this.closeBatch());
      return;
    }
    this.batch = undefined;
    this.provision();
  }

  private provisionable(): readonly PodRecord[] {
    return [...this.context.state.pending].filter(isProvisionable);
  }

  private provision(): void {
    const pods = this.provisionable();
    if (pods.length === 0) return;
    const packing = new BinPacking(this.existing(), this.pools.all(), (pool) => this.fleet.usage(pool.name));
    const proposal = packing.place(pods);
    for (const node of proposal.nodes) {
      this.fleet.order(node);
      this.onOrder(node.pool.name);
    }
    this.report(proposal);
    this.retryLater();
  }

  /** Nodes that are there and stay, and nodes that have been ordered and have not joined yet. */
  private existing(): readonly ExistingBin[] {
    const { state } = this.context;
    const staying = [...state.nodes.values()].filter((node) => {
      const machine = this.fleet.byNode.get(node.name);
      return machine ? machine.leaving === undefined : node.ready;
    });
    const joined = staying.map((node) => new ExistingBin(node.labels, node.taints, node.allocatable, node));
    const coming = [...this.fleet.machines.values()].filter(
      ({ ref, leaving }) => !leaving && !state.nodes.has(ref.node),
    );
    const ordered = coming.map(({ labels, pool, offer }) => new ExistingBin(labels, pool.taints, offer.allocatable));
    return [...joined, ...ordered];
  }

  private report({ failures }: Proposal): void {
    const { events, tell } = this.context;
    for (const shape of this.said.keys()) if (!failures.has(shape as never)) this.said.delete(shape);
    for (const [shape, { why, pods }] of failures) {
      if (this.said.get(shape) === why) continue;
      this.said.set(shape, why);
      tell({ kind: 'provisioningFailed', pods: pods.length, why });
      const message = `Failed to schedule pod, ${why}`;
      for (const pod of pods.slice(0, 10)) {
        events.note(pod.object, { type: 'Warning', reason: 'FailedScheduling', message, component: 'karpenter' });
      }
    }
  }

  /** Pods that are still pending are looked at again: a limit may have been raised, a node may have gone. */
  private retryLater(): void {
    if (this.retrying) return;
    this.retrying = true;
    const { clock, timings } = this.context;
    clock.after(timings.provisionRetry, () => {
      this.retrying = false;
      if (this.provisionable().length > 0) this.collect();
    });
  }
}

/** Pods that the scheduler has given up on; one that made room for itself is not Karpenter's business. */
function isProvisionable(pod: PodRecord): boolean {
  return pod.unschedulable && !pod.deleting && pod.node === undefined && !pod.object.status.nominatedNodeName;
}
