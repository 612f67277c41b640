import { NODES, PODS } from '../kube/kinds';
import type { Condition, Pod } from '../kube/object-types';
import type { EngineContext } from './state/engine-context';
import type { NodeRecord, PodRecord } from './state/records';

export class Kubelet {
  private readonly stopping = new Set<string>();

  constructor(private readonly context: EngineContext) {
    const { state, clock, timings } = context;
    state.listen({
      podBound: (pod, node) => clock.after(timings.podStart, () => this.run(pod, node)),
      podTurned: (pod) => this.stopIfDeleted(pod),
      podRemoved: (pod) => this.stopping.delete(pod.ref.uid),
      // The pods of a deleted node are deleted shortly after it.
      nodeRemoved: (node) => clock.after(timings.controller, () => this.clear(node)),
    });
  }

  private run(pod: PodRecord, node: NodeRecord): void {
    const { store, state, clock, names, emit } = this.context;
    if (pod.deleting || !state.pods.has(pod.ref.uid) || pod.node !== node) return;
    const now = store.timestamp();
    const { object } = pod;
    store.write(PODS, {
      ...object,
      status: {
        ...object.status,
        phase: 'Running',
        startTime: now,
        podIP: names.podAddress(),
        conditions: runningConditions(object, now),
        containerStatuses: object.spec.containers.map(({ name, image = '' }) => ({
          name,
          image,
          imageID: image,
          ready: true,
          started: true,
          restartCount: 0,
          state: { running: { startedAt: now } },
        })),
      },
    });
    emit({ kind: 'podRunning', pod: pod.ref, node: node.name, waitedMs: clock.now() - pod.createdAt });
  }

  private stopIfDeleted(pod: PodRecord): void {
    const { uid, namespace, name } = pod.ref;
    if (!pod.deleting || this.stopping.has(uid)) return;
    this.stopping.add(uid);
    const { store, state, clock, timings } = this.context;
    const grace = (pod.object.metadata.deletionGracePeriodSeconds ?? 0) * 1000;
    clock.after(Math.min(grace, timings.podStop), () => {
      if (state.pods.has(uid)) store.remove(PODS, namespace, name);
    });
  }

  private clear(node: NodeRecord): void {
    const { store } = this.context;
    if (store.get(NODES, undefined, node.name)) return;
    for (const { ref } of [...node.pods]) store.remove(PODS, ref.namespace, ref.name);
  }
}

function runningConditions({ status }: Pod, now: string): readonly Condition[] {
  const types = ['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady'];
  const own = types.map((type): Condition => ({ type, status: 'True', lastTransitionTime: now }));
  return [...own, ...(status.conditions ?? []).filter(({ type }) => !types.includes(type))];
}
