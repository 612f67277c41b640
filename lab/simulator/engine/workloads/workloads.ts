import { Waker } from '../../deterministic/virtual-clock';
import { DEPLOYMENTS, PRIORITY_CLASSES } from '../../kube/kinds';
import type { Change } from '../../kube/object-store';
import type { Deployment } from '../../kube/object-types';
import type { EngineContext } from '../state/engine-context';
import type { PodRecord } from '../state/records';
import type { Revision } from './revision';
import { Workload } from './workload';

/** The controllers of Deployments and ReplicaSets in one: every change of a pod syncs its Deployment. */
export class Workloads {
  private readonly byUid = new Map<string, Workload>();
  private readonly byReplicaSet = new Map<string, { readonly workload: Workload; readonly revision: Revision }>();
  private readonly dirty = new Set<Workload>();
  private readonly ended = new Set<Workload>();
  private readonly waker: Waker;

  constructor(private readonly context: EngineContext) {
    const { store, state, clock } = context;
    this.waker = new Waker(clock, () => this.syncDirty());
    store.subscribe(DEPLOYMENTS, (change) => this.onDeployment(change));
    // A Deployment whose PriorityClass was missing retries when one is created.
    store.subscribe(PRIORITY_CLASSES, () => {
      for (const workload of this.byUid.values()) this.touch(workload);
    });
    state.listen({
      podAdded: (pod) => this.onPod(pod, (revision) => revision.pods.add(pod)),
      podTurned: (pod) => this.onPod(pod),
      podRemoved: (pod) => this.onPod(pod, (revision) => revision.pods.delete(pod)),
    });
  }

  private onDeployment({ type, object, previous }: Change<Deployment>): void {
    const { uid } = object.metadata;
    const known = this.byUid.get(uid);
    if (type === 'DELETED') {
      if (!known) return;
      this.byUid.delete(uid);
      this.dirty.delete(known);
      this.ended.add(known);
      this.waker.wake(this.context.timings.controller);
      return;
    }
    const workload = known ?? this.newWorkload(object);
    workload.deployment = object;
    // A change of its status alone needs no sync.
    if (type === 'ADDED' || object.metadata.generation !== previous?.metadata.generation) this.touch(workload);
  }

  private newWorkload(deployment: Deployment): Workload {
    const workload = new Workload(this.context, deployment, (revision) => {
      this.byReplicaSet.set(revision.uid, { workload, revision });
    });
    this.byUid.set(deployment.metadata.uid, workload);
    return workload;
  }

  private onPod(pod: PodRecord, change?: (revision: Revision) => void): void {
    const owner = pod.ownerUid === undefined ? undefined : this.byReplicaSet.get(pod.ownerUid);
    if (!owner) return;
    change?.(owner.revision);
    this.touch(owner.workload);
  }

  private touch(workload: Workload): void {
    if (!this.byUid.has(workload.deployment.metadata.uid)) return;
    this.dirty.add(workload);
    this.waker.wake(this.context.timings.controller);
  }

  private syncDirty(): void {
    const [dirty, ended] = [[...this.dirty], [...this.ended]];
    this.dirty.clear();
    this.ended.clear();
    for (const workload of ended) workload.end();
    for (const workload of dirty) workload.sync();
  }
}
