import { ConflictError } from '../basics/errors';
import type { Cluster, LiveHeadroom, Pause } from '../ports/ports';

/** At least eight: status updates of a busy Deployment cause conflicts too. */
const MAX_TRIES = 12;

/** Runs a step on the headroom as it was read; on a conflict, reads it again and repeats the step. */
export async function retryOnConflict<T>(
  { cluster, pause }: { readonly cluster: Cluster; readonly pause: Pause },
  name: string,
  seen: LiveHeadroom | undefined,
  step: (live: LiveHeadroom | undefined) => Promise<T>,
): Promise<T> {
  let live = seen;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await step(live);
    } catch (error) {
      if (!(error instanceof ConflictError) || attempt === MAX_TRIES) throw error;
      await pause(attempt);
      live = await cluster.readHeadroom(name);
    }
  }
}
