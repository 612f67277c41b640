import type { Taint } from '../../../../shared/core/karpenter/objects';
import { sameJson } from '../../kube/json';
import type { Condition, Node, Pod, StringMap } from '../../kube/object-types';
import type { PodRef } from './facts';
import type { PodShape } from './pod-shape';
import { type Amounts, addAmounts, lacking, readAmounts } from './resource-amounts';

const NO_AMOUNTS: Amounts = new Map();
const CORDON: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };

/** A pod as the controllers see it, kept in sync with the store. */
export interface PodRecord {
  readonly ref: PodRef;
  readonly shape: PodShape;
  readonly createdAt: number;
  readonly ownerUid: string | undefined;
  object: Pod;
  node: NodeRecord | undefined;
  nominated: NodeRecord | undefined;
  unschedulable: boolean;
  ready: boolean;
  deleting: boolean;
}

/** A node as the controllers see it, with the usage of its pods. */
export class NodeRecord {
  readonly name: string;
  readonly pods = new Set<PodRecord>();
  /** How many pods of each shape run here. */
  readonly shapes = new Map<PodShape, number>();
  /** Pods that preempted others here and are about to be bound. */
  readonly nominated = new Set<PodRecord>();
  readonly used = new Map<string, number>();
  labels: StringMap = {};
  taints: readonly Taint[] = [];
  allocatable: Amounts = NO_AMOUNTS;
  ready = false;
  /** When a pod was last bound or removed. */
  lastPodEvent: number;

  constructor(
    public object: Node,
    now: number,
  ) {
    this.name = object.metadata.name;
    this.lastPodEvent = now;
    this.update(object);
  }

  /** Stores a new version of the object; returns whether it affects where pods may run. */
  update(object: Node): boolean {
    const { labels = {} } = object.metadata;
    const taints = [...(object.spec?.taints ?? []), ...(object.spec?.unschedulable ? [CORDON] : [])];
    const { allocatable, capacity, conditions } = object.status ?? {};
    const ready = isReady(conditions);
    const before = this.object.status;
    const matters =
      ready !== this.ready ||
      !sameJson(labels, this.labels) ||
      !sameJson(taints, this.taints) ||
      before?.allocatable !== allocatable ||
      before?.capacity !== capacity;
    this.object = object;
    this.labels = labels;
    this.taints = taints;
    this.ready = ready;
    this.allocatable = readAmounts(allocatable ?? capacity);
    return matters;
  }

  add(pod: PodRecord, now: number): void {
    this.pods.add(pod);
    this.shapes.set(pod.shape, (this.shapes.get(pod.shape) ?? 0) + 1);
    addAmounts(this.used, pod.shape.requests, 1);
    this.lastPodEvent = now;
  }

  remove(pod: PodRecord, now: number): void {
    if (!this.pods.delete(pod)) return;
    const left = (this.shapes.get(pod.shape) ?? 1) - 1;
    if (left === 0) this.shapes.delete(pod.shape);
    else this.shapes.set(pod.shape, left);
    addAmounts(this.used, pod.shape.requests, -1);
    this.lastPodEvent = now;
  }

  /** The resource that does not suffice for a pod, counting nominated pods. */
  lackingFor(pod: PodRecord): string | undefined {
    return lacking(pod.shape.requests, this.usedWithNominated(pod), this.allocatable);
  }

  /** Whether anti-affinity to a pod here, or to a nominated one, excludes this pod. */
  repels(pod: PodRecord): boolean {
    for (const shape of this.shapes.keys()) if (shape.repels(pod.shape)) return true;
    for (const other of this.nominated) {
      if (other !== pod && other.ref.priority >= pod.ref.priority && other.shape.repels(pod.shape)) return true;
    }
    return false;
  }

  usedWithNominated(pod: PodRecord): Amounts {
    if (this.nominated.size === 0) return this.used;
    const total = new Map(this.used);
    for (const other of this.nominated) {
      if (other !== pod && other.ref.priority >= pod.ref.priority) addAmounts(total, other.shape.requests, 1);
    }
    return total;
  }
}

export function isReady(conditions: readonly Condition[] = []): boolean {
  return conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
}
