import type { KubeTransport } from '../../shared/adapters/kube-transport';
import { messageOf } from '../../shared/core/basics/errors';
import type { Log } from '../../shared/core/ports/ports';
import { deleteObject, listApplied, shownObject } from './live-objects';
import { untilGone, type Waiting } from './until-gone';

/** Deletes what this custom resource applied, and waits for its namespace to end, so that a new deploy finds it free. */
export async function removeObjects(
  transport: KubeTransport,
  owner: string,
  { log, ...waiting }: Waiting & { readonly log: Log },
): Promise<readonly string[]> {
  const objects = await listApplied(transport, owner);
  for (const object of objects) await deleteObject(transport, object);
  for (const object of objects.filter(({ kind }) => kind === 'Namespace'))
    await untilGone(transport, object, waiting).catch((error: unknown) =>
      // It will end by itself: nothing that the stack's deletion should wait for.
      log.warn('namespace still ends', { reason: messageOf(error) }),
    );
  return objects.map(shownObject);
}
