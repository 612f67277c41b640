import { ConflictError } from '../basics/errors';
import type { Cluster, CurrentHeadroom, Sleep } from '../ports/ports';

/** At least eight: status updates of a busy Deployment cause conflicts too. */
const MAX_TRIES = 12;

/** Runs a step on the headroom as it was read; on a conflict, reads it again and repeats the step. */
export async function retryOnConflict<T>(
  { cluster, sleep }: { readonly cluster: Cluster; readonly sleep: Sleep },
  name: string,
  seen: CurrentHeadroom | undefined,
  step: (current: CurrentHeadroom | undefined) => Promise<T>,
): Promise<T> {
  let current = seen;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await step(current);
    } catch (error) {
      if (!(error instanceof ConflictError) || attempt === MAX_TRIES) throw error;
      await sleep(attempt);
      current = await cluster.readHeadroom(name);
    }
  }
}
