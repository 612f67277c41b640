import type { HeadroomRecord, Override, Release } from '../record/record';

/** An override, or the release of one. */
export type OverrideOrRelease =
  | { readonly override: Override; readonly released?: undefined }
  | { readonly released: Release; readonly override?: undefined };

/** The newest override or release of a record. */
export function latestOverride({ override, released }: HeadroomRecord): OverrideOrRelease | undefined {
  if (!override) return released && { released };
  const own: OverrideOrRelease = { override };
  return released && isNewer({ released }, own) ? { released } : own;
}

/**
 * Whether one replaces the other. The later one does; within one millisecond a release replaces an
 * override, and of two of a kind the one whose text sorts last wins, so that all functions agree.
 */
export function isNewer(a: OverrideOrRelease, b: OverrideOrRelease): boolean {
  const [x, y] = [rankOf(a), rankOf(b)];
  if (x.at !== y.at) return x.at > y.at;
  if (x.kind !== y.kind) return x.kind > y.kind;
  return x.text > y.text;
}

export function isSame(a: OverrideOrRelease, b: OverrideOrRelease): boolean {
  return !isNewer(a, b) && !isNewer(b, a);
}

function rankOf({ override, released }: OverrideOrRelease): { at: number; kind: number; text: string } {
  if (!override) return { at: released.at, kind: 1, text: JSON.stringify([released.by ?? '', released.reason ?? '']) };
  const { at, mode, replicas, until, by, reason } = override;
  return { at, kind: 0, text: JSON.stringify([until, mode, replicas, by, reason]) };
}
