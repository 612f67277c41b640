import { ANNOTATIONS } from '../manifests/annotations';
import type { CurrentHeadroom } from '../ports/ports';

/** A Deployment of the same name belongs to another stack: it is neither written nor deleted. */
export class ForeignOwnerError extends Error {
  override readonly name = 'ForeignOwnerError';

  constructor(name: string, theirs: string, ours: string) {
    super(
      `Deployment ${name} belongs to ${theirs}, and this is ${ours}; give one of the two another cluster.namespace and deploy it again`,
    );
  }
}

/** Whose headroom this is; `undefined` if the annotation was removed. */
export function ownerOf(current: CurrentHeadroom): string | undefined {
  return current.annotations[ANNOTATIONS.owner];
}

export function refuseForeign(current: CurrentHeadroom | undefined, owner: string): void {
  const theirs = current && ownerOf(current);
  if (current && theirs !== undefined && theirs !== owner) throw new ForeignOwnerError(current.name, theirs, owner);
}

export function ownersIn(headrooms: readonly CurrentHeadroom[]): readonly string[] {
  return [...new Set(headrooms.map(ownerOf).filter((owner) => owner !== undefined))];
}
