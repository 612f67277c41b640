import { KubeError } from '../../shared/adapters/kube-error';
import type { KubeTransport } from '../../shared/adapters/kube-transport';
import type { Log } from '../../shared/core/ports/ports';

export interface Patience {
  /** How long a refusal is waited out, counted from the making of the transport. */
  readonly forMs: number;
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly log: Log;
}

const MIN_MS = 2_000;
const MAX_MS = 10_000;

/** Tries again what is refused (401, 403) for a while: each API server learns of a new access entry in its own time. */
export function retryUntilAdmitted(transport: KubeTransport, { forMs, now, sleep, log }: Patience): KubeTransport {
  const until = now() + forMs;
  const patiently = async <T>(call: () => Promise<T>): Promise<T> => {
    for (let delay = MIN_MS; ; delay = Math.min(delay * 2, MAX_MS)) {
      try {
        return await call();
      } catch (error) {
        if (!(error instanceof KubeError && [401, 403].includes(error.status)) || now() + delay > until) throw error;
        log.info('not admitted yet', { reason: error.message });
        await sleep(delay);
      }
    }
  };
  return {
    get: (path) => patiently(() => transport.get(path)),
    list: (path, labelSelector) => patiently(() => transport.list(path, labelSelector)),
    create: (path, body) => patiently(() => transport.create(path, body)),
    apply: (path, body, fieldManager) => patiently(() => transport.apply(path, body, fieldManager)),
    delete: (path, preconditions) => patiently(() => transport.delete(path, preconditions)),
  };
}
