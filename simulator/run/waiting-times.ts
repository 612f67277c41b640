import type { WaitingFigures } from '../../console/snapshot/snapshot';

interface Waiting {
  readonly since: number;
  /** Absent while it still waits. */
  readonly placedAt?: number;
}

/** How long each real pod waited from its creation until a node had a place for it. */
export class WaitingTimes {
  private readonly pods = new Map<string, Waiting>();
  private known: { readonly at: number; readonly changes: number; readonly figures: WaitingFigures } | undefined;
  private changes = 0;
  private pending = 0;

  /** A pod appeared. */
  created(uid: string, at: number): void {
    this.pods.set(uid, { since: at });
    this.changes += 1;
    this.pending += 1;
  }

  /** It was given a node that is ready. */
  placed(uid: string, at: number): void {
    const pod = this.pods.get(uid);
    if (!pod || pod.placedAt !== undefined) return;
    this.pods.set(uid, { ...pod, placedAt: at });
    this.changes += 1;
    this.pending -= 1;
  }

  /** It went away; one that never got a node has waited until then. */
  gone(uid: string, at: number): void {
    this.placed(uid, at);
  }

  /** `undefined` for a pod that is not counted. */
  waitedMs(uid: string, now: number): number | undefined {
    const pod = this.pods.get(uid);
    return pod && (pod.placedAt ?? now) - pod.since;
  }

  /** Those that still wait count with what they have waited so far. */
  figures(now: number): WaitingFigures {
    const { known } = this;
    if (known && known.changes === this.changes && (this.pending === 0 || known.at === now)) return known.figures;
    const waits = [...this.pods.values()].map(({ since, placedAt }) => (placedAt ?? now) - since).sort((a, b) => a - b);
    const at = (share: number) => waits[Math.max(0, Math.ceil(waits.length * share) - 1)] ?? 0;
    const figures = { pods: waits.length, medianMs: at(0.5), p95Ms: at(0.95), worstMs: waits.at(-1) ?? 0 };
    this.known = { at: now, changes: this.changes, figures };
    return figures;
  }
}
