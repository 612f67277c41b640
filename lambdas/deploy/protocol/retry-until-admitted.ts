import { clusterErrorType } from '../../../shared/adapters/kube/cluster-error';
import type { KubeTransport } from '../../../shared/adapters/kube/kube-transport';
import { messageOf } from '../../../shared/core/basics/errors';
import { doubling, retry } from '../../../shared/core/basics/retry';
import type { Log } from '../../../shared/core/ports/ports';

export interface AdmissionPorts {
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly log: Log;
  /** When it must end, even if it would wait longer. */
  readonly deadline: number;
}

/** A new role, policy or access entry takes effect everywhere within seconds as a rule, within minutes at worst. */
const PATIENCE_MS = 120_000;
const PASSING =
  /^(AccessDenied(Exception)?|UnauthorizedOperation|Throttling.*|TooManyRequestsException|RequestLimitExceeded|(Server|Service|Internal).*)$/;
const [FIRST_MS, MAX_MS] = [2_000, 10_000];

/** Returns a function that retries refused calls for a while; the time counts from now, for all calls together. */
export function untilAdmitted(
  { now, sleep, log, deadline }: AdmissionPorts,
  isNotYet: (error: unknown) => boolean = isRefusal,
): <T>(call: () => Promise<T>) => Promise<T> {
  const until = Math.min(now() + PATIENCE_MS, deadline);
  return (call) =>
    retry(call, {
      sleep,
      delayMs: (error, attempt) => {
        const delay = doubling(FIRST_MS, attempt, MAX_MS);
        if (!isNotYet(error) || now() + delay > until) return undefined;
        log.info('not admitted yet', { reason: messageOf(error) });
        return delay;
      },
    });
}

/** A transport that retries refused calls: a new access entry reaches each API server at a different time. */
export function retryUntilAdmitted(transport: KubeTransport, ports: AdmissionPorts): KubeTransport {
  const patiently = untilAdmitted(ports);
  return {
    get: (path, accept) => patiently(() => transport.get(path, accept)),
    list: (path, labelSelector) => patiently(() => transport.list(path, labelSelector)),
    create: (path, body) => patiently(() => transport.create(path, body)),
    apply: (path, body, fieldManager) => patiently(() => transport.apply(path, body, fieldManager)),
    delete: (path, preconditions) => patiently(() => transport.delete(path, preconditions)),
  };
}

/** Refused by the cluster, or by AWS before that. */
function isRefusal(error: unknown): boolean {
  const type = clusterErrorType(error);
  return type === 'ClusterUnauthenticated' || type === 'ClusterForbidden' || isPassingAwsError(error);
}

/** A new policy of the function's own role may not be in effect everywhere yet, or AWS is busy; EC2 has names of its own. */
export function isPassingAwsError(error: unknown): boolean {
  return error instanceof Error && PASSING.test(error.name);
}
