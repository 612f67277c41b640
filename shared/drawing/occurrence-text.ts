import { spanText, utcMinute } from '../core/basics/duration';
import { SIZES } from '../core/basics/reasons';
import type { HeadroomConfig } from '../core/config/config';
import { togetherText } from '../core/config/unit-text';
import { ENOUGH_NODES, type Learning, leadTimeOf } from '../core/occurrences/lead-time';
import { type RequestedOccurrence, type Verdict, verdictOf } from '../core/occurrences/requests';
import type { HeadroomRecord } from '../core/record/record';
import type { Window } from '../core/windows/window';

/** The current learned lead times, for how many nodes, and why; `undefined` if it is configured, or there are no windows for it. */
export function leadText(
  pool: Learning & Pick<HeadroomConfig, 'unit' | 'windows' | 'events'>,
  record: HeadroomRecord,
): string | undefined {
  const { minutes, nodes, took } = leadTimeOf(pool, record);
  const { windows, events } = pool;
  if (nodes === undefined || (windows.length === 0 && !events)) return undefined;
  if (took === undefined) return `auto, now ${spanText(minutes)}: ${SIZES.startValue(nodes, ENOUGH_NODES)}`;
  const each = (windows.length > 0 ? windows : [undefined]).map((window) => leadTimeOf(pool, record, window));
  const leads = each.sort((a, b) => a.minutes - b.minutes || (b.together ?? 0) - (a.together ?? 0));
  const most = leads.filter((one, index) => one.minutes !== leads[index - 1]?.minutes);
  const texts = most.map(
    ({ minutes, together = 0 }) => `${spanText(minutes)} for ${togetherText(together, pool.unit)}`,
  );
  return `auto, now ${texts.join(', ')}: ${SIZES.learned(nodes, `up to ${spanText(took)}`)}`;
}

interface TextContext {
  readonly windows: readonly Window[];
  readonly now: number;
}

/** One occurrence with its verdict: `Nodes were ready 3 min before lunch (2026-11-17T02:30Z)`. */
export function occurrenceText(occurrence: RequestedOccurrence, { windows, now }: TextContext): string {
  const verdict = verdictOf(occurrence, windows, now);
  // In minutes: the heartbeat sees no finer.
  const minutes = 'ms' in verdict ? Math.round(verdict.ms / 60_000) : 0;
  const window = `${occurrence.window} (${utcMinute(occurrence.start)})`;
  const why = ['ready', 'coming'].includes(verdict.kind) || occurrence.why === undefined ? '' : `: ${occurrence.why}`;
  return `${VERDICTS[verdict.kind](window, minutes)}${why}`;
}

/** Whether the nodes of a window were ready in time; docs/reasons.md lists these sentences. */
export const VERDICTS: Readonly<Record<Verdict['kind'], (window: string, minutes: number) => string>> = {
  coming: (window) => `Nodes are requested for ${window}, not ready yet`,
  ready: (window, minutes) =>
    minutes === 0
      ? `Nodes were ready at the start of ${window}`
      : `Nodes were ready ${spanText(minutes)} before ${window}`,
  late: (window, minutes) => `Nodes were ${spanText(minutes)} late for ${window}`,
  lateSoFar: (window, minutes) =>
    `Nodes are not ready for ${window}, ${minutes === 0 ? 'which has just begun' : `${spanText(minutes)} late so far`}`,
  never: (window) => `Nodes were never ready for ${window}`,
};

export function isLate(occurrence: RequestedOccurrence, windows: readonly Window[], now: number): boolean {
  return ['late', 'lateSoFar', 'never'].includes(verdictOf(occurrence, windows, now).kind);
}
