import type { Failure } from '../basics/failures';
import { inParallel } from '../basics/in-parallel';
import { headroomName } from '../basics/names';
import type { Config } from '../config/config';
import type { Cluster, LiveHeadroom } from '../ports/ports';

const DELETES_AT_ONCE = 8;

export interface Removed {
  readonly names: readonly string[];
  readonly failures: readonly Failure[];
}

/** Deletes the Deployments with our label that the config no longer names. */
export async function removeForgotten(
  { nodePools }: Config,
  headrooms: Iterable<LiveHeadroom>,
  cluster: Cluster,
): Promise<Removed> {
  const kept = new Set(nodePools.map(({ name }) => headroomName(name)));
  const forgotten = [...headrooms].filter(({ name }) => !kept.has(name));
  const results = await inParallel(forgotten, DELETES_AT_ONCE, (headroom) => cluster.deleteHeadroom(headroom));
  const names: string[] = [];
  const failures: Failure[] = [];
  for (const [index, { name }] of forgotten.entries()) {
    const result = results[index];
    if (result?.status === 'rejected') failures.push({ what: `removing ${name}`, error: result.reason });
    else names.push(name);
  }
  return { names, failures };
}
