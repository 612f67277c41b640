import { isDeepStrictEqual } from 'node:util';
import type { Unit } from '../../../shared/core/config/config';
import { figuresOf, type SeenHeadroom } from '../../../shared/drawing/headroom-figures';
import type { TimelinePoint } from './snapshot';

/** The number of points of a pool before they are thinned out. */
const MAX_KEPT = 1_200;

interface Size extends SeenHeadroom {
  readonly kind: Unit['kind'];
  /** Pods that would wait for a node now without headroom. */
  readonly wouldWait?: number | undefined;
}

/** The recent history of one pool's headroom, as points where something changed. */
export class Timeline {
  private points: TimelinePoint[] = [];
  /** What was last handed out, so that it stays the same object until a point is added. */
  private thin: { readonly most: number; readonly points: readonly TimelinePoint[] } | undefined;

  get last(): TimelinePoint | undefined {
    return this.points.at(-1);
  }

  add(at: number, { kind, wouldWait = 0, ...seen }: Size): void {
    const { last } = this;
    const { wanted, inUse, free } = figuresOf(kind, seen);
    const point = { at, wanted, inUse, free, ...(wouldWait > 0 && { wouldWait }) };
    if (last && isDeepStrictEqual({ ...last, at }, point)) return;
    this.thin = undefined;
    if (last?.at === at) this.points.pop();
    this.points.push(point);
    if (this.points.length > MAX_KEPT) this.points = thinned(this.points, MAX_KEPT / 2);
  }

  /** At most this many points, oldest first. */
  recent(most: number): readonly TimelinePoint[] {
    if (this.thin?.most !== most) this.thin = { most, points: thinned(this.points, most) };
    return this.thin.points;
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
