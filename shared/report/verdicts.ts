import type { NodePoolConfig } from '../core/config/config';
import type { Window } from '../core/windows/window';
import { type Bound, type LogLine, MESSAGES, type Period } from './history';

const MINUTE = 60;

/** Up to a minute is not late, because the heartbeat sees no finer; `aheadSeconds` is negative then. */
export type OccurrenceVerdict =
  | { readonly kind: 'ready'; readonly aheadSeconds: Bound }
  | { readonly kind: 'late'; readonly lateBySeconds: Bound; readonly why?: string }
  /** It was not seen ready before it ended. */
  | { readonly kind: 'never'; readonly why?: string }
  | { readonly kind: 'unknown' };

interface Opening {
  readonly requestedAt: number;
  readonly start: number;
  readonly end: number;
}

/** When the occurrences of a window had their nodes: by the functions' own lines, else by the metrics. */
export function verdictsOf(
  { max }: NodePoolConfig,
  { name, replicas, relative }: Window,
  periods: readonly Period[],
  lines: readonly LogLine[],
): (opening: Opening, counted: number | undefined) => OccurrenceVerdict {
  const own = lines.filter(({ window }) => window === name);
  const lineOf = (message: string, start: number) =>
    own.find((line) => line.message === message && Date.parse(String(line.start)) === start);
  return (opening, counted) => {
    const { start } = opening;
    const [ready, late] = [lineOf(MESSAGES.ready, start), lineOf(MESSAGES.late, start)];
    const why = (ready ?? late)?.why;
    const because = typeof why === 'string' ? { why } : {};
    if (ready) return seenReady(ready.at, start, because);
    const wanted = relative && counted === undefined ? undefined : (counted ?? 0) + Math.min(replicas, max);
    const seen = wanted === undefined ? undefined : firstReady(periods, opening, wanted);
    if (seen !== undefined) return seenReady(seen, start, because);
    return late ? { kind: 'never', ...because } : { kind: 'unknown' };
  };
}

function seenReady(at: number, start: number, because: { readonly why?: string }): OccurrenceVerdict {
  const late = Math.round((at - start) / 1_000);
  if (late <= MINUTE) return { kind: 'ready', aheadSeconds: { atLeast: -late } };
  return { kind: 'late', lateBySeconds: { atMost: late }, ...because };
}

/** The end of the first period since the request that shows as many ready as the window needs. */
function firstReady(periods: readonly Period[], { requestedAt, end }: Opening, wanted: number): number | undefined {
  const first = periods.find(({ at, ready }) => at >= requestedAt && at < end && ready.max >= wanted);
  return first && first.at + first.ms;
}
