import { doubling } from '../../core/basics/retry';
import { NoResponseError } from '../http/http-request';
import type { Connection } from './connection';
import { KubeError } from './kube-error';
import { UNREADABLE } from './read-response';
import type { KubeRequest } from './send';
import { paceText, type TryOptions, tryOnce, type Unanswered } from './try-once';

/** 0 is no response at all. */
const TRANSIENT = [0, 429, 500, 502, 503, 504];

export interface CallOptions extends TryOptions, Limits {
  readonly maxTries: number;
  readonly budgetMs: number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly random: () => number;
}

interface Limits {
  readonly timeoutMs: number;
  readonly deadline: number;
}

/** What the tries of a call so far leave for the next one. */
interface Tries {
  readonly count: number;
  readonly error?: KubeError;
  /** Whether a token was refused, so that the next try needs a fresh one. */
  readonly freshToken: boolean;
  readonly unanswered: Unanswered;
}

/** Sends a request until it has a value, as long as one more try can help and there is time for it. */
export async function callWithRetries<T>(
  connection: Connection,
  request: KubeRequest,
  options: CallOptions,
): Promise<T> {
  const { now, sleep, random, pace } = options;
  const until = Math.min(now() + options.budgetMs, options.deadline);
  let tries: Tries = { count: 0, freshToken: false, unanswered: { late: [] } };
  for (;;) {
    if (isUnreachable(tries.error)) await connection.rediscover?.(until);
    const time = now();
    if (time >= until) throw tries.error ?? outOfTime(request, paceText(pace));
    const sending = { ...timesOfTry(request, time, until, options), freshToken: tries.freshToken, now: time };
    const outcome = await tryOnce<T>(connection, request, sending, tries.unanswered, options);
    if ('value' in outcome) return outcome.value;
    const next = afterFailure(tries, outcome);
    if (!canHelp(next, tries, options.maxTries)) throw outcome.error;
    const delay = delayMs(next.count, random(), outcome.error.retryAfterSeconds);
    if (now() + delay >= until) throw outcome.error;
    await sleep(delay);
    tries = next;
  }
}

/** Not even a fresh connection works; a reused one may just have been dead. */
function isUnreachable(error: KubeError | undefined): boolean {
  if (error?.status !== 0 || error.reason === 'TooSlow') return false;
  return !(error.cause instanceof NoResponseError && error.cause.reusedConnection);
}

function outOfTime(request: KubeRequest, pace: string): KubeError {
  return new KubeError(request, 0, 'DeadlineExceeded', `no time is left for this call${pace}`);
}

/** How long a try waits for its response, and how much longer it listens for one. */
function timesOfTry({ method }: KubeRequest, time: number, until: number, { timeoutMs, deadline }: Limits) {
  // What a read leaves is for the write that follows; nothing follows a write.
  const share = (deadline - time) / (method === 'GET' ? 2 : 1);
  const ms = Math.min(timeoutMs, share, until - time);
  return { timeoutMs: ms, listenMs: Number.isFinite(deadline) ? deadline - time - ms : 0 };
}

function afterFailure(
  { count, freshToken, unanswered }: Tries,
  failure: { readonly error: KubeError; readonly unanswered?: Unanswered },
): Tries {
  return { count: count + 1, freshToken: freshToken || failure.error.status === 401, unanswered, ...failure };
}

/** A refused token is worth one try with a fresh one, whatever the number of tries. */
function canHelp({ count, error, freshToken }: Tries, before: Tries, maxTries: number): boolean {
  if (freshToken && !before.freshToken) return true;
  return count < maxTries && error !== undefined && isTransient(error);
}

function isTransient({ status, reason }: KubeError): boolean {
  return TRANSIENT.includes(status) || reason === UNREADABLE;
}

/** 100 ms, 200 ms, 400 ms, each with jitter; the server's Retry-After wins, up to five seconds. */
function delayMs(attempt: number, random: number, retryAfterSeconds?: number): number {
  if (retryAfterSeconds !== undefined) return Math.min(retryAfterSeconds, 5) * 1_000;
  return doubling(100, attempt) * (0.5 + random);
}
