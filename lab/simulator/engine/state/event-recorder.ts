import { EVENTS } from '../../kube/kinds';
import type { ObjectStore } from '../../kube/object-store';
import type { KubeObject } from '../../kube/object-types';

const KEPT_MS = 3_600_000;
const MAX_KEPT = 5_000;

interface Note {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  readonly component: string;
}

/** Writes Events about objects, for `kubectl describe`; repeated ones are counted, old ones deleted. */
export class EventRecorder {
  private readonly kept = new Map<string, { readonly namespace: string; readonly name: string; readonly at: number }>();
  private count = 0;

  constructor(private readonly store: ObjectStore) {}

  note(about: KubeObject, { type, reason, message, component }: Note): void {
    const { uid, name, namespace } = about.metadata;
    const key = `${uid} ${reason} ${message}`;
    const known = this.kept.get(key);
    const found = known && this.store.get(EVENTS, known.namespace, known.name);
    const now = this.store.timestamp();
    if (found) {
      this.store.write(EVENTS, { ...found, count: (found.count ?? 1) + 1, lastTimestamp: now });
      return;
    }
    this.count += 1;
    const own = { namespace: namespace ?? 'default', name: `${name}.${this.count.toString(16).padStart(16, '0')}` };
    this.store.insert(EVENTS, {
      metadata: own,
      involvedObject: { apiVersion: about.apiVersion, kind: about.kind, name, ...(namespace && { namespace }), uid },
      reason,
      message,
      type,
      count: 1,
      firstTimestamp: now,
      lastTimestamp: now,
      source: { component },
      reportingComponent: component,
    });
    this.kept.set(key, { ...own, at: this.store.now() });
    this.forgetOld();
  }

  private forgetOld(): void {
    for (const [key, { namespace, name, at }] of this.kept) {
      if (this.kept.size <= MAX_KEPT && this.store.now() - at < KEPT_MS) return;
      this.kept.delete(key);
      this.store.remove(EVENTS, namespace, name);
    }
  }
}
