import type { HttpResponse } from '../../../shared/adapters/http/http-request';
import type { KubeRequest, SendOptions } from '../../../shared/adapters/kube/send';
import type { LoggedEvent } from '../environment/event-log';
import type { CallObserver } from '../environment/faulty-wire';
import type { Invocation } from '../environment/invocation';
import { wrongShape } from './request-shapes';

/** A call is tried four times, and once more with a fresh token. */
const MAX_SENDS = 5;
/** What another try of the same request can fix, beside no response at all and one that cannot be read. */
const WORTH_RETRYING = [200, 201, 401, 429, 500, 502, 503, 504];
const UNAUTHORIZED = 401;

/** The tries of one request. */
interface Tries {
  sends: number;
  refusals: number;
  status?: number;
  retryAfterMs: number;
  endedAt: number;
}

/** What must hold for every call: it ends before the deadline, and is tried again only where and when that can help. */
export class CallInvariants implements CallObserver {
  private readonly tries = new WeakMap<KubeRequest, Tries>();

  constructor(private readonly violated: (what: string) => void) {}

  sent(invocation: Invocation, request: KubeRequest, { timeoutMs, now, freshToken }: SendOptions): void {
    const known = this.tries.get(request) ?? { sends: 0, refusals: 0, retryAfterMs: 0, endedAt: now };
    this.tries.set(request, known);
    known.sends += 1;
    const wrong =
      wrongTry(known, now, freshToken) ??
      tooLong(invocation, timeoutMs, now) ??
      wrongEvent(invocation, request) ??
      (known.sends === 1 ? wrongShape(request, invocation) : undefined);
    if (wrong !== undefined) this.violated(`${invocation.label}: ${request.method} ${request.path} ${wrong}`);
  }

  ended(request: KubeRequest, now: number, response?: HttpResponse): void {
    const known = this.tries.get(request);
    if (!known) return;
    known.endedAt = now;
    known.retryAfterMs = Number(response?.headers['retry-after'] ?? 0) * 1_000;
    if (response) known.status = response.status;
    else delete known.status;
    if (response?.status === UNAUTHORIZED) known.refusals += 1;
  }
}

function wrongTry({ sends, refusals, status, retryAfterMs, endedAt }: Tries, now: number, fresh: boolean) {
  if (sends === 1) return fresh ? 'asked for a fresh token at its first try' : undefined;
  if (sends > MAX_SENDS) return `was sent ${sends} times`;
  if (refusals > 1) return 'was tried again after a second 401';
  if (refusals === 1 && !fresh) return 'was tried again with the token that was refused';
  if (refusals === 0 && fresh) return 'asked for a fresh token, and none was refused';
  if (status !== undefined && !WORTH_RETRYING.includes(status)) return `was tried again after ${status}`;
  const waited = now - endedAt;
  const [least, most] =
    retryAfterMs > 0 ? [retryAfterMs, retryAfterMs] : [50 * 2 ** (sends - 2), 150 * 2 ** (sends - 2)];
  return waited < least || waited > most + 1
    ? `was tried again after ${waited} ms, not ${least} to ${most}`
    : undefined;
}

/** Events are about what the same invocation wrote, or about the live schedules that it read. */
function wrongEvent(
  { writes, functionName }: Invocation,
  { method, path, body = '' }: KubeRequest,
): string | undefined {
  if (method !== 'POST' || !path.includes('/events.k8s.io/')) return undefined;
  const { regarding, reason } = JSON.parse(body) as Pick<LoggedEvent, 'regarding' | 'reason'>;
  // Wake-ups have invariants of their own.
  if (reason === 'Woken' && functionName === 'reconcile') return undefined;
  const isKnown = regarding.kind === 'ConfigMap' || writes.has(regarding.name);
  return isKnown ? undefined : `is about ${regarding.name}, which was not written`;
}

function tooLong({ deadline }: Invocation, timeoutMs: number, now: number): string | undefined {
  if (!(timeoutMs > 0)) return `has ${timeoutMs} ms`;
  return now + timeoutMs > deadline ? `may take ${timeoutMs} ms, and ${deadline - now} ms are left` : undefined;
}
