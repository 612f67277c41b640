import { NODES, PODS } from '../../kube/kinds';
import type { Change, ObjectStore } from '../../kube/object-store';
import type { Node, Pod } from '../../kube/object-types';
import { NodeIndex } from './node-index';
import { PodShapes } from './pod-shape';
import { isReady, NodeRecord, type PodRecord } from './records';

/** Notifications for controllers, which must not write in these callbacks. */
export interface StateListener {
  podAdded?(pod: PodRecord): void;
  podChanged?(pod: PodRecord): void;
  /** It became ready or unready, or is being deleted. */
  podTurned?(pod: PodRecord): void;
  podBound?(pod: PodRecord, node: NodeRecord): void;
  podRemoved?(pod: PodRecord): void;
  nodeAdded?(node: NodeRecord): void;
  nodeChanged?(node: NodeRecord): void;
  nodeRemoved?(node: NodeRecord): void;
}

export class ClusterState {
  readonly pods = new Map<string, PodRecord>();
  readonly nodes = new Map<string, NodeRecord>();
  /** Pods without a node that are not being deleted, in order of creation. */
  readonly pending = new Set<PodRecord>();
  readonly index = new NodeIndex();
  private readonly shapes = new PodShapes();
  private readonly listeners: StateListener[] = [];

  constructor(private readonly store: ObjectStore) {
    store.subscribe(NODES, (change) => this.onNode(change));
    store.subscribe(PODS, (change) => this.onPod(change));
  }

  listen(listener: StateListener): void {
    this.listeners.push(listener);
  }

  private onNode({ type, object }: Change<Node>): void {
    const { name } = object.metadata;
    const known = this.nodes.get(name);
    if (type === 'DELETED') {
      if (known) this.removeNode(known);
      return;
    }
    if (known) {
      if (known.update(object)) this.index.put(known);
      for (const listener of this.listeners) listener.nodeChanged?.(known);
      return;
    }
    const node = new NodeRecord(object, this.store.now());
    this.nodes.set(name, node);
    this.index.put(node);
    for (const listener of this.listeners) listener.nodeAdded?.(node);
  }

  private removeNode(node: NodeRecord): void {
    this.nodes.delete(node.name);
    this.index.drop(node);
    for (const pod of node.nominated) pod.nominated = undefined;
    for (const listener of this.listeners) listener.nodeRemoved?.(node);
  }

  private onPod({ type, object }: Change<Pod>): void {
    const known = this.pods.get(object.metadata.uid);
    if (type === 'DELETED') {
      if (known) this.removePod(known);
      return;
    }
    if (known) this.updatePod(known, object);
    else this.addPod(object);
  }

  private addPod(object: Pod): void {
    const pod = this.recordOf(object);
    this.pods.set(object.metadata.uid, pod);
    if (!object.spec.nodeName) this.pending.add(pod);
    for (const listener of this.listeners) listener.podAdded?.(pod);
    this.bind(pod);
  }

  private recordOf(object: Pod): PodRecord {
    const { uid, name, namespace = '', ownerReferences = [], labels = {} } = object.metadata;
    const owner = ownerReferences.find(({ controller }) => controller);
    const hash = labels['pod-template-hash'];
    const deployment = owner?.kind === 'ReplicaSet' && hash ? owner.name.slice(0, -hash.length - 1) : undefined;
    const shape = this.shapes.of(object);
    return {
      ref: { uid, namespace, name, priority: shape.priority, ...(deployment !== undefined && { deployment }) },
      shape,
      createdAt: this.store.now(),
      ownerUid: owner?.uid,
      object,
      node: undefined,
      nominated: undefined,
      unschedulable: false,
      ready: runsReady(object),
      deleting: object.metadata.deletionTimestamp !== undefined,
    };
  }

  private updatePod(pod: PodRecord, object: Pod): void {
    const { ready, deleting } = pod;
    pod.object = object;
    pod.ready = runsReady(object);
    pod.deleting = object.metadata.deletionTimestamp !== undefined;
    pod.unschedulable = !object.spec.nodeName && isUnschedulable(object);
    if (pod.deleting) this.pending.delete(pod);
    this.nominate(pod, object.status.nominatedNodeName);
    this.bind(pod);
    if (pod.node && ['Succeeded', 'Failed'].includes(object.status.phase)) pod.node.remove(pod, this.store.now());
    for (const listener of this.listeners) listener.podChanged?.(pod);
    if (pod.ready === ready && pod.deleting === deleting) return;
    for (const listener of this.listeners) listener.podTurned?.(pod);
  }

  private nominate(pod: PodRecord, name: string | undefined): void {
    const node = name === undefined || pod.object.spec.nodeName ? undefined : this.nodes.get(name);
    if (pod.nominated === node) return;
    pod.nominated?.nominated.delete(pod);
    pod.nominated = node;
    node?.nominated.add(pod);
  }

  private bind(pod: PodRecord): void {
    const { nodeName } = pod.object.spec;
    if (!nodeName || pod.node) return;
    this.pending.delete(pod);
    const node = this.nodes.get(nodeName);
    if (!node) return;
    pod.node = node;
    node.add(pod, this.store.now());
    for (const listener of this.listeners) listener.podBound?.(pod, node);
  }

  private removePod(pod: PodRecord): void {
    this.pods.delete(pod.ref.uid);
    this.pending.delete(pod);
    this.nominate(pod, undefined);
    pod.node?.remove(pod, this.store.now());
    pod.deleting = true;
    for (const listener of this.listeners) listener.podRemoved?.(pod);
  }
}

function runsReady({ status }: Pod): boolean {
  return status.phase === 'Running' && isReady(status.conditions);
}

function isUnschedulable({ status }: Pod): boolean {
  return (status.conditions ?? []).some((one) => one.type === 'PodScheduled' && one.reason === 'Unschedulable');
}
