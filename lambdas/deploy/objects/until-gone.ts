import type { KubeTransport } from '../../../shared/adapters/kube/kube-transport';
import { shownObject } from '../../../shared/core/manifests/places';
import { type LiveObject, readObject } from './live-objects';

export interface Waiting {
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly deadline: number;
}

const MAX_MS = 120_000;
const BETWEEN_LOOKS_MS = 3_000;

/** Waits for an object that is being deleted: a namespace ends only after everything in it. */
export async function untilGone(transport: KubeTransport, object: LiveObject, waiting: Waiting): Promise<void> {
  const { now, sleep, deadline } = waiting;
  const started = now();
  const until = Math.min(started + MAX_MS, deadline);
  for (;;) {
    const found = await readObject(transport, object);
    if (found?.metadata.uid !== object.metadata.uid) return;
    if (now() + BETWEEN_LOOKS_MS > until)
      throw new Error(
        `${shownObject(object)} is still being deleted after ${Math.round((now() - started) / 1_000)} s; see what holds it: kubectl get ${object.kind.toLowerCase()} ${object.metadata.name} -o yaml`,
      );
    await sleep(BETWEEN_LOOKS_MS);
  }
}
