import type { HeadroomConfig } from '../core/config/config';
import type { Window } from '../core/windows/window';
import { between, type LogLine, MESSAGES, type Period } from './history';

const MINUTE = 60;

export interface OccurrenceVerdict {
  /** Up to a minute is not late, because the heartbeat sees no finer; `never` was not seen ready before its end. */
  readonly verdict: 'ready' | 'late' | 'never' | 'unknown';
  /** Negative for one that was ready before its start. */
  readonly lateBySecondsAtMost?: number;
  readonly why?: string;
}

export interface OccurrenceTimes {
  readonly requestedAt: number;
  readonly start: number;
  readonly end: number;
  /** The nodes that there were, where a window adds to them and the log tells it. */
  readonly counted?: number | undefined;
}

/** When an occurrence had its nodes: by the functions' lines about it, else by the metrics. */
export function verdictOf(
  times: OccurrenceTimes,
  { max }: HeadroomConfig,
  { replicas, relative }: Window,
  periods: readonly Period[],
  lines: readonly LogLine[],
): OccurrenceVerdict {
  const { requestedAt, start, end, counted } = times;
  const [ready, late] = [MESSAGES.ready, MESSAGES.late].map((message) =>
    lines.find((line) => line.message === message),
  );
  const wanted = relative && counted === undefined ? Number.NaN : (counted ?? 0) + Math.min(replicas, max);
  const first = between(periods, { from: requestedAt, to: end }, ({ at }) => at).find((one) => one.ready.max >= wanted);
  const readyAt = ready?.at ?? (first && first.at + first.ms);
  const why = (ready ?? late)?.why;
  if (readyAt === undefined && !late) return { verdict: 'unknown' };
  const seconds = readyAt === undefined ? undefined : Math.round((readyAt - start) / 1_000);
  if (seconds !== undefined && seconds <= MINUTE) return { verdict: 'ready', lateBySecondsAtMost: seconds };
  return {
    ...(seconds === undefined ? { verdict: 'never' } : { verdict: 'late', lateBySecondsAtMost: seconds }),
    ...(typeof why === 'string' && { why }),
  };
}
