import { Waker } from '../../deterministic/virtual-clock';
import { deleteObject } from '../../kube/api/delete-object';
import { PODS } from '../../kube/kinds';
import type { Condition, PodStatus } from '../../kube/object-types';
import type { EngineContext } from '../state/engine-context';
import type { PodShape } from '../state/pod-shape';
import type { NodeRecord, PodRecord } from '../state/records';
import { Candidates, dynamicObstacle, freeShare, Skews, staticObstacle, WRONG_LABELS } from './placement';
import { cheapestEviction } from './preemption';

/** Binds pods to nodes, highest priority first, and preempts pods of lower priority if necessary. */
export class Scheduler {
  private readonly candidates: Candidates;
  private readonly waker: Waker;

  constructor(private readonly context: EngineContext) {
    const { state, clock, timings } = context;
    this.candidates = new Candidates(state);
    this.waker = new Waker(clock, () => this.schedulePending());
    const wake = () => this.waker.wake(timings.scheduler);
    const wakeIfWaiting = () => {
      if (state.pending.size > 0) wake();
    };
    state.listen({
      podAdded: wake,
      podRemoved: wakeIfWaiting,
      nodeAdded: wakeIfWaiting,
      nodeChanged: wakeIfWaiting,
      nodeRemoved: wakeIfWaiting,
    });
  }

  private schedulePending(): void {
    const waiting = [...this.context.state.pending].sort(byPriority);
    const hopeless = new Map<PodShape, string>();
    for (const pod of waiting) {
      const known = pod.nominated ? undefined : hopeless.get(pod.shape);
      const message = known ?? this.schedule(pod);
      if (message === undefined) continue;
      hopeless.set(pod.shape, message);
      this.markUnschedulable(pod, message);
    }
  }

  /** Binds the pod or preempts others for it; returns why if neither is possible. */
  private schedule(pod: PodRecord): string | undefined {
    const nodes = this.candidates.of(pod.shape);
    const skews = new Skews(pod.shape, nodes);
    const node = this.bestNode(pod, nodes, skews);
    if (node) {
      this.bind(pod, node);
      return undefined;
    }
    const message = this.explain(pod, skews);
    return this.makeRoom(pod, nodes, skews, message) ? undefined : message;
  }

  private bestNode(pod: PodRecord, nodes: readonly NodeRecord[], skews: Skews): NodeRecord | undefined {
    // Prefer the node where it preempted others.
    if (pod.nominated && nodes.includes(pod.nominated) && !dynamicObstacle(pod, pod.nominated, skews)) {
      return pod.nominated;
    }
    let best: NodeRecord | undefined;
    let most = Number.NEGATIVE_INFINITY;
    for (const node of nodes) {
      if (dynamicObstacle(pod, node, skews) !== undefined) continue;
      const free = freeShare(pod.shape, node);
      if (free > most) [best, most] = [node, free];
    }
    return best;
  }

  private bind(pod: PodRecord, node: NodeRecord): void {
    const { store, emit } = this.context;
    const { nominatedNodeName, ...status } = pod.object.status;
    const scheduled: Condition = { type: 'PodScheduled', status: 'True', lastTransitionTime: store.timestamp() };
    store.write(PODS, {
      ...pod.object,
      spec: { ...pod.object.spec, nodeName: node.name },
      status: withCondition(status, scheduled),
    });
    emit({ kind: 'podScheduled', pod: pod.ref, node: node.name });
  }

  private makeRoom(pod: PodRecord, nodes: readonly NodeRecord[], skews: Skews, message: string): boolean {
    if (!pod.shape.preempts) return false;
    // Do not preempt twice: the victims may still be terminating.
    if (pod.nominated && [...pod.nominated.pods].some((one) => one.deleting && one.ref.priority < pod.ref.priority)) {
      return true;
    }
    const eviction = cheapestEviction(pod, nodes, skews);
    if (!eviction) return false;
    this.markUnschedulable(pod, message, eviction.node.name);
    for (const victim of eviction.victims) this.evict(victim, eviction.node, pod);
    this.waker.wake(this.context.timings.scheduler);
    return true;
  }

  private evict(victim: PodRecord, node: NodeRecord, by: PodRecord): void {
    const { store, events, emit } = this.context;
    const { namespace, name } = by.ref;
    emit({ kind: 'podPreempted', pod: victim.ref, node: node.name, by: by.ref });
    events.note(victim.object, {
      type: 'Normal',
      reason: 'Preempted',
      message: `Preempted by pod ${namespace}/${name} on node ${node.name}`,
      component: 'default-scheduler',
    });
    deleteObject(store, PODS, victim.object, {});
  }

  private markUnschedulable(pod: PodRecord, message: string, nominatedNodeName?: string): void {
    const { store, events } = this.context;
    const nominated = nominatedNodeName ?? pod.nominated?.name;
    const first = !pod.unschedulable;
    const old = pod.object.status.conditions?.find(({ type }) => type === 'PodScheduled');
    if (old?.message === message && pod.object.status.nominatedNodeName === nominated) return;
    const lastTransitionTime = old?.lastTransitionTime ?? store.timestamp();
    const { nominatedNodeName: _, ...status } = pod.object.status;
    const condition: Condition = {
      type: 'PodScheduled',
      status: 'False',
      reason: 'Unschedulable',
      message,
      lastTransitionTime,
    };
    const next = {
      ...withCondition(status, condition),
      ...(nominated !== undefined && { nominatedNodeName: nominated }),
    };
    store.write(PODS, { ...pod.object, status: next });
    const component = 'default-scheduler';
    if (first) events.note(pod.object, { type: 'Warning', reason: 'FailedScheduling', message, component });
  }

  /** `0/3 nodes are available: 2 Insufficient cpu, 1 node(s) had untolerated taint(s) {…}.` */
  private explain(pod: PodRecord, skews: Skews): string {
    const { nodes, index } = this.context.state;
    const near = index.nodesOf(pod.shape.pools);
    // Nodes of other NodePools do not match the NodePool label.
    const elsewhere = nodes.size - near.length;
    const counts = new Map<string, number>(elsewhere > 0 ? [[WRONG_LABELS, elsewhere]] : []);
    for (const node of near) {
      const why = staticObstacle(pod.shape, node) ?? dynamicObstacle(pod, node, skews) ?? 'node(s) were taken';
      counts.set(why, (counts.get(why) ?? 0) + 1);
    }
    if (nodes.size === 0) return 'no nodes available to schedule pods';
    const reasons = [...counts].map(([why, count]) => `${count} ${why}`).sort();
    return `0/${nodes.size} nodes are available: ${reasons.join(', ')}.`;
  }
}

function byPriority(a: PodRecord, b: PodRecord): number {
  return b.ref.priority - a.ref.priority || a.createdAt - b.createdAt;
}

/** A status with one condition added or replaced. */
function withCondition(status: PodStatus, condition: Condition): PodStatus {
  const others = (status.conditions ?? []).filter(({ type }) => type !== condition.type);
  return { ...status, conditions: [...others, condition] };
}
