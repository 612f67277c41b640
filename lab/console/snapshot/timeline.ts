import { isDeepStrictEqual } from 'node:util';
import type { TimelinePoint } from './snapshot';

/** The number of points of a pool before they are thinned out. */
const MAX_KEPT = 1_200;

interface Size {
  readonly wanted: number;
  readonly ready: number;
  /** For a floor, whose pods are never displaced: the pool's nodes that run work. */
  readonly inUse?: number | undefined;
  /** Pods that would wait for a node now without headroom. */
  readonly wouldWait?: number | undefined;
}

/** The recent history of one pool's headroom, as points where something changed. */
export class Timeline {
  private points: TimelinePoint[] = [];
  /** Replicas that were displaced and are not ready yet. */
  private displaced = 0;

  get last(): TimelinePoint | undefined {
    return this.points.at(-1);
  }

  add(at: number, { wanted, ready, inUse, wouldWait = 0 }: Size): void {
    const { last } = this;
    // A replica that was ready and is still wanted was preempted by a workload pod, or lost its node.
    if (last && ready < last.ready)
      this.displaced += Math.max(0, last.ready - ready - Math.max(0, last.wanted - wanted));
    this.displaced = Math.min(this.displaced, Math.max(0, wanted - ready));
    const point = { at, wanted, ready, used: inUse ?? this.displaced, ...(wouldWait > 0 && { wouldWait }) };
    if (last && isDeepStrictEqual({ ...last, at }, point)) return;
    if (last?.at === at) this.points.pop();
    this.points.push(point);
    if (this.points.length > MAX_KEPT) this.points = thinned(this.points, MAX_KEPT / 2);
  }

  /** The sum of a value over time since then, in hours. */
  hoursSince(from: number, now: number, value: (point: TimelinePoint) => number): number {
    const ends = [...this.points.slice(1).map(({ at }) => at), now];
    const parts = this.points.map((point, index) => {
      const lasted = (ends[index] ?? now) - Math.max(point.at, from);
      return lasted > 0 ? value(point) * lasted : 0;
    });
    return parts.reduce((sum, part) => sum + part, 0) / 3_600_000;
  }

  /** At most this many points, oldest first. */
  recent(most: number): readonly TimelinePoint[] {
    return thinned(this.points, most);
  }
}

/** At most `most` points: if there are more, the last one of each of equally long periods. */
export function thinned(points: readonly TimelinePoint[], most: number): TimelinePoint[] {
  const [first, last] = [points[0], points.at(-1)];
  if (points.length <= most || !first || !last) return [...points];
  const stretch = (last.at - first.at) / Math.max(1, most - 2);
  const kept: TimelinePoint[] = [];
  let slot = -1;
  for (const point of points) {
    const own = Math.floor((point.at - first.at) / stretch);
    if (own === slot) kept.pop();
    slot = own;
    kept.push(point);
  }
  return kept;
}
