import { type HttpResponse, NoResponseError } from '../http/http-request';
import type { Connection } from './connection';
import { KubeError } from './kube-error';
import { readResponse } from './read-response';
import type { KubeRequest, SendOptions, send } from './send';

/** How slow the server was so far, over all calls of a transport. */
export interface Pace {
  slowestMs: number;
}

export interface TryOptions {
  readonly now: () => number;
  readonly send: typeof send;
  readonly pace: Pace;
}

/** Requests of one call that had no response in time. */
export interface Unanswered {
  /** When the first of them was sent. */
  readonly since?: number;
  /** Their responses, as soon as one comes that is no error. */
  readonly late: readonly Promise<HttpResponse>[];
}

export type Outcome<T> =
  | { readonly value: T }
  | { readonly error: KubeError /** If this one had no response in time either. */; readonly unanswered?: Unanswered };

/** Sends a request once; a late response to an earlier try counts as well as its own. */
export async function tryOnce<T>(
  connection: Connection,
  request: KubeRequest,
  sending: SendOptions,
  { since = sending.now, late }: Unanswered,
  { now, send, pace }: TryOptions,
): Promise<Outcome<T>> {
  const slow = paceText(pace);
  const measured = (response: HttpResponse) => {
    pace.slowestMs = Math.max(pace.slowestMs, now() - sending.now);
    return response;
  };
  const sent = send(connection, request, sending);
  try {
    const response = measured(await (late.length > 0 ? Promise.race([...late, sent]) : sent));
    return readResponse<T>(request, response);
  } catch (cause) {
    const failed = (reason: string, text: string) =>
      new KubeError(request, 0, reason, `${connection.server()}${text}`, { cause });
    if (!(cause instanceof NoResponseError && cause.timedOut))
      return { error: failed('Unreachable', `: ${(cause as Error).message}`) };
    const stillComes = cause.late?.then((one) => (one.status < 300 ? measured(one) : never()), never);
    return {
      error: failed('TooSlow', ` is too slow: no response within ${seconds(now() - since)}${slow}`),
      unanswered: { since, late: stillComes ? [...late, stillComes] : late },
    };
  }
}

/** Says how slow the server was, if that may be why a call fails. */
export function paceText({ slowestMs }: Pace): string {
  return slowestMs < 1_000 ? '' : `; its slowest response took ${seconds(slowestMs)}`;
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

function never(): Promise<never> {
  return new Promise(() => {});
}
