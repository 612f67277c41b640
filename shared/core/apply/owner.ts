import { ANNOTATIONS } from '../manifests/annotations';
import type { LiveHeadroom } from '../ports/ports';

/** The headroom of another stack stands where ours would: nothing of it is written or deleted. */
export class ForeignOwnerError extends Error {
  override readonly name = 'ForeignOwnerError';

  constructor(name: string, theirs: string, ours: string) {
    super(
      `Deployment ${name} belongs to ${theirs}, and this is ${ours}; give one of the two another cluster.namespace and deploy it again`,
    );
  }
}

/** Whose headroom this is; `undefined` where the annotation was taken away. */
export function ownerOf(live: LiveHeadroom): string | undefined {
  return live.annotations[ANNOTATIONS.owner];
}

export function refuseForeign(live: LiveHeadroom | undefined, owner: string): void {
  const theirs = live && ownerOf(live);
  if (live && theirs !== undefined && theirs !== owner) throw new ForeignOwnerError(live.name, theirs, owner);
}

/** Everyone whose headroom is there. */
export function ownersIn(headrooms: readonly LiveHeadroom[]): readonly string[] {
  return [...new Set(headrooms.map(ownerOf).filter((owner) => owner !== undefined))];
}
