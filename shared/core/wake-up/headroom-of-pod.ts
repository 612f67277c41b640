/** What the API server keeps of the ReplicaSet's name and a dash, before the random characters that it adds. */
const MOST_KEPT = 58;
const RANDOM = 5;

const HASH = /^-[a-z0-9]{1,10}-$/;
const CUT_HASH = /^-([a-z0-9]{1,10}-?)?$/;

/** The headroom that a pause pod of this name belongs to; none if what is left of it fits two. */
export function headroomOfPod(pod: string, headrooms: readonly string[]): string | undefined {
  const kept = pod.slice(0, -RANDOM);
  const possible = headrooms.filter((headroom) => isNamedAfter(kept, headroom));
  return possible.length === 1 ? possible[0] : undefined;
}

/** A ReplicaSet is named after its Deployment and a hash of up to ten characters. */
function isNamedAfter(kept: string, headroom: string): boolean {
  if (kept.length < MOST_KEPT) return kept.startsWith(headroom) && HASH.test(kept.slice(headroom.length));
  if (headroom.startsWith(kept)) return true;
  return kept.startsWith(headroom) && CUT_HASH.test(kept.slice(headroom.length));
}
