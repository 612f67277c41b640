import { hashText } from '../../../../shared/core/basics/names';
import { admitPod, type ResolvedPriority, resolvePriority } from '../../kube/api/admission';
import { withDefaults } from '../../kube/api/object-defaults';
import { sameJson } from '../../kube/json';
import { PODS } from '../../kube/kinds';
import type { Draft, ObjectStore } from '../../kube/object-store';
import type { Deployment, OwnerReference, PodTemplate, ReplicaSet } from '../../kube/object-types';
import type { PodRecord } from '../state/records';
import type { RevisionSize } from './rollout';

export class Revision {
  readonly pods = new Set<PodRecord>();
  private draft: { readonly priority: ResolvedPriority; readonly pod: Draft } | undefined;

  constructor(
    readonly hash: string,
    public replicaSet: ReplicaSet,
  ) {}

  get uid(): string {
    return this.replicaSet.metadata.uid;
  }

  /** Pods that are not being deleted. */
  active(): PodRecord[] {
    return [...this.pods].filter(({ deleting }) => !deleting);
  }

  size(): RevisionSize {
    const active = this.active();
    return { pods: active.length, ready: active.filter(({ ready }) => ready).length };
  }

  /** A new pod of this revision; all share one spec object, so that its shape is computed once. */
  newPod(store: ObjectStore, name: string): Draft {
    const priority = resolvePriority(store, name, this.replicaSet.spec.template.spec.priorityClassName);
    if (!this.draft || !sameJson(this.draft.priority, priority)) {
      this.draft = { priority, pod: admitPod(store, this.unadmitted(name)) };
    }
    const { pod } = this.draft;
    return { ...pod, metadata: { ...pod.metadata, name } };
  }

  private unadmitted(name: string): Draft {
    const { metadata, spec } = this.replicaSet;
    const { template } = spec;
    return withDefaults(PODS, {
      metadata: {
        name,
        generateName: `${metadata.name}-`,
        namespace: metadata.namespace ?? '',
        generation: 1,
        labels: template.metadata?.labels ?? {},
        ...(template.metadata?.annotations && { annotations: template.metadata.annotations }),
        ownerReferences: [ownerOf(this.replicaSet)],
      },
      spec: template.spec,
    });
  }
}

export function ownerOf({ apiVersion, kind, metadata }: Deployment | ReplicaSet): OwnerReference {
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid, controller: true, blockOwnerDeletion: true };
}

const hashes = new WeakMap<PodTemplate, string>();

/** The same for templates with the same content. */
export function templateHash(template: PodTemplate): string {
  const known = hashes.get(template) ?? hashText(stableJson(template)).slice(0, 10);
  hashes.set(template, known);
  return known;
}

function stableJson(value: unknown): string {
  return JSON.stringify(value, (_, child: unknown) =>
    typeof child === 'object' && child !== null && !Array.isArray(child)
      ? Object.fromEntries(Object.entries(child).sort(([a], [b]) => (a < b ? -1 : 1)))
      : child,
  );
}
