import { Waker } from '../../deterministic/virtual-clock';
import { NODE_POOLS } from '../../kube/kinds';
import type { EngineContext } from '../state/engine-context';
import type { PodRecord } from '../state/records';
import { ExistingBin } from './bin';
import { BinPacking, type Proposal } from './bin-packing';
import type { Fleet } from './fleet';
import type { Pools } from './pools';

export class Provisioner {
  private batch: { readonly first: number; last: number } | undefined;
  /** Retries pending pods: a limit may have been raised, or a node removed. */
  private readonly retry: Waker;
  /** The last reported failure by shape, so that it is not repeated every ten seconds. */
  private readonly reported = new Map<unknown, string>();

  constructor(
    private readonly context: EngineContext,
    private readonly pools: Pools,
    private readonly fleet: Fleet,
    private readonly onOrder: (pool: string) => void,
  ) {
    const { state, store, clock } = context;
    this.retry = new Waker(clock, () => this.collectIfPending());
    state.listen({
      podChanged: (pod) => {
        if (isProvisionable(pod)) this.collect();
      },
    });
    store.subscribe(NODE_POOLS, ({ object, previous }) => {
      if (object.spec !== previous?.spec) this.collectIfPending();
    });
  }

  private collectIfPending(): void {
    if (this.provisionable().length > 0) this.collect();
  }

  /** A batch ends after a second without new pods, or after ten seconds. */
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
    this.retry.wake(this.context.timings.provisionRetry);
  }

  /** Nodes that are not leaving, and ordered nodes that have not registered yet. */
  private existing(): readonly ExistingBin[] {
    const { state } = this.context;
    const staying = [...state.nodes.values()].filter((node) => {
      const machine = this.fleet.byNode.get(node.name);
      return machine ? machine.leaving === undefined : node.ready;
    });
    const joined = staying.map((node) => new ExistingBin(node));
    const coming = [...this.fleet.machines.values()].filter(
      ({ ref, leaving }) => !leaving && !state.nodes.has(ref.node),
    );
    const ordered = coming.map(
      ({ labels, pool: { taints }, offer: { allocatable } }) => new ExistingBin({ labels, taints, allocatable }),
    );
    return [...joined, ...ordered];
  }

  private report({ failures }: Proposal): void {
    const { events, emit } = this.context;
    for (const shape of this.reported.keys()) if (!failures.has(shape as never)) this.reported.delete(shape);
    for (const [shape, { why, pods }] of failures) {
      if (this.reported.get(shape) === why) continue;
      this.reported.set(shape, why);
      emit({ kind: 'provisioningFailed', pods: pods.length, why });
      const message = `Failed to schedule pod, ${why}`;
      for (const pod of pods.slice(0, 10)) {
        events.note(pod.object, { type: 'Warning', reason: 'FailedScheduling', message, component: 'karpenter' });
      }
    }
  }
}

/** Unschedulable pods, except those that are about to preempt others. */
function isProvisionable(pod: PodRecord): boolean {
  return pod.unschedulable && !pod.deleting && pod.node === undefined && !pod.object.status.nominatedNodeName;
}
