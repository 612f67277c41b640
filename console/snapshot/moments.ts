/** Something that happens by itself, and what. */
export interface Moment {
  readonly at: number;
  readonly label: string;
}

/** The first of them; of those at one instant, the one that was named first. */
export function earliest(moments: readonly (Moment | undefined)[]): Moment | undefined {
  return moments.reduce((first, one) => (one && (!first || one.at < first.at) ? one : first), undefined);
}
