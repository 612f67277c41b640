import type { Failure } from '../basics/failures';
import { headroomName } from '../basics/names';
import { inParallel } from '../basics/promises';
import type { CurrentHeadroom, Runtime } from '../ports/ports';
import { ownerOf } from './owner';
import { retryOnConflict } from './retry-on-conflict';

const DELETES_AT_ONCE = 8;

export interface Removed {
  readonly names: readonly string[];
  /** What the config no longer contains and the next deploy removes. */
  readonly leftovers: readonly string[];
  readonly failures: readonly Failure[];
}

/**
 * Deletes our own headroom that the config no longer contains, only in the reconcile at the end of a deploy:
 * during a deploy, functions with the old and the new config run side by side.
 */
export async function removeForgotten(
  { config, owner, ports }: Pick<Runtime, 'config' | 'owner' | 'ports'>,
  headrooms: Iterable<CurrentHeadroom>,
  isDeploy: boolean,
): Promise<Removed> {
  const kept = new Set(config.headrooms.map(({ name }) => headroomName(name)));
  const forgotten = [...headrooms].filter((current) => !kept.has(current.name) && ownerOf(current) === owner);
  if (!isDeploy) return { names: [], failures: [], leftovers: forgotten.map(({ name }) => name) };
  const results = await inParallel(forgotten, DELETES_AT_ONCE, (headroom) =>
    retryOnConflict(ports, headroom.name, headroom, async (current) => {
      // It may have changed hands since it was listed.
      if (current && ownerOf(current) === owner) await ports.cluster.deleteHeadroom(current);
    }),
  );
  const names: string[] = [];
  const failures: Failure[] = [];
  for (const [index, { name }] of forgotten.entries()) {
    const result = results[index];
    if (result?.status === 'rejected') failures.push({ what: `removing ${name}`, error: result.reason });
    else names.push(name);
  }
  return { names, failures, leftovers: [] };
}
