import type { KubeTransport } from '../../shared/adapters/kube-transport';
import { type LiveObject, readObject, shownObject } from './live-objects';

export interface Waiting {
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

const MAX_MS = 120_000;
const BETWEEN_LOOKS_MS = 3_000;

/** Waits for an object that is being deleted: a namespace ends only after everything in it. */
export async function untilGone(transport: KubeTransport, object: LiveObject, { now, sleep }: Waiting): Promise<void> {
  const until = now() + MAX_MS;
  for (;;) {
    const found = await readObject(transport, object);
    if (found?.metadata.uid !== object.metadata.uid) return;
    if (now() > until)
      throw new Error(
        `${shownObject(object)} is still being deleted after ${MAX_MS / 1_000} s; see what holds it: kubectl get ${object.kind.toLowerCase()} ${object.metadata.name} -o yaml`,
      );
    await sleep(BETWEEN_LOOKS_MS);
  }
}
