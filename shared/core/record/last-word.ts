import type { HeadroomRecord, Override, Release } from './record';

/** What a person said last about a headroom: an override, or its release. */
export type Word =
  | { readonly override: Override; readonly released?: undefined }
  | { readonly released: Release; readonly override?: undefined };

/** The newest word that a record holds. */
export function lastWord({ override, released }: HeadroomRecord): Word | undefined {
  if (!override) return released && { released };
  const word: Word = { override };
  return released && isNewerWord({ released }, word) ? { released } : word;
}

/**
 * Whether a word counts over another. The later one does; on one millisecond the release counts over
 * the override, and of two of a kind the one whose text sorts last, so that all functions agree.
 */
export function isNewerWord(a: Word, b: Word): boolean {
  const [x, y] = [rankOf(a), rankOf(b)];
  if (x.at !== y.at) return x.at > y.at;
  if (x.kind !== y.kind) return x.kind > y.kind;
  return x.text > y.text;
}

export function sameWord(a: Word, b: Word): boolean {
  return !isNewerWord(a, b) && !isNewerWord(b, a);
}

function rankOf({ override, released }: Word): { at: number; kind: number; text: string } {
  if (!override) return { at: released.at, kind: 1, text: JSON.stringify([released.by ?? '', released.reason ?? '']) };
  const { at, mode, replicas, until, by, reason } = override;
  return { at, kind: 0, text: JSON.stringify([until, mode, replicas, by, reason]) };
}
